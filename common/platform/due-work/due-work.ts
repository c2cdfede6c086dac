import { randomUUID } from 'node:crypto';
import mongoose from 'mongoose';
import { plusMs } from '#common/clock.ts';
import { hasLapsed, inMs } from '../mongo/lease.model.ts';
import type { QueueName } from '../redis/queues.ts';
import { type Due, dueIndexKey } from './due.schema.ts';

/** Where one kind of due work is stored (collection, path of its `Due`), and the queue whose workers process it. */
export type DueSlot = {
  readonly collection: string;
  readonly path: string;
  readonly queue: QueueName;
};

/** Proof of a lease, required to renew and to finish. */
export type Claim<Row = DueRow> = {
  slot: DueSlot;
  id: string;
  token: string;
  /** Failures and unfinished claims before this claim. */
  failures: number;
  unfinished: number;
  version: number;
  leaseMs: number;
  row: Row;
};
/** `traceparent`: the trace that work on the row continues. */
export type DueRow = { _id: string; organizationId?: string; traceparent?: string };

/** The work of a dead worker can be claimed again after this time. A live worker renews at a third of it. */
export const leaseMs = 30_000;

/** For claims and renewals. If a failover loses one, the work runs again, which all work allows. */
export const unjournaled = { writeConcern: { w: 1, journal: false } } as const;

export function newDue(at: Date): Due {
  return { at, failures: 0, unfinished: 0, version: 0, hintedAt: null, leaseToken: null, leaseUntil: null };
}

/** For filters by id with further fields: the planner would compare the indexes of those fields each time. */
export const idHint = { hint: { _id: 1 } } as const;

/** Returns a filter for these rows of their organizations, for rows that have one. */
export function isAmong(rows: readonly { _id: string; organizationId?: string | undefined }[]) {
  const owners = new Set(rows.map(({ organizationId }) => organizationId));
  const ids = { _id: { $in: rows.map(({ _id }) => _id) } };
  return owners.has(undefined) ? ids : { ...ids, organizationId: { $in: [...owners] as string[] } };
}

const rows = <Row extends DueRow>({ collection }: DueSlot) => mongoose.connection.collection<Row>(collection);

/** Returns a filter for work that no worker has. */
export const isUnleased = (path: string) => ({ $expr: hasLapsed(`$${path}.leaseUntil`) });

/** Returns a filter for work that is due and not leased. */
export const dueAndUnleased = ({ path }: DueSlot, now: Date) => ({
  [`${path}.at`]: { $lte: now },
  ...isUnleased(path),
});

/**
 * Returns the fields of a `Due` that a claim sets, as aggregation expressions. Ending a claim clears the token, so a token
 * that is still present counts as an unfinished claim.
 */
const claimFields = ({ path }: DueSlot, token: string, ttlMs: number) => ({
  leaseToken: token,
  leaseUntil: inMs(ttlMs),
  unfinished: {
    $add: [{ $ifNull: [`$${path}.unfinished`, 0] }, { $cond: [{ $ifNull: [`$${path}.leaseToken`, false] }, 1, 0] }],
  },
});

/** Returns the update that claims work. */
export const claimUpdate = (slot: DueSlot, token: string, ttlMs: number) => {
  const fields = Object.entries(claimFields(slot, token, ttlMs));
  return [{ $set: Object.fromEntries(fields.map(([field, value]) => [`${slot.path}.${field}`, value])) }];
};

/** Returns the claim on a row that was updated by `claimUpdate`. The row may be as read before or after the update. */
export function toClaim<Row extends DueRow>(slot: DueSlot, row: DueRow, token: string, leaseMs: number): Claim<Row> {
  const { failures = 0, unfinished: counted = 0, version, leaseToken } = readDue(row, slot.path);
  const unfinished = leaseToken && leaseToken !== token ? counted + 1 : counted;
  return { slot, id: row._id, token, failures, unfinished, version, leaseMs, row: row as Row };
}

/** Claims work if it is due and not leased, null otherwise. Of concurrent attempts, one succeeds. */
export async function claimDue<Row extends DueRow>(
  slot: DueSlot,
  id: string,
  now: Date,
  ttlMs = leaseMs,
  onlyIf: object = {},
): Promise<Claim<Row> | null> {
  const token = randomUUID();
  const isDue = { _id: id, ...dueAndUnleased(slot, now), ...onlyIf };
  const options = { returnDocument: 'after', ...idHint, ...unjournaled } as const;
  const row = await rows(slot).findOneAndUpdate(isDue, claimUpdate(slot, token, ttlMs), options);
  return row && toClaim(slot, row as DueRow, token, ttlMs);
}

/** Returns the milliseconds until unleased work falls due, null when it is due, leased or gone. */
export async function readWaitMs(slot: DueSlot, id: string, now: Date): Promise<number | null> {
  const { path } = slot;
  const row = await rows(slot).findOne(
    { _id: id, [`${path}.at`]: { $gt: now }, ...isUnleased(path) },
    { projection: { [path]: 1 }, ...idHint },
  );
  return row && readDue(row, path).at.getTime() - now.getTime();
}

/** Renews the lease. Returns false when it was lost, and the work must stop. */
export async function renewClaim(claim: Claim): Promise<boolean> {
  const until = { [`${claim.slot.path}.leaseUntil`]: inMs(claim.leaseMs) };
  const renewed = await rows(claim.slot).updateOne(heldBy(claim), [{ $set: until }], { ...idHint, ...unjournaled });
  return renewed.matchedCount === 1;
}

/**
 * Applies `set` if the row still matches `onlyIf`, and returns the claim with its current row. Returns null, with nothing
 * set, when the lease was lost.
 */
export async function reloadClaim<Row extends DueRow>(
  claim: Claim<Row>,
  { set = {}, onlyIf = {} }: Omit<Finish, 'nextAt'> = {},
): Promise<Claim<Row> | null> {
  const held = rows(claim.slot);
  const fitting = { ...onlyIf, ...heldBy(claim) };
  const changed =
    Object.keys(set).length > 0 &&
    (await held.findOneAndUpdate(fitting, { $set: set }, { returnDocument: 'after', ...idHint, ...unjournaled }));
  const row = changed || (await held.findOne(heldBy(claim), idHint));
  return row && { ...claim, version: readDue(row, claim.slot.path).version, row: row as unknown as Row };
}

/** The result of finished work: fields to set on its row, and when it falls due again, if ever. */
export type Finish = { set?: Record<string, unknown>; nextAt?: Date | null; onlyIf?: Record<string, unknown> };

/**
 * Finishes the work and releases the lease. Returns false, with nothing changed, when the lease was lost, the work was
 * rescheduled meanwhile, or the row no longer matches `onlyIf`.
 */
export async function finishClaim(claim: Claim, { set = {}, nextAt, onlyIf = {} }: Finish = {}): Promise<boolean> {
  const { path } = claim.slot;
  const done = nextAt
    ? {
        $set: { ...set, ...released(path), [`${path}.at`]: nextAt, [`${path}.failures`]: 0, [`${path}.unfinished`]: 0 },
      }
    : { ...(Object.keys(set).length > 0 && { $set: set }), $unset: { [path]: '' as const } };
  const finished = await rows(claim.slot).updateOne(
    { ...onlyIf, ...heldBy(claim), [`${path}.version`]: claim.version },
    done,
    idHint,
  );
  return finished.matchedCount === 1;
}

/** Releases work that threw, to be retried at `retryAt`. Does nothing when the lease was lost. */
export async function releaseClaim(claim: Claim, retryAt: Date): Promise<void> {
  const { path } = claim.slot;
  const retry = { $set: { ...released(path), [`${path}.at`]: retryAt }, $inc: { [`${path}.failures`]: 1 } };
  await rows(claim.slot).updateOne(heldBy(claim), retry, idHint);
}

/** Releases work that was interrupted. It is due at once, and counts neither as a failure nor as an unfinished claim. */
export async function returnClaim(claim: Claim, now: Date): Promise<void> {
  const { path } = claim.slot;
  await rows(claim.slot).updateOne(heldBy(claim), { $set: { ...released(path), [`${path}.at`]: now } }, idHint);
}

/** Returns when to retry work that threw after `failures` earlier failures: 1 s, doubling to 60 s. */
export function retryAfterThrow(failures: number, now: Date): Date {
  return plusMs(now, Math.min(1_000 * 2 ** failures, 60_000));
}

const heldBy = ({ row: { _id, organizationId }, token, slot }: Claim) => ({
  ...(organizationId === undefined ? { _id } : { _id, organizationId }),
  [`${slot.path}.leaseToken`]: token,
});

const released = (path: string) => ({
  [`${path}.leaseToken`]: null,
  [`${path}.leaseUntil`]: null,
  // The hint is used up. The scanner may send the next one at once.
  [`${path}.hintedAt`]: null,
});

/** Returns the `Due` at a path of a row that has one. */
export function readDue(row: unknown, path: string): Due {
  return path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], row) as Due;
}

/** How far ahead hints are sent. Work due later has no message in Redis yet. */
export const hintHorizonMs = 10_000;
/** A hint without effect for this long counts as lost and is sent again. */
export const hintTimeoutMs = 10_000;

/** Records when hints were sent, or null when they could not be sent. */
export async function markHinted(slot: DueSlot, ids: readonly string[], at: Date | null): Promise<void> {
  await rows(slot).updateMany(
    { _id: { $in: [...ids] }, [`${slot.path}.at`]: { $exists: true } },
    { $set: { [`${slot.path}.hintedAt`]: at } },
    idHint,
  );
}

/** Returns whether any unleased work that matches `onlyIf` was due at `since`. */
export async function findOverdue(slot: DueSlot, since: Date, onlyIf: object = {}): Promise<boolean> {
  const overdue = { ...dueAndUnleased(slot, since), ...onlyIf };
  const options = { hint: dueIndexKey(slot.path), projection: { _id: 1 } };
  return (await rows(slot).findOne(overdue, options)) !== null;
}
