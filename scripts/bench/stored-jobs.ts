import { randomBytes } from 'node:crypto';
import { TypeID } from 'typeid-js';
import { newId } from '../../common/ids.ts';
import type { MailStatus } from '../../common/mail-jobs/lifecycle.ts';
import { MailJob, type MailJobRecord } from '../../common/mail-jobs/mail-job.model.ts';
import type { Owner } from '../../common/modes.ts';

export type StoredJobsPlan = {
  /** Letters that the API itself has taken: every copy has the shape of one of them. */
  templates: readonly MailJobRecord[];
  count: number;
  /** The first has nine jobs of ten, the others share the rest. */
  owners: readonly Owner[];
  /** The newest is this old; the oldest a year. */
  endsAt: Date;
  report(stored: number): void;
};

const batchSize = 5_000;
const lanes = 2;
const spanMs = 365 * 24 * 60 * 60 * 1000;
const hourMs = 60 * 60 * 1000;

/** Stores letters as a year of use leaves them, oldest first, and builds the indexes afterwards: many times faster. */
export async function storeJobs(plan: StoredJobsPlan): Promise<void> {
  const { count, report } = plan;
  await MailJob.collection.dropIndexes();
  let begun = 0;
  let stored = 0;
  const lane = async (): Promise<void> => {
    while (begun < count) {
      const from = begun;
      begun = Math.min(from + batchSize, count);
      const jobs = Array.from({ length: begun - from }, (_, index) => copyJob(plan, from + index));
      await MailJob.collection.insertMany(jobs as never, { ordered: false, writeConcern: { w: 1, journal: false } });
      stored += jobs.length;
      report(stored);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  await MailJob.createIndexes();
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
    _id: idAt('mj', at(0)),
    // Seven callers of ten name their own id.
    ...(index % 10 < 7 && { externalId: externalIdOf(index) }),
    requestHash: randomBytes(32).toString('hex'),
    status,
    items: template.items.map((item, n) => ({ ...item, itemId: newId('mi'), name: `Client ${index}-${n}`, status })),
    refundedCents: status === 'failed' ? template.amounts.totalCents : 0,
    failure: status === 'failed' ? { code: 'FILE_UNREADABLE', message: 'A file could not be read.' } : null,
    printFile: status === 'queued' || status === 'failed' ? null : printFileOf(template, at(hourMs / 2)),
    dropAt: at(5 * hourMs),
    // Whatever was due has been done.
    due: {},
    ...moments,
    createdAt: at(0),
    updatedAt: latest,
  };
}

/** The caller's own id of the job with this index, where it has one. */
export function externalIdOf(index: number): string {
  return `invoice-${index}`;
}

/** One of a hundred has failed; the rest has come as far as its age lets it. */
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

function printFileOf({ pages }: MailJobRecord, renderedAt: Date) {
  const hash = randomBytes(32).toString('hex');
  return { s3Key: `p/${hash.slice(0, 32)}.pdf`, sha256: hash, sizeBytes: 40_000, pageCount: pages, renderedAt };
}

/** An id as it would have been made at that time: lists go by it. */
function idAt(prefix: 'mj', at: Date): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(at.getTime(), 0, 6);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x70, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return TypeID.fromUUIDBytes(prefix, bytes).toString();
}
