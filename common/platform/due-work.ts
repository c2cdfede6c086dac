import { randomUUID } from 'node:crypto';
import mongoose from 'mongoose';
import { plusMs } from '../clock.ts';
import type { QueueName } from './queues.ts';

/**
 * Work that falls due at a time, kept inside the document that it is about. It is claimed by compare-and-set with a
 * lease, finished only by whoever holds that lease, and due again by itself when the lease runs out.
 */
export type Due = {
  /** From when on somebody should do it. */
  at: Date;
  /** How often it was claimed. */
  attempt: number;
  /** Raised whenever it is put off or newly wanted, so that a finish does not wipe out a wish it has not seen. */
  version: number;
  /** When the last hint was sent; null once that hint no longer counts. */
  hintedAt: Date | null;
  leaseToken: string | null;
  leaseUntil: Date | null;
};

/** Where a kind of due work lives: collection, path of its `Due`, and the queue whose workers do it. */
export type DueSlot = { readonly collection: string; readonly path: string; readonly queue: QueueName };

/** A lease held: what renewing and finishing must show. */
export type Claim<Row = DueRow> = {
  slot: DueSlot;
  id: string;
  token: string;
  attempt: number;
  version: number;
  leaseMs: number;
  row: Row;
};
export type DueRow = { _id: string };

/** A worker that dies is replaced after this time; one that works longer renews its lease three times as often. */
export const leaseMs = 30_000;

/**
 * Claims and renewals need not wait for the journal: one that is lost makes work run again, which all work allows, and
 * finishing asks for the token.
 */
export const unjournaled = { writeConcern: { w: 1, journal: false } } as const;

export function newDue(at: Date): Due {
  return { at, attempt: 0, version: 0, hintedAt: null, leaseToken: null, leaseUntil: null };
}

const rows = <Row extends DueRow>({ collection }: DueSlot) => mongoose.connection.collection<Row>(collection);

/** Whether nobody holds the work. */
export const isFree = (path: string, now: Date) => ({
  $or: [{ [`${path}.leaseUntil`]: null }, { [`${path}.leaseUntil`]: { $lte: now } }],
});

/** Takes the work if it is due and nobody holds it; null otherwise. Of many that try at once, one gets it. */
export async function claimDue<Row extends DueRow>(
  slot: DueSlot,
  id: string,
  now: Date,
  ttlMs = leaseMs,
): Promise<Claim<Row> | null> {
  const { path } = slot;
  const token = randomUUID();
  const row = await rows(slot).findOneAndUpdate(
    { _id: id, [`${path}.at`]: { $lte: now }, ...isFree(path, now) },
    {
      $set: { [`${path}.leaseToken`]: token, [`${path}.leaseUntil`]: plusMs(now, ttlMs) },
      $inc: { [`${path}.attempt`]: 1 },
    },
    { returnDocument: 'after', ...unjournaled },
  );
  if (!row) return null;
  const { attempt, version } = readDue(row, path);

  return { slot, id, token, attempt, version, leaseMs: ttlMs, row: row as unknown as Row };
}

/** Prolongs the lease; false when it was lost, and the work must stop. */
export async function renewClaim(claim: Claim, now: Date): Promise<boolean> {
  const { path } = claim.slot;
  const until = { [`${path}.leaseUntil`]: plusMs(now, claim.leaseMs) };
  const renewed = await rows(claim.slot).updateOne(heldBy(claim), { $set: until }, unjournaled);
  return renewed.matchedCount === 1;
}

/**
 * The claim with its row as it stands now, after `set`, which is left out when the row no longer fits `onlyIf`; null,
 * with nothing set, when the lease was lost.
 */
export async function reloadClaim<Row extends DueRow>(
  claim: Claim<Row>,
  { set = {}, onlyIf = {} }: Omit<Finish, 'nextAt'> = {},
): Promise<Claim<Row> | null> {
  const held = rows(claim.slot);
  const fitting = { ...onlyIf, ...heldBy(claim) };
  const changed =
    Object.keys(set).length > 0 &&
    (await held.findOneAndUpdate(fitting, { $set: set }, { returnDocument: 'after', ...unjournaled }));
  const row = changed || (await held.findOne(heldBy(claim)));
  return row && { ...claim, version: readDue(row, claim.slot.path).version, row: row as unknown as Row };
}

/** What a finished piece of work leaves: fields set on its row, and when it falls due again, if ever. */
export type Finish = { set?: Record<string, unknown>; nextAt?: Date | null; onlyIf?: Record<string, unknown> };

/**
 * Ends the work and gives the lease back; false, with nothing changed, when the lease was lost meanwhile, the work is
 * newly wanted, or the row no longer fits `onlyIf`.
 */
export async function finishClaim(claim: Claim, { set = {}, nextAt, onlyIf = {} }: Finish = {}): Promise<boolean> {
  const { path } = claim.slot;
  const done = nextAt
    ? { $set: { ...set, ...freed(path), [`${path}.at`]: nextAt, [`${path}.attempt`]: 0 } }
    : { ...(Object.keys(set).length > 0 && { $set: set }), $unset: { [path]: '' as const } };
  const finished = await rows(claim.slot).updateOne(
    { ...onlyIf, ...heldBy(claim), [`${path}.version`]: claim.version },
    done,
  );
  return finished.matchedCount === 1;
}

/** Gives work back undone, to be done again at `retryAt`; a lease lost meanwhile makes this do nothing. */
export async function releaseClaim(claim: Claim, retryAt: Date): Promise<void> {
  const { path } = claim.slot;
  await rows(claim.slot).updateOne(heldBy(claim), { $set: { ...freed(path), [`${path}.at`]: retryAt } });
}

/** Gives work back that was not really tried: due at once, and the attempt is not counted. */
export async function returnClaim(claim: Claim, now: Date): Promise<void> {
  const { path } = claim.slot;
  await rows(claim.slot).updateOne(heldBy(claim), {
    $set: { ...freed(path), [`${path}.at`]: now },
    $inc: { [`${path}.attempt`]: -1 },
  });
}

/** When to do work again that threw: 1 s after the first time, doubling to 60 s. */
export function retryAfterThrow(attempt: number, now: Date): Date {
  return plusMs(now, Math.min(1_000 * 2 ** Math.max(0, attempt - 1), 60_000));
}

const heldBy = ({ id, token, slot }: Claim) => ({ _id: id, [`${slot.path}.leaseToken`]: token });

const freed = (path: string) => ({
  [`${path}.leaseToken`]: null,
  [`${path}.leaseUntil`]: null,
  // The hint that led here is used up: the next one may be sent at once.
  [`${path}.hintedAt`]: null,
});

/** The `Due` at a path of a row that has one. */
export function readDue(row: unknown, path: string): Due {
  return path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], row) as Due;
}

/** How far ahead hints are sent: nearer work waits in Redis as a delayed message, farther work in MongoDB alone. */
export const hintHorizonMs = 10_000;
/** A hint that led to nothing for this long is sent again. */
export const hintPatienceMs = 10_000;

export type UnhintedWork = { id: string; at: Date };

/**
 * Work that falls due within the horizon, that nobody holds and for which no hint is under way, the oldest first.
 * Hints sent before `forgottenAt` do not count: Redis lost them.
 */
export async function findUnhinted(
  slot: DueSlot,
  options: { now: Date; forgottenAt: Date; limit: number },
): Promise<UnhintedWork[]> {
  const { path } = slot;
  const stale = new Date(Math.max(options.forgottenAt.getTime(), options.now.getTime() - hintPatienceMs));
  const found = await rows(slot)
    .find({
      [`${path}.at`]: { $lte: plusMs(options.now, hintHorizonMs) },
      $and: [
        isFree(path, options.now),
        { $or: [{ [`${path}.hintedAt`]: null }, { [`${path}.hintedAt`]: { $lte: stale } }] },
      ],
    })
    .sort({ [`${path}.at`]: 1 })
    .limit(options.limit)
    .project({ [path]: 1 })
    .toArray();

  return found.map((row) => ({ id: String(row._id), at: readDue(row, path).at }));
}

/** Notes that hints are under way (`at`), or, when they could not be sent, that none is (null). */
export async function markHinted(slot: DueSlot, ids: readonly string[], at: Date | null): Promise<void> {
  await rows(slot).updateMany(
    { _id: { $in: [...ids] }, [`${slot.path}.at`]: { $exists: true } },
    { $set: { [`${slot.path}.hintedAt`]: at } },
  );
}

/** Whether some work has been due since before `since` without anybody holding it. */
export async function findOverdue(slot: DueSlot, { now, since }: { now: Date; since: Date }): Promise<boolean> {
  const { path } = slot;
  return (await rows(slot).findOne({ [`${path}.at`]: { $lte: since }, ...isFree(path, now) })) !== null;
}
