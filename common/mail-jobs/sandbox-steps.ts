import { plusMs } from '../clock.ts';
import { type Due, newDue } from '../platform/due-work.ts';
import type { MailStatus } from './lifecycle.ts';
import type { MailJobRecord } from './mail-job.model.ts';

/** How fast sandbox jobs live; both in seconds. */
export type SandboxTimes = {
  /** Between two steps. */
  stepDelayS: number;
  /** After a manual `simulate`, so that a test is not overtaken by the clock. */
  pauseS: number;
};

/** Whether a job, left alone, goes on from a status: only a registered letter is reported as delivered. */
function hasNextStep({ mode, serviceType }: Pick<MailJobRecord, 'mode' | 'serviceType'>, status: MailStatus): boolean {
  if (mode !== 'test') return false;
  return status === 'queued' || status === 'printed' || (status === 'posted' && serviceType === 'registered');
}

/** The automatic step that follows a status reached at `at`; null when the job rests there. */
export function nextSandboxStep(job: MailJobRecord, status: MailStatus, at: Date, delayS: number): Due | null {
  return hasNextStep(job, status) ? newDue(plusMs(at, delayS * 1_000)) : null;
}

/** The first step, planned when the print file is ready: a delay after creation, or now if that has passed. */
export function firstSandboxStep(job: MailJobRecord, now: Date, { stepDelayS }: SandboxTimes): Due | null {
  if (!hasNextStep(job, 'queued')) return null;
  const planned = plusMs(job.createdAt, stepDelayS * 1_000);
  return newDue(planned > now ? planned : now);
}
