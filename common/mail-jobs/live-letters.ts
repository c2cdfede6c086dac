import type { CursorCodec } from '../cursor.ts';
import { AppError } from '../errors.ts';
import { type Page, readPage } from '../platform/read-page.ts';
import type { MailStatus } from './lifecycle.ts';
import { liveWaitingIndex, MailJob, type MailJobRecord, waitingStatuses } from './mail-job.model.ts';

export type WaitingStatus = (typeof waitingStatuses)[number];

/** A live letter as the operator sees it: what is to be done with it, and nobody's address. */
export type LiveLetter = Pick<
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

/** The live letters of all organizations that are on their way, newest first; of one status, or of all three. */
export async function listLiveLetters(
  { status, limit, cursor }: { status?: WaitingStatus | undefined; limit: number; cursor: string | undefined },
  cursors: CursorCodec,
): Promise<Page<LiveLetter>> {
  return await readPage<LiveLetter>({
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

/** A live letter of whatever organization and status. Throws NOT_FOUND, for a sandbox one too. */
export async function readLiveLetter(mailJobId: string): Promise<LiveLetter> {
  const letter = await MailJob.findOne({ _id: mailJobId, mode: 'live' }, projection)
    .hint({ _id: 1 })
    .lean<LiveLetter>();
  if (!letter) throw new AppError('NOT_FOUND');
  return letter;
}

/** How many live letters wait in a status; `limit` when there are more. */
export async function countLiveLetters(status: MailStatus, limit: number): Promise<number> {
  return await MailJob.countDocuments({ mode: 'live', status }).hint(liveWaitingIndex).limit(limit);
}
