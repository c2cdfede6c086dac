import type { CursorCodec } from '#common/cursor.ts';
import { notFound } from '#common/errors.ts';
import { type Page, type PageQuery, readPage } from '#common/platform/mongo/read-page.ts';
import { liveWaitingIndex, MailJob, type MailJobRecord, waitingStatuses } from '../model/mail-job.model.ts';
import type { MailStatus } from '../model/mail-status.ts';

export type WaitingStatus = (typeof waitingStatuses)[number];

const projection = {
  organizationId: 1,
  status: 1,
  zone: 1,
  serviceType: 1,
  pages: 1,
  color: 1,
  doubleSided: 1,
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

/** A live mail job as the operator sees it. Privacy: contains no address. */
export type LiveMailJob = Pick<MailJobRecord, '_id' | Extract<keyof typeof projection, keyof MailJobRecord>> & {
  amounts: Pick<MailJobRecord['amounts'], 'recipientCount' | 'totalCents'>;
  printFile: { pageCount: number; renderedAt: Date } | null;
};

/** Lists the live mail jobs of all organizations that are not final, newest first. Filters by `status` if given. */
export async function listLiveMailJobs(
  { status, ...page }: PageQuery & { status: WaitingStatus | undefined },
  cursors: CursorCodec,
): Promise<Page<LiveMailJob>> {
  const filter = { mode: 'live', status: status ?? { $in: [...waitingStatuses] } } as never;
  const list = { model: MailJob as never, filter, hint: liveWaitingIndex, projection };
  return await readPage<LiveMailJob>({ ...list, scope: { route: 'live-letters', status } }, page, cursors);
}

/** Returns a live mail job of any organization and status. Throws NOT_FOUND, also for a sandbox job. */
export async function readLiveMailJob(mailJobId: string): Promise<LiveMailJob> {
  return await MailJob.findOne({ _id: mailJobId, mode: 'live' }, projection)
    .hint({ _id: 1 })
    .orFail(notFound)
    .lean<LiveMailJob>();
}

/** Returns the number of live mail jobs in a status, at most `limit`. */
export async function countLiveMailJobs(status: MailStatus, limit: number): Promise<number> {
  return await MailJob.countDocuments({ mode: 'live', status }).hint(liveWaitingIndex).limit(limit);
}
