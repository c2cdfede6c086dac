import type { CursorCodec, CursorScope } from '#common/cursor.ts';
import { notFound } from '#common/errors.ts';
import { firstIdAt } from '#common/ids.ts';
import { modes, type Owner } from '#common/modes.ts';
import { findRow } from '#common/platform/mongo/mongo.ts';
import { type Page, type PageQuery, readPage } from '#common/platform/mongo/read-page.ts';
import type { MailFilter } from '../model/mail-filter.schema.ts';
import { MailJob, type MailJobRecord } from '../model/mail-job.model.ts';
import { tagOf } from '../model/metadata.schema.ts';
import { type SummaryRecord, summaryProjection } from '../views/mail-job.view.ts';
import { planMailList } from './plan-mail-list.ts';

/** Returns a job of this owner. Throws NOT_FOUND for any other job. */
export async function readMailJob({ organizationId, mode }: Owner, mailJobId: string): Promise<MailJobRecord> {
  // The hint saves query planning: the server would compare all indexes that begin with the owner, on each read.
  const job = await findRow<MailJobRecord>(MailJob, { _id: mailJobId, organizationId, mode }, { hint: { _id: 1 } });
  if (!job) throw notFound();
  return job;
}

/** Returns a job of this organization in test or live mode, for pages opened by a link. Throws NOT_FOUND. */
export async function readMailJobInAnyMode(organizationId: string, mailJobId: string): Promise<MailJobRecord> {
  const filter = { _id: mailJobId, organizationId, mode: { $in: [...modes] } };
  return await MailJob.findOne(filter).hint({ _id: 1 }).orFail(notFound).lean<MailJobRecord>();
}

/** Lists the jobs of an owner that match the whole filter, newest first. */
export async function listMailJobs(
  { organizationId, mode }: Owner,
  { limit, cursor, ...filter }: MailFilter & PageQuery,
  cursors: CursorCodec,
): Promise<Page<SummaryRecord>> {
  const { createdAfter, createdBefore } = filter;
  const { conditions, hint } = await planMailList({ organizationId, mode }, filter);
  const list = {
    model: MailJob as never,
    filter: { organizationId, mode, ...conditions },
    hint,
    ids: {
      from: createdAfter && firstIdAt('mj', createdAfter),
      below: createdBefore && firstIdAt('mj', createdBefore),
    },
    projection: summaryProjection,
    scope: { route: 'mails', organizationId, mode, ...toScope(filter) },
  };
  return await readPage<SummaryRecord>(list, { limit, cursor }, cursors);
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
