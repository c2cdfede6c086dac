import type { CursorCodec, CursorScope } from '../cursor.ts';
import { AppError } from '../errors.ts';
import { firstIdAt } from '../ids.ts';
import { modes, type Owner } from '../modes.ts';
import { findRow } from '../platform/mongo.ts';
import { type Page, readPage } from '../platform/read-page.ts';
import type { MailFilter } from './mail-filter.schema.ts';
import { MailJob, type MailJobRecord } from './mail-job.model.ts';
import type { SummaryRecord } from './mail-job.view.ts';
import { tagOf } from './metadata.schema.ts';
import { planMailList } from './plan-mail-list.ts';

/** A job of this owner. Throws NOT_FOUND for every other one. */
export async function readMailJob({ organizationId, mode }: Owner, mailJobId: string): Promise<MailJobRecord> {
  // The index named, since with the owner beside the id the server would weigh all that begin with an owner, each time.
  const job = await findRow<MailJobRecord>(MailJob, { _id: mailJobId, organizationId, mode }, { hint: { _id: 1 } });
  if (!job) throw new AppError('NOT_FOUND');
  return job;
}

/** A job of this organization, of whichever mode: for people, who open a letter by its link. Throws NOT_FOUND. */
export async function readLetter(organizationId: string, mailJobId: string): Promise<MailJobRecord> {
  const filter = { _id: mailJobId, organizationId, mode: { $in: [...modes] } };
  const job = await MailJob.findOne(filter).hint({ _id: 1 }).lean<MailJobRecord>();
  if (!job) throw new AppError('NOT_FOUND');
  return job;
}

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
  metadata: 1,
  createdAt: 1,
  updatedAt: 1,
} as const;

/** An owner's jobs that fit the whole filter, newest first. */
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

/** What a cursor is bound to: the same filter, however it was written. */
function toScope({ metadata, ...filter }: MailFilter): CursorScope {
  const plain = Object.entries(filter).map(([name, value]) => [
    name,
    value instanceof Date ? value.toISOString() : value,
  ]);
  const tags = metadata && Object.entries(metadata).map(tagOf).sort().join();
  return { ...Object.fromEntries(plain), tags };
}
