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
  row: Row;
};
export type DueRow = { _id: string };

/** A worker that dies is replaced after this time; one that works longer renews its lease every `leaseRenewMs`. */
export const leaseMs = 30_000;
export const leaseRenewMs = 10_000;

export function newDue(at: Date): Due {
  return { at, attempt: 0, version: 0, hintedAt: null, leaseToken: null, leaseUntil: null };
}

const rows = <Row extends DueRow>({ collection }: DueSlot) => mongoose.connection.collection<Row>(collection);

const isFree = (path: string, now: Date) => ({
  $or: [{ [`${path}.leaseUntil`]: null }, { [`${path}.leaseUntil`]: { $lte: now } }],
});

/** Takes the work if it is due and nobody holds it; null otherwise. Of many that try at once, one gets it. */
export async function claimDue<Row extends DueRow>(slot: DueSlot, id: string, now: Date): Promise<Claim<Row> | null> {
  const { path } = slot;
  const token = randomUUID();
  const row = await mongoose.connection.collection<DueRow>(slot.collection).findOneAndUpdate(
    { _id: id, [`${path}.at`]: { $lte: now }, ...isFree(path, now) },
    {
      $set: { [`${path}.leaseToken`]: token, [`${path}.leaseUntil`]: plusMs(now, leaseMs) },
      $inc: { [`${path}.attempt`]: 1 },
    },
    { returnDocument: 'after' },
  );
  if (!row) return null;
  const due = readPath(row, path);

  return { slot, id, token, attempt: due.attempt, version: due.version, row: row as unknown as Row };
}

/** Prolongs the lease; false when it was lost, and the work must stop. */
export async function renewClaim(claim: Claim, now: Date): Promise<boolean> {
  const { path } = claim.slot;
  const renewed = await rows(claim.slot).updateOne(heldBy(claim), {
    $set: { [`${path}.leaseUntil`]: plusMs(now, leaseMs) },
  });
  return renewed.matchedCount === 1;
}

/** The claim with its row as it stands now; null when the lease was lost. */
export async function reloadClaim<Row extends DueRow>(claim: Claim<Row>): Promise<Claim<Row> | null> {
  const row = await rows(claim.slot).findOne(heldBy(claim));
  return row && { ...claim, version: readPath(row, claim.slot.path).version, row: row as unknown as Row };
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

function readPath(row: unknown, path: string): Due {
  return path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], row) as Due;
}

/** How far ahead hints are sent: nearer work waits in Redis as a delayed message, farther work in MongoDB alone. */
export const hintHorizonMs = 10_000;
/** A hint that led to nothing for this long is sent again. */
const hintPatienceMs = 10_000;

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

  return found.map((row) => ({ id: String(row._id), at: readPath(row, path).at }));
}

/** Notes that hints are under way (`at`), or, when they could not be sent, that none is (null). */
export async function markHinted(slot: DueSlot, ids: readonly string[], at: Date | null): Promise<void> {
  await rows(slot).updateMany(
    { _id: { $in: [...ids] }, [`${slot.path}.at`]: { $exists: true } },
    { $set: { [`${slot.path}.hintedAt`]: at } },
  );
}
