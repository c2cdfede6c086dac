import { plusMs } from '#common/clock.ts';
import type { Due } from '#common/platform/due-work/due.schema.ts';
import { newDue } from '#common/platform/due-work/due-work.ts';
import type { MailStatus } from '../model/lifecycle.ts';
import type { MailJobRecord } from '../model/mail-job.model.ts';

/** Delays of sandbox jobs, in seconds. */
export type SandboxTimes = {
  /** Delay between two automatic steps. */
  stepDelayS: number;
  /** Delay of the automatic steps after a manual `simulate`. They must not interfere with a customer's test. */
  pauseS: number;
};

/** Returns whether a job leaves a status automatically. Only a registered letter is reported as delivered. */
function hasNextStep({ mode, serviceType }: Pick<MailJobRecord, 'mode' | 'serviceType'>, status: MailStatus): boolean {
  if (mode !== 'test') return false;
  return status === 'queued' || status === 'printed' || (status === 'posted' && serviceType === 'registered');
}

/** Returns the automatic step after a status reached at `at`; null when there is none. */
export function nextSandboxStep(job: MailJobRecord, status: MailStatus, at: Date, delayS: number): Due | null {
  return hasNextStep(job, status) ? newDue(plusMs(at, delayS * 1_000)) : null;
}

/**
 * Returns the first automatic step, scheduled when the print file is ready: a delay after creation, or now if later.
 */
export function firstSandboxStep(job: MailJobRecord, now: Date, { stepDelayS }: SandboxTimes): Due | null {
  if (!hasNextStep(job, 'queued')) return null;
  const planned = plusMs(job.createdAt, stepDelayS * 1_000);
  return newDue(planned > now ? planned : now);
}
