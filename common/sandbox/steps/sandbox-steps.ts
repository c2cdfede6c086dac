import { dayMs, plusMs } from '#common/clock.ts';
import type { Failure } from '#common/mail-jobs/model/failure.ts';
import type { MailItem, MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import type { MailStatus } from '#common/mail-jobs/model/mail-status.ts';
import type { ReturnReason } from '#common/mail-jobs/model/returned.ts';
import { nextStatus } from '#common/mail-jobs/rules/lifecycle.ts';
import type { Due } from '#common/platform/due-work/due.schema.ts';
import { newDue } from '#common/platform/due-work/due-work.ts';
import { type CopyOutcome, outcomeOf } from './sandbox-outcomes.ts';

/** Delays of sandbox jobs, in seconds. */
export type SandboxTimes = {
  /** Delay between two automatic steps. */
  stepDelayS: number;
  /** Delay of the automatic steps after a manual `simulate`. They must not interfere with a customer's test. */
  pauseS: number;
};

/** How much longer a slow step takes. */
const slowness = 10;

type Stepped = Pick<MailJobRecord, 'mode' | 'serviceType' | 'items'>;
export type Planned = Stepped & Pick<MailJobRecord, 'closesAt' | 'dropAt'>;

/** The next automatic step of one copy: to a status, which `towards` names if it fails instead, or back to its sender. */
type ItemStep = { isSlow: boolean } & (
  | { to: MailStatus; towards: MailStatus; failure?: Failure }
  | { returns: NonNullable<CopyOutcome['returns']> }
);

/** Returns what happens to a copy automatically; null when nothing more does. Only registered ones are delivered. */
function nextStepOf(item: MailItem, { serviceType }: Pick<Stepped, 'serviceType'>): ItemStep | null {
  const { status, returned } = item;
  // Also when the letter is redacted and no longer shows what its recipient chose.
  if (returned) return null;
  const { returns, fails, restsAt, slowTo = [] } = outcomeOf(item) ?? {};
  const isRegistered = serviceType === 'registered';
  const returnsAfter = returns?.after === 'delivered' && !isRegistered ? 'posted' : returns?.after;
  if (returns && status === returnsAfter) return { returns, isSlow: false };
  const isLast = status === 'delivered' || status === 'failed' || (status === 'posted' && !isRegistered);
  if (isLast || status === restsAt) return null;
  const to = nextStatus(status);
  if (fails?.insteadOf === to) return { to: 'failed', towards: to, failure: fails.failure, isSlow: false };
  return { to, towards: to, isSlow: slowTo.includes(to) };
}

/** Returns the next automatic steps of the copies of a job; none of a live one. */
function itemStepsOf(job: Stepped): { itemId: string; step: ItemStep }[] {
  if (job.mode !== 'test') return [];
  return job.items.flatMap((item) => {
    const step = nextStepOf(item, job);
    return step ? [{ itemId: item.itemId, step }] : [];
  });
}

/**
 * Returns the automatic steps after a change of a job at `at`, as its slowest copy goes. Null when there are none, or when
 * the letter goes by a test clock.
 */
export function nextSandboxStep(job: Stepped & Pick<MailJobRecord, 'clock'>, at: Date, delayS: number): Due | null {
  const steps = job.clock ? [] : itemStepsOf(job);
  if (steps.length === 0) return null;
  return newDue(plusMs(at, delayS * 1_000 * (steps.some(({ step }) => step.isSlow) ? slowness : 1)));
}

/**
 * Returns the first automatic step, scheduled when the print file is ready: a delay after creation, or now if later.
 */
export function firstSandboxStep(job: MailJobRecord, now: Date, { stepDelayS }: SandboxTimes): Due | null {
  const step = nextSandboxStep(job, job.createdAt, stepDelayS);
  return step && step.at < now ? newDue(now) : step;
}

/** From the hand-off of a registered letter to its delivery, on a test clock. */
const deliveryDays = 1;

/**
 * Returns when a step of a letter on a test clock is taken: printed when its batch closes, posted at the cutoff, delivered
 * a day later, and returned days after the cutoff. A slow step is nine days later.
 */
function plannedAt(step: ItemStep, { closesAt, dropAt }: Planned): Date {
  if ('returns' in step) return plusMs(dropAt, step.returns.days * dayMs);
  const late = step.isSlow ? (slowness - 1) * dayMs : 0;
  if (step.towards === 'printed') return plusMs(closesAt, late);
  return plusMs(dropAt, late + (step.towards === 'delivered' ? deliveryDays * dayMs : 0));
}

/** Returns when the next step of a letter on a test clock is taken; null when none is. */
export function nextStepAt(job: Planned): Date | null {
  const times = itemStepsOf(job).map(({ step }) => plannedAt(step, job).getTime());
  return times.length === 0 ? null : new Date(Math.min(...times));
}

/** Moves of the copies of a job, in this order, and the copies that come back. */
export type SandboxSteps = {
  moves: { from: MailStatus; itemIds: string[]; target: MailStatus; failure?: Failure }[];
  returns: { itemId: string; reason: ReturnReason }[];
};

/**
 * Returns the automatic steps of all copies of a job, with `until` only those that are due by then on its test clock.
 * Copies fail before others move, because that reports nothing.
 */
export function planSandboxSteps(job: Planned & Pick<MailJobRecord, 'status'>, until?: Date): SandboxSteps {
  const { status: from } = job;
  const moves = new Map<string, SandboxSteps['moves'][number]>();
  const returns: SandboxSteps['returns'] = [];
  for (const { itemId, step } of itemStepsOf(job)) {
    if (until && plannedAt(step, job) > until) continue;
    if ('returns' in step) returns.push({ itemId, reason: step.returns.reason });
    else {
      const { to: target, failure } = step;
      const key = failure ? failure.code : target;
      const move = moves.get(key) ?? { from, itemIds: [], target, ...(failure && { failure }) };
      moves.set(key, { ...move, itemIds: [...move.itemIds, itemId] });
    }
  }
  const order = (move: { failure?: Failure }) => (move.failure ? 0 : 1);
  return { moves: [...moves.values()].sort((left, right) => order(left) - order(right)), returns };
}
