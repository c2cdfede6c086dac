import type { CursorCodec, CursorScope } from '#common/cursor.ts';
import { AppError } from '#common/errors.ts';
import { firstIdAt } from '#common/ids.ts';
import { modes, type Owner } from '#common/modes.ts';
import { findRow } from '#common/platform/mongo/mongo.ts';
import { type Page, readPage } from '#common/platform/mongo/read-page.ts';
import type { MailFilter } from '../model/mail-filter.schema.ts';
import { MailJob, type MailJobRecord } from '../model/mail-job.model.ts';
import type { SummaryRecord } from '../model/mail-job.view.ts';
import { tagOf } from '../model/metadata.schema.ts';
import { planMailList } from './plan-mail-list.ts';

/** Returns a job of this owner. Throws NOT_FOUND for any other job. */
export async function readMailJob({ organizationId, mode }: Owner, mailJobId: string): Promise<MailJobRecord> {
  // The hint saves query planning: the server would compare all indexes that begin with the owner, on each read.
  const job = await findRow<MailJobRecord>(MailJob, { _id: mailJobId, organizationId, mode }, { hint: { _id: 1 } });
  if (!job) throw new AppError('NOT_FOUND');
  return job;
}

/** Returns a job of this organization in test or live mode, for pages opened by a link. Throws NOT_FOUND. */
export async function readMailJobInAnyMode(organizationId: string, mailJobId: string): Promise<MailJobRecord> {
  const filter = { _id: mailJobId, organizationId, mode: { $in: [...modes] } };
  const job = await MailJob.findOne(filter).hint({ _id: 1 }).lean<MailJobRecord>();
  if (!job) throw new AppError('NOT_FOUND');
  return job;
}

/** The fields of a summary. Recipients and files may be a hundred times as large. */
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
  metadata: 1,
  createdAt: 1,
  updatedAt: 1,
} as const;

/** Lists the jobs of an owner that match the whole filter, newest first. */
export async function listMailJobs(
  { organizationId, mode }: Owner,
  { limit, cursor, ...filter }: MailFilter & { limit: number; cursor?: string | undefined },
  cursors: CursorCodec,
): Promise<Page<SummaryRecord>> {
  const { createdAfter, createdBefore } = filter;
  const { conditions, hint } = await planMailList({ organizationId, mode }, filter);
  return await readPage<SummaryRecord>({
    model: MailJob as never,
    filter: { organizationId, mode, ...conditions },
    ...(hint && { hint }),
    ids: {
      from: createdAfter && firstIdAt('mj', createdAfter),
      below: createdBefore && firstIdAt('mj', createdBefore),
    },
    projection: summaryProjection,
    scope: { route: 'mails', organizationId, mode, ...toScope(filter) },
    cursors,
    cursor,
    limit,
  });
}

/** Returns the filter in canonical form: a cursor is valid only for the same filter, in any notation. */
function toScope({ metadata, ...filter }: MailFilter): CursorScope {
  const plain = Object.entries(filter).map(([name, value]) => [
    name,
    value instanceof Date ? value.toISOString() : value,
  ]);
  const tags = metadata && Object.entries(metadata).map(tagOf).sort().join();
  return { ...Object.fromEntries(plain), tags };
}
