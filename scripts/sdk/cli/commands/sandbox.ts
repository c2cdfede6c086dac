import { setTimeout as sleep } from 'node:timers/promises';
import type { Command, Context } from '../program/command.ts';
import { connect } from '../program/connect.ts';
import { UsageError } from '../program/failure.ts';
import { localTime } from '../program/output.ts';
import type { BodyOf, ResultOf } from '../sdk.ts';

type Clock = ResultOf<'getSandboxClock'>;

type EventKind = BodyOf<'triggerEvent'>['event'];
type Target = NonNullable<NonNullable<BodyOf<'simulateMail'>>['to']>;
const targets: readonly Target[] = ['printed', 'posted', 'delivered', 'failed'];

/** `sandbox clock` creates a test clock. */
export const sandboxClockCommand: Command = {
  name: 'sandbox clock',
  summary: 'Create a test clock, which test letters follow: send --clock.',
  flags: { now: { value: 'TIME', help: 'Where it starts, such as 2026-03-02T08:00Z. Default: now.' } },
  examples: ['bluejay sandbox clock', 'bluejay sandbox clock --now 2026-03-02T08:00Z --json'],
  async run(context) {
    const { text, out, signal } = context;
    const now = readTime('--now', text('now') ?? new Date().toISOString());
    const { bluejay } = await connect(context);
    const clock = await bluejay.sandbox.createClock({ now }, { signal });
    out.result(clock, () => [`${clock.clockId} stands at ${localTime(clock.now)}`]);
  },
};

/** `sandbox advance` moves a test letter, or a clock with all of its letters. */
export const sandboxAdvanceCommand: Command = {
  name: 'sandbox advance',
  summary: 'Move a test letter to a later status, or a test clock to a later time.',
  args: ['ID'],
  flags: {
    to: { value: 'STATUS', choices: targets, help: 'Where a letter goes. Default: the next status.' },
    by: { value: 'TIME', help: 'How far a clock goes: 3d, 12h or 30m.' },
    until: { value: 'TIME', help: 'When a clock stops, such as 2026-03-05T08:00Z.' },
  },
  examples: [
    'bluejay sandbox advance mj_…',
    'bluejay sandbox advance mj_… --to delivered',
    'bluejay sandbox advance clk_… --by 3d',
  ],
  notes: ['It waits until the letters of a clock have followed.'],
  async run(context) {
    const { args, text, has, out, signal } = context;
    const [id = ''] = args;
    const isClock = id.startsWith('clk_');
    if (isClock ? has('to') : has('by') || has('until')) {
      throw new UsageError(
        '--to is for letters, --by and --until are for clocks.',
        'See bluejay sandbox advance --help',
      );
    }
    if (isClock) {
      const clock = await advanceClock(id, context);
      out.result(clock, () => [`${clock.clockId} stands at ${localTime(clock.now)}`]);
      return;
    }
    const { bluejay } = await connect(context);
    const to = text('to') as Target | undefined;
    const moved = await bluejay.mails.simulate(id, to ? { to } : {}, { signal });
    out.result(moved, () => [`${moved.mailJobId}: ${moved.previousStatus} → ${moved.status}`]);
  },
};

/** Between two looks at a clock that advances. */
const lookEveryMs = 500;

/** Advances a clock and waits until its letters have followed. */
async function advanceClock(id: string, context: Context): Promise<Clock> {
  const { signal } = context;
  const timeAfter = readTarget(context);
  const { bluejay } = await connect(context);
  const { now } = await bluejay.sandbox.clock(id, { signal });
  let clock = await bluejay.sandbox.advanceClock(id, { to: timeAfter(now) }, { signal });
  while (clock.status === 'advancing') {
    await sleep(lookEveryMs, undefined, { signal });
    clock = await bluejay.sandbox.clock(id, { signal });
  }
  return clock;
}

/** Returns a function that returns where a clock that stands at `now` goes. Throws UsageError. */
function readTarget({ text }: Context): (now: string) => string {
  const [by, until] = [text('by'), text('until')];
  if ((by === undefined) === (until === undefined)) {
    throw new UsageError('A clock needs one of --by and --until.', 'For example: --by 3d');
  }
  if (until !== undefined) {
    const at = readTime('--until', until);
    return () => at;
  }
  const durationMs = readDurationMs(by ?? '');
  return (now) => new Date(Date.parse(now) + durationMs).toISOString();
}

const unitMs: Readonly<Record<string, number>> = { d: 86_400_000, h: 3_600_000, m: 60_000 };

function readDurationMs(text: string): number {
  const [, amount, unit = ''] = /^([1-9]\d{0,5})([dhm])$/.exec(text) ?? [];
  if (amount === undefined) throw new UsageError(`--by must be a time such as 3d, 12h or 30m, not "${text}".`);
  return Number(amount) * (unitMs[unit] ?? 0);
}

/** Returns a moment as the API takes it. */
function readTime(flag: string, text: string): string {
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) {
    throw new UsageError(`${flag} must be a moment such as 2026-03-02T08:00Z, not "${text}".`);
  }
  return at.toISOString();
}

/** `trigger` sends an event to the test webhooks. */
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
    const event = args[0]?.toUpperCase() as EventKind;
    const sent = await bluejay.sandbox.trigger({ event, ...(mailJobId && { mailJobId }) }, { signal });
    out.result(sent, () => [`${sent.event} about ${sent.mailJobId}, as ${sent.eventId}`]);
  },
};
