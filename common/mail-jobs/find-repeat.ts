import { AppError } from '../errors.ts';
import type { Owner } from '../modes.ts';
import { findRow, rowsOf } from '../platform/mongo.ts';
import type { Transaction } from '../platform/transaction.ts';
import { MailJob, type MailJobRecord } from './mail-job.model.ts';
import type { CreatedMailJob, MailOrder } from './mail-order.ts';
import { hashMailRequest } from './request-hash.ts';

const keyFields = ['externalId', 'idempotencyKey'] as const;
type KeyField = (typeof keyFields)[number];

/** The id under which a request may be repeated: its externalId, or, without one, its Idempotency-Key. */
function repeatKeyOf({ request, idempotencyKey }: MailOrder): { field: KeyField; value: string } | null {
  if (request.externalId != null) return { field: 'externalId', value: request.externalId };
  return idempotencyKey === null ? null : { field: 'idempotencyKey', value: idempotencyKey };
}

/** The earlier job of a request that was sent before; null for a new one. Throws IDEMPOTENCY_MISMATCH. */
export async function findRepeat(order: MailOrder): Promise<CreatedMailJob | null> {
  const key = repeatKeyOf(order);
  if (!key) return null;
  const { organizationId, mode } = order.owner;
  // Only what no failover can take back: the caller will not send it again.
  const filter = { organizationId, mode, [key.field]: key.value };
  const job = await findRow<MailJobRecord>(MailJob, filter, { readConcern: { level: 'majority' } });
  const repeat = job && toRepeat(order, job);
  if (repeat instanceof AppError) throw repeat;
  return repeat;
}

/**
 * The answer to a request whose job is there already. An externalId keeps its job whatever the payload; an
 * Idempotency-Key with another body is an IDEMPOTENCY_MISMATCH.
 */
function toRepeat({ request }: MailOrder, job: MailJobRecord): CreatedMailJob | AppError {
  const payloadMatches = job.requestHash === hashMailRequest(request);
  if (request.externalId == null && !payloadMatches) return new AppError('IDEMPOTENCY_MISMATCH');
  return { job, isNew: false, payloadMatches };
}

/** The jobs that requests of one transaction may turn out to repeat: those stored, and those it is about to store. */
export type EarlierJobs = {
  /** As `findRepeat`, but returns the IDEMPOTENCY_MISMATCH. */
  find(order: MailOrder): CreatedMailJob | AppError | null;
  add(order: MailOrder, job: MailJobRecord): void;
};

/** Finds, in one read, the stored jobs of all these requests as the transaction sees them. */
export async function findEarlierJobs(transaction: Transaction, orders: readonly MailOrder[]): Promise<EarlierJobs> {
  const found = new Map<string, MailJobRecord>();
  const filters = toFilters(orders);
  if (filters.length > 0) {
    const jobs = rowsOf<MailJobRecord>(MailJob).find({ $or: filters }, { session: transaction });
    for await (const job of jobs) {
      for (const field of keyFields) if (job[field] !== undefined) found.set(nameOf(job, field, job[field]), job);
    }
  }
  const nameOfOrder = (order: MailOrder) => {
    const key = repeatKeyOf(order);
    return key && nameOf(order.owner, key.field, key.value);
  };

  return {
    find(order) {
      const job = found.get(nameOfOrder(order) ?? '');
      return job ? toRepeat(order, job) : null;
    },
    add(order, job) {
      const name = nameOfOrder(order);
      if (name !== null) found.set(name, job);
    },
  };
}

/** One for each owner and kind of key, so that the database looks into its indexes once for many. */
function toFilters(orders: readonly MailOrder[]) {
  const keyed = orders.flatMap((order) => {
    const { organizationId, mode } = order.owner;
    const key = repeatKeyOf(order);
    return key ? [{ organizationId, mode, ...key }] : [];
  });
  const groups = Map.groupBy(keyed, ({ organizationId, mode, field }) => `${organizationId} ${mode} ${field}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const { organizationId, mode, field } = first;
    return [{ organizationId, mode, [field]: { $in: group.map(({ value }) => value) } }];
  });
}

const nameOf = ({ organizationId, mode }: Owner, field: KeyField, value: string) =>
  `${organizationId} ${mode} ${field} ${value}`;
