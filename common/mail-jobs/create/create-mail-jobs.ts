import { AppError } from '#common/errors.ts';
import { renderWork } from '../model/mail-job.model.ts';
import type { CreatedMailJob, Hashed, ReadySendRequest } from '../model/send-request.ts';
import { checkSendRequest } from './check-send-request.ts';
import { type CreateDeps, withHashes } from './create-mail-job.ts';
import { findEarlierJobs } from './find-repeat.ts';
import { newMailJob } from './new-mail-job.ts';
import type { CommitGuard, CommittedMailJob } from './write-mail-jobs.ts';

/**
 * Creates mail jobs like `createMailJob`, many at once: repeats are found with one query, and the sends share queries and
 * transactions. Each has its own outcome, in order: a job, a repeat, or the error that refused it. At most 1,000 sends.
 * `guard` is written in the transactions of new jobs. Throws any error that is no AppError; some jobs may exist then, and
 * calling it again finds them by their keys.
 */
export async function createMailJobs(
  given: readonly ReadySendRequest[],
  deps: CreateDeps,
  { guard, at }: { guard?: CommitGuard; at: Date },
): Promise<(CreatedMailJob | AppError)[]> {
  const sendRequests = given.map((sendRequest) => withHashes(sendRequest, deps));
  const earlier = await findEarlierJobs(null, sendRequests);
  const eventIds: string[] = [];
  const createOne = async (sendRequest: ReadySendRequest & Hashed): Promise<CreatedMailJob | AppError> => {
    const repeat = earlier.find(sendRequest);
    if (repeat) return repeat;
    const checked = await checkSendRequest(sendRequest, deps, at);
    const job = newMailJob(sendRequest, checked, at);
    const { uploads } = checked.uploads;
    const committed: CommittedMailJob = await deps.mailCommitter.commit({ job, uploads, sendRequest, guard });
    if (committed.eventId !== null) eventIds.push(committed.eventId);
    return committed.created;
  };
  const settled = await Promise.allSettled(sendRequests.map(createOne));
  const outcomes = settled.map((each) => (each.status === 'fulfilled' ? each.value : toRefusal(each.reason)));
  // Hints are sent after the commits and may be lost: the scanner finds the work in the database within two seconds.
  if (eventIds.length > 0) deps.hints.notify('fan-out', eventIds);
  const created = outcomes.flatMap((each) => ('job' in each && each.isNew ? [each.job._id] : []));
  if (created.length > 0) deps.hints.notify(renderWork.queue, created);

  return outcomes.map((each) => {
    if ('job' in each || each instanceof AppError) return each;
    throw each.error;
  });
}

function toRefusal(error: unknown): AppError | { error: unknown } {
  return error instanceof AppError ? error : { error };
}
