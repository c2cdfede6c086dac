import { groupsOf, readJobId, readName, readNumber } from './answer-attributes.ts';
import { askPrinter, type PrinterAccess, requireSuccess } from './ask-printer.ts';
import { attribute, groupTags } from './encode-request.ts';
import { type JobState, toJobState } from './job-state.ts';
import { PrinterRefusedError } from './printer-errors.ts';
import { allJobs } from './printer-state.ts';

/** A job that the printer knows. */
export type FoundJob = { jobId: number; state: JobState };

/** An answer with so many jobs has some 100 kB, far below the limit of 1 MiB. */
const defaultPageSize = 500;
const maxPages = 2_000;

/**
 * Returns the jobs of this user that have one of these names, by name; names without a job are not in the map. Throws
 * `PrinterBusyError` or `PrinterRefusedError` when it has not seen every job: never an incomplete result.
 *
 * Reads the jobs in all states page by page, by ascending id (`which-jobs` = `all` with `first-job-id`, both of cupsd).
 * A job keeps its id when its state changes between two pages. cupsd lists the completed jobs by time of completion and
 * the others by priority. Pages of those two lists could miss a job.
 *
 * A name that is not found does not prove that nothing was printed:
 * - cupsd may still have to read the request, for example after it was suspended.
 * - When cupsd is killed, it loses the jobs since its last save, also printed ones (DirtyCleanInterval, 30 s by default).
 * - cupsd forgets finished jobs when it has MaxJobs of them, or at once with PreserveJobHistory off.
 */
export async function findJobs(
  access: PrinterAccess,
  names: ReadonlySet<string>,
  pageSize = defaultPageSize,
): Promise<Map<string, FoundJob[]>> {
  const found = new Map<string, FoundJob[]>();
  let firstId = 1;
  for (let page = 0; page < maxPages; page += 1) {
    const jobs = await readPage(access, firstId, pageSize);
    // A server may have a lower limit than ours, so that only an empty page is the last one.
    if (jobs.length === 0) return found;
    for (const { name, jobId, state } of jobs) {
      if (jobId < firstId) throw new PrinterRefusedError('The printer does not list jobs by ascending id');
      firstId = jobId + 1;
      if (!names.has(name)) continue;
      const same = found.get(name);
      if (same) same.push({ jobId, state });
      else found.set(name, [{ jobId, state }]);
    }
    // Ids are 31 bits long.
    if (firstId >= 2 ** 31) return found;
  }
  throw new PrinterRefusedError(`The printer has more jobs than ${maxPages} pages can list`);
}

async function readPage(
  access: PrinterAccess,
  firstId: number,
  pageSize: number,
): Promise<(FoundJob & { name: string })[]> {
  const operation = 'Get-Jobs';
  const attributes = [
    attribute('limit', 'integer', pageSize),
    attribute('first-job-id', 'integer', firstId),
    // cupsd tells the name of a job only if it has its attributes in memory. Asking for the priority makes it load them.
    attribute('requested-attributes', 'keyword', 'job-id', 'job-name', 'job-state', 'job-priority'),
    attribute('which-jobs', 'keyword', allJobs),
    attribute('my-jobs', 'boolean', true),
  ];
  return await askPrinter(access, { operation, attributes }, (answer) => {
    requireSuccess(operation, answer);
    return groupsOf(answer, groupTags.job).map((group) => {
      const name = readName(group, 'job-name');
      if (name === undefined) {
        throw new PrinterRefusedError('The printer hides the names of jobs: see JobPrivateValues in cupsd.conf');
      }
      return { name, jobId: readJobId(group), state: toJobState(readNumber(group, 'job-state')) };
    });
  });
}
