import type { Command } from '../program/command.ts';
import { connect } from '../program/connect.ts';
import type { BodyOf } from '../sdk.ts';

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
