import { randomBytes } from 'node:crypto';
import { newId, newIdAt } from '#common/ids.ts';
import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import type { MailStatus } from '#common/mail-jobs/model/mail-status.ts';
import { metadataFields } from '#common/mail-jobs/model/metadata.schema.ts';
import type { Owner } from '#common/modes.ts';
import { inParallel } from '#common/platform/concurrency/in-parallel.ts';

export type StoredJobsPlan = {
  /** Letters accepted by the API. Every stored copy has the shape of one of them. */
  templates: readonly MailJobRecord[];
  count: number;
  /** The first owns nine jobs of ten. The others share the rest. */
  owners: readonly Owner[];
  /** Creation time of the newest job. The oldest is a year older. */
  endsAt: Date;
  report(stored: number): void;
};

const batchSize = 5_000;
const lanes = 2;
const spanMs = 365 * 24 * 60 * 60 * 1000;
const hourMs = 60 * 60 * 1000;

/** Stores a year of letters, oldest first. Builds the indexes afterwards, which is many times faster. */
export async function storeJobs(plan: StoredJobsPlan): Promise<void> {
  const { count, report } = plan;
  await MailJob.collection.dropIndexes();
  const starts = Array.from({ length: Math.ceil(count / batchSize) }, (_, batch) => batch * batchSize);
  let stored = 0;
  const store = async (from: number) => {
    const length = Math.min(batchSize, count - from);
    const jobs = Array.from({ length }, (_, index) => copyJob(plan, from + index));
    await MailJob.collection.insertMany(jobs as never, { ordered: false, writeConcern: { w: 1, journal: false } });
    stored += length;
    report(stored);
  };
  await inParallel(starts, store, lanes);
  // One command for all indexes scans the collection once.
  await MailJob.collection.createIndexes(
    MailJob.schema.indexes().map(([key, options]) => ({ ...options, key })) as never,
  );
}

function copyJob({ templates, count, owners, endsAt }: StoredJobsPlan, index: number): MailJobRecord {
  const template = templates[index % templates.length];
  const owner = index % 10 === 0 ? owners[1 + ((index / 10) % (owners.length - 1))] : owners[0];
  if (!template || !owner) throw new Error('The plan names no template or no owner.');
  const ageMs = spanMs * (1 - (index + 1) / count);
  const at = (laterMs: number) => new Date(endsAt.getTime() - ageMs + laterMs);
  const status = statusAt(index, ageMs, template);
  const when = (wanted: MailStatus, laterMs: number) =>
    hasReached(status, wanted) ? at(Math.min(laterMs, ageMs)) : null;
  const moments = {
    queuedAt: at(0),
    printedAt: when('printed', hourMs),
    postedAt: when('posted', 5 * hourMs),
    deliveredAt: when('delivered', 48 * hourMs),
    failedAt: status === 'failed' ? at(Math.min(hourMs, ageMs)) : null,
  };
  const latest = Object.values(moments).reduce<Date>(
    (last, moment) => (moment && moment > last ? moment : last),
    at(0),
  );
  const { externalId: _, ...rest } = template;
  return {
    ...rest,
    ...owner,
    _id: newIdAt('mj', at(0)),
    // Seven of ten have an external id.
    ...(index % 10 < 7 && { externalId: externalIdOf(index) }),
    // Three of ten have metadata.
    ...(index % 10 < 3 && metadataFields({ customer: customerOf(index) })),
    requestHash: randomBytes(32).toString('hex'),
    status,
    items: template.items.map((item, n) => ({ ...item, itemId: newId('mi'), name: `Client ${index}-${n}`, status })),
    refundedCents: status === 'failed' ? template.amounts.totalCents : 0,
    failure: status === 'failed' ? { code: 'FILE_UNREADABLE', message: 'A file could not be read.' } : null,
    printFile: status === 'queued' || status === 'failed' ? null : printFileOf(template, at(hourMs / 2)),
    dropAt: at(5 * hourMs),
    closesAt: at(3.5 * hourMs),
    due: {},
    ...moments,
    createdAt: at(0),
    updatedAt: latest,
  };
}

/** Returns the external id of the job with this index, for jobs that have one. */
export function externalIdOf(index: number): string {
  return `invoice-${index}`;
}

/** Returns the metadata value `customer` of the job with this index. Of a million jobs, fifty share a value. */
export function customerOf(index: number): string {
  return `c-${index % 20_000}`;
}

/** One of a hundred has failed. The others have the status that their age allows. */
function statusAt(index: number, ageMs: number, { serviceType }: MailJobRecord): MailStatus {
  if (index % 100 === 99) return 'failed';
  if (serviceType === 'registered' && ageMs > 48 * hourMs) return 'delivered';
  if (ageMs > 5 * hourMs) return 'posted';
  return ageMs > hourMs ? 'printed' : 'queued';
}

const order: readonly MailStatus[] = ['queued', 'printed', 'posted', 'delivered'];

function hasReached(status: MailStatus, wanted: MailStatus): boolean {
  return order.indexOf(status) >= order.indexOf(wanted);
}

const addressed = { scheme: 'window-left', placement: 'page' } as const;

function printFileOf({ pages }: MailJobRecord, renderedAt: Date) {
  const hash = randomBytes(32).toString('hex');
  return {
    s3Key: `p/${hash.slice(0, 32)}.pdf`,
    sha256: hash,
    sizeBytes: 40_000,
    pageCount: pages,
    renderedAt,
    ...addressed,
  };
}
