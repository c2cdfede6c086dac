import type { Command } from '../program/command.ts';
import { connect } from '../program/connect.ts';
import type { BodyOf } from '../sdk.ts';

type EventKind = BodyOf<'triggerEvent'>['event'];
type Target = NonNullable<NonNullable<BodyOf<'simulateMail'>>['to']>;
const targets: readonly Target[] = ['printed', 'posted', 'delivered', 'failed'];

/** `sandbox advance` moves a test letter. */
export const sandboxAdvanceCommand: Command = {
  name: 'sandbox advance',
  summary: 'Move a test letter to its next status, or to a later one.',
  args: ['ID'],
  flags: { to: { value: 'STATUS', choices: targets, help: 'Default: the next status.' } },
  examples: ['bluejay sandbox advance mj_…', 'bluejay sandbox advance mj_… --to delivered'],
  async run(context) {
    const { args, text, out, signal } = context;
    const { bluejay } = await connect(context);
    const to = text('to') as Target | undefined;
    const moved = await bluejay.mails.simulate(args[0] ?? '', to ? { to } : {}, { signal });
    out.result(moved, () => [`${moved.mailJobId}: ${moved.previousStatus} → ${moved.status}`]);
  },
};

/** `trigger` sends an event to the test webhooks. The API knows the kinds, and refuses others with their list. */
export const triggerCommand: Command = {
  name: 'trigger',
  summary: 'Send an event of any kind to your test webhooks.',
  args: ['EVENT'],
  flags: { mail: { value: 'ID', help: 'The test letter that it is about. Default: one that does not exist.' } },
  examples: ['bluejay trigger MAIL_POSTED', 'bluejay trigger ITEM_RETURNED --mail mj_…'],
  async run(context) {
    const { args, text, out, signal } = context;
    const { bluejay } = await connect(context);
    const mailJobId = text('mail');
    const event = args[0] as EventKind;
    const sent = await bluejay.sandbox.trigger({ event, ...(mailJobId && { mailJobId }) }, { signal });
    out.result(sent, () => [`${sent.event} about ${sent.mailJobId}, as ${sent.eventId}`]);
  },
};
