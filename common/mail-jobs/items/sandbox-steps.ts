import { plusMs } from '#common/clock.ts';
import type { Due } from '#common/platform/due-work/due.schema.ts';
import { newDue } from '#common/platform/due-work/due-work.ts';
import type { Failure } from '../model/failure.ts';
import { type MailStatus, nextStatus } from '../model/lifecycle.ts';
import type { MailItem, MailJobRecord } from '../model/mail-job.model.ts';
import type { ReturnReason } from '../model/returned.ts';
import { outcomeOf } from '../model/sandbox-outcomes.ts';

/** Delays of sandbox jobs, in seconds. */
export type SandboxTimes = {
  /** Delay between two automatic steps. */
  stepDelayS: number;
  /** Delay of the automatic steps after a manual `simulate`. They must not interfere with a customer's test. */
  pauseS: number;
};

/** How much longer the steps of a slow letter take. */
const slowness = 10;

type Stepped = Pick<MailJobRecord, 'mode' | 'serviceType' | 'items'>;

/** The next automatic step of one copy: to a status, or back to its sender. */
type ItemStep = { isSlow: boolean } & ({ to: MailStatus; failure?: Failure } | { reason: ReturnReason });

/** Returns what happens to a copy automatically; null when nothing more does. Only registered ones are delivered. */
function nextStepOf(item: MailItem, { serviceType }: Pick<Stepped, 'serviceType'>): ItemStep | null {
  const { status, returned } = item;
  const { returns, fails, restsAt, slowTo = [] } = outcomeOf(item) ?? {};
  const isRegistered = serviceType === 'registered';
  const returnsAfter = returns?.after === 'delivered' && !isRegistered ? 'posted' : returns?.after;
  if (returns && status === returnsAfter) return returned ? null : { reason: returns.reason, isSlow: false };
  const isLast = status === 'delivered' || status === 'failed' || (status === 'posted' && !isRegistered);
  if (isLast || status === restsAt) return null;
  const to = nextStatus(status);
  if (fails?.insteadOf === to) return { to: 'failed', failure: fails.failure, isSlow: false };
  return { to, isSlow: slowTo.includes(to) };
}

function stepsOf(job: Stepped): { itemId: string; step: ItemStep }[] {
  if (job.mode !== 'test') return [];
  return job.items.flatMap((item) => {
    const step = nextStepOf(item, job);
    return step ? [{ itemId: item.itemId, step }] : [];
  });
}

/** Returns the delay before the next steps of the copies in ms; null when there is none. A letter goes as its slowest copy. */
function delayMs(job: Stepped, delayS: number): number | null {
  const steps = stepsOf(job);
  if (steps.length === 0) return null;
  return delayS * 1_000 * (steps.some(({ step }) => step.isSlow) ? slowness : 1);
}

/** Returns the automatic steps after a change of a job at `at`; null when there are none. */
export function nextSandboxStep(job: Stepped, at: Date, delayS: number): Due | null {
  const ms = delayMs(job, delayS);
  return ms === null ? null : newDue(plusMs(at, ms));
}

/**
 * Returns the first automatic step, scheduled when the print file is ready: a delay after creation, or now if later.
 */
export function firstSandboxStep(job: MailJobRecord, now: Date, { stepDelayS }: SandboxTimes): Due | null {
  const ms = delayMs(job, stepDelayS);
  if (ms === null) return null;
  const planned = plusMs(job.createdAt, ms);
  return newDue(planned > now ? planned : now);
}

/** Moves of the copies of a job, in this order, and the copies that come back. */
export type SandboxSteps = {
  moves: { from: MailStatus; itemIds: string[]; target: MailStatus; failure?: Failure }[];
  returns: { itemId: string; reason: ReturnReason }[];
};

/** Returns the automatic steps of all copies of a job. Copies fail before others move, because that reports nothing. */
export function planSandboxSteps(job: Stepped & Pick<MailJobRecord, 'status'>): SandboxSteps {
  const { status: from } = job;
  const moves = new Map<string, SandboxSteps['moves'][number]>();
  const returns: SandboxSteps['returns'] = [];
  for (const { itemId, step } of stepsOf(job)) {
    if ('reason' in step) returns.push({ itemId, reason: step.reason });
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
