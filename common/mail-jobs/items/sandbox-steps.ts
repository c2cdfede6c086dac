import { plusMs } from '#common/clock.ts';
import type { Due } from '#common/platform/due-work/due.schema.ts';
import { newDue } from '#common/platform/due-work/due-work.ts';
import type { MailJobRecord } from '../model/mail-job.model.ts';
import { itemStepsOf, type Stepped, slowness } from '../sandbox/item-steps.ts';

/** Delays of sandbox jobs, in seconds. */
export type SandboxTimes = {
  /** Delay between two automatic steps. */
  stepDelayS: number;
  /** Delay of the automatic steps after a manual `simulate`. They must not interfere with a customer's test. */
  pauseS: number;
};

type WallClocked = Stepped & Pick<MailJobRecord, 'clock'>;

/**
 * Returns the delay before the next steps of the copies in ms. Null when there is none, or when the letter goes by a test
 * clock. A letter goes as its slowest copy.
 */
function delayMs(job: WallClocked, delayS: number): number | null {
  const steps = job.clock ? [] : itemStepsOf(job);
  if (steps.length === 0) return null;
  return delayS * 1_000 * (steps.some(({ step }) => step.isSlow) ? slowness : 1);
}

/** Returns the automatic steps after a change of a job at `at`; null when there are none. */
export function nextSandboxStep(job: WallClocked, at: Date, delayS: number): Due | null {
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
