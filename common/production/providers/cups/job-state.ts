import { onlyGroupOf, readNumber, readReasons } from './answer-attributes.ts';
import { askPrinter, type PrinterAccess, requireSuccess } from './ask-printer.ts';
import { MalformedAnswerError } from './decode-answer.ts';
import { attribute, groupTags } from './encode-request.ts';
import { isMissing } from './ipp-status.ts';

/**
 * The state of a job. A `waiting` one has not begun, and a `failed` one may have printed some of its pages. `printed` is
 * what cupsd says, which asks the printer in two threads: a job that the printer aborts at once can be reported as
 * completed (2.4.2, backend/ipp.c).
 */
export type JobState = 'waiting' | 'printing' | 'printed' | 'failed';

/** What the printer tells of a job. `gone`: it does not know the job, or not any more. */
export type JobReport = {
  state: JobState | 'gone';
  /** Keywords such as `job-canceled-at-device`, at most 20. */
  reasons: string[];
};

/** job-state (RFC 8011, 5.3.7). cupsd reports a job that the printer aborts as canceled. */
const states = new Map<number, JobState>([
  [3, 'waiting'], // pending
  [4, 'waiting'], // pending-held
  [5, 'printing'], // processing
  [6, 'printing'], // processing-stopped
  [7, 'failed'], // canceled
  [8, 'failed'], // aborted
  [9, 'printed'], // completed
]);

/** Returns the state for a value of `job-state`. Throws `MalformedAnswerError` for values that RFC 8011 does not have. */
export function toJobState(value: number): JobState {
  const state = states.get(value);
  if (!state) throw new MalformedAnswerError('unknown job-state');
  return state;
}

/** Reads the state of a job and the reasons for it. Throws `PrinterBusyError` or `PrinterRefusedError`. */
export async function readJob(access: PrinterAccess, jobId: number): Promise<JobReport> {
  const operation = 'Get-Job-Attributes';
  const attributes = [attribute('requested-attributes', 'keyword', 'job-state', 'job-state-reasons')];
  return await askPrinter(access, { operation, jobId, attributes }, (answer) => {
    if (isMissing(answer.status)) return { state: 'gone', reasons: [] };
    requireSuccess(operation, answer);
    const group = onlyGroupOf(answer, groupTags.job);
    return { state: toJobState(readNumber(group, 'job-state')), reasons: readReasons(group, 'job-state-reasons') };
  });
}
