import type { CursorCodec } from '#common/cursor.ts';
import { AppError } from '#common/errors.ts';
import { type Page, readPage } from '#common/platform/mongo/read-page.ts';
import type { MailStatus } from '../model/lifecycle.ts';
import { liveWaitingIndex, MailJob, type MailJobRecord, waitingStatuses } from '../model/mail-job.model.ts';

export type WaitingStatus = (typeof waitingStatuses)[number];

/** A live mail job as the operator sees it. Privacy: contains no address. */
export type LiveMailJob = Pick<
  MailJobRecord,
  | 'organizationId'
  | 'status'
  | 'zone'
  | 'serviceType'
  | 'pages'
  | 'color'
  | 'acknowledgmentReceipt'
  | 'dropAt'
  | 'failure'
  | 'createdAt'
  | 'updatedAt'
> & {
  _id: string;
  amounts: Pick<MailJobRecord['amounts'], 'recipientCount' | 'totalCents'>;
  printFile: { pageCount: number; renderedAt: Date } | null;
};

const projection = {
  organizationId: 1,
  status: 1,
  zone: 1,
  serviceType: 1,
  pages: 1,
  color: 1,
  acknowledgmentReceipt: 1,
  dropAt: 1,
  failure: 1,
  createdAt: 1,
  updatedAt: 1,
  'amounts.recipientCount': 1,
  'amounts.totalCents': 1,
  'printFile.pageCount': 1,
  'printFile.renderedAt': 1,
} as const;

/** Lists the live mail jobs of all organizations that are not final, newest first. Filters by `status` if given. */
export async function listLiveMailJobs(
  { status, limit, cursor }: { status?: WaitingStatus | undefined; limit: number; cursor: string | undefined },
  cursors: CursorCodec,
): Promise<Page<LiveMailJob>> {
  return await readPage<LiveMailJob>({
    model: MailJob as never,
    filter: { mode: 'live', status: status ?? { $in: [...waitingStatuses] } } as never,
    hint: liveWaitingIndex,
    projection,
    scope: { route: 'live-letters', status },
    cursors,
    cursor,
    limit,
  });
}

/** Returns a live mail job of any organization and status. Throws NOT_FOUND, also for a sandbox job. */
export async function readLiveMailJob(mailJobId: string): Promise<LiveMailJob> {
  const job = await MailJob.findOne({ _id: mailJobId, mode: 'live' }, projection).hint({ _id: 1 }).lean<LiveMailJob>();
  if (!job) throw new AppError('NOT_FOUND');
  return job;
}

/** Returns the number of live mail jobs in a status, at most `limit`. */
export async function countLiveMailJobs(status: MailStatus, limit: number): Promise<number> {
  return await MailJob.countDocuments({ mode: 'live', status }).hint(liveWaitingIndex).limit(limit);
}
