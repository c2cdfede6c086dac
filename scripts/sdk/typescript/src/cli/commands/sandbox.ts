import type { Command } from '../program/command.ts';
import { connect } from '../program/connect.ts';
import type { BodyOf } from '../sdk.ts';

type EventKind = BodyOf<'triggerEvent'>['event'];
/** For completion only: the API refuses others with its own list, which may be longer. */
const eventKinds = {
  MAIL_QUEUED: true,
  MAIL_PRINTED: true,
  MAIL_POSTED: true,
  MAIL_DELIVERED: true,
  MAIL_FAILED: true,
  ITEM_RETURNED: true,
  BULK_COMPLETED: true,
} as const satisfies Record<EventKind, true>;

type Target = NonNullable<NonNullable<BodyOf<'simulateMail'>>['to']>;
const targets: readonly Target[] = ['printed', 'posted', 'delivered', 'failed'];

/** `sandbox advance` moves a test letter. */
export const sandboxAdvanceCommand: Command = {
  name: 'sandbox advance',
  summary: 'Move a test letter to its next status, or to a later one.',
  args: ['ID'],
  argChoices: [],
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

/** `trigger` sends an event to the test webhooks. */
export const triggerCommand: Command = {
  name: 'trigger',
  summary: 'Send an event of any kind to your test webhooks.',
  args: ['EVENT'],
  argChoices: Object.keys(eventKinds),
  flags: { mail: { value: 'ID', help: 'The test letter that it is about. Default: one that does not exist.' } },
  examples: ['bluejay trigger MAIL_POSTED', 'bluejay trigger ITEM_RETURNED --mail mj_…'],
  async run(context) {
    const { args, text, out, signal } = context;
    const { bluejay } = await connect(context);
    const mailJobId = text('mail');
    const event = args[0]?.toUpperCase() as EventKind;
    const sent = await bluejay.sandbox.trigger({ event, ...(mailJobId && { mailJobId }) }, { signal });
    out.result(sent, () => [`${sent.event} about ${sent.mailJobId}, as ${sent.eventId}`]);
  },
};
