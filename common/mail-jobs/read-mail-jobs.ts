import type { CursorCodec } from '../cursor.ts';
import { AppError } from '../errors.ts';
import type { Owner } from '../modes.ts';
import { type Page, readPage } from '../platform/read-page.ts';
import type { MailStatus } from './lifecycle.ts';
import { MailJob, type MailJobRecord } from './mail-job.model.ts';
import type { SummaryRecord } from './mail-job.view.ts';

/** A job of this owner. Throws NOT_FOUND for every other one. */
export async function readMailJob({ organizationId, mode }: Owner, mailJobId: string): Promise<MailJobRecord> {
  const job = await MailJob.findOne({ _id: mailJobId, organizationId, mode }).lean<MailJobRecord>();
  if (!job) throw new AppError('NOT_FOUND');
  return job;
}

export type MailFilter = {
  status?: MailStatus | undefined;
  externalId?: string | undefined;
  limit: number;
  cursor?: string | undefined;
};

/** What a summary shows; a job's recipients and files may be a hundred times as much. */
const summaryProjection = {
  externalId: 1,
  status: 1,
  mode: 1,
  zone: 1,
  serviceType: 1,
  pages: 1,
  color: 1,
  acknowledgmentReceipt: 1,
  'amounts.currency': 1,
  'amounts.totalCents': 1,
  'amounts.recipientCount': 1,
  scheduledDropAt: 1,
  dropAt: 1,
  createdAt: 1,
  updatedAt: 1,
} as const;

/** An owner's jobs, newest first. */
export async function listMailJobs(
  { organizationId, mode }: Owner,
  { limit, cursor, ...wanted }: MailFilter,
  cursors: CursorCodec,
): Promise<Page<SummaryRecord>> {
  const filters = Object.fromEntries(Object.entries(wanted).filter(([, value]) => value !== undefined));
  return await readPage<SummaryRecord>({
    model: MailJob as never,
    filter: { organizationId, mode, ...filters },
    projection: summaryProjection,
    scope: { route: 'mails', organizationId, mode, ...filters },
    cursors,
    cursor,
    limit,
  });
}
