import type { CursorCodec } from '../cursor.ts';
import type { Owner } from '../modes.ts';
import type { Page } from '../platform/read-page.ts';
import type { EntryKind } from './entry-kind.ts';
import { LedgerEntry, type LedgerEntryRecord } from './ledger-entry.model.ts';
import { walletIdOf } from './move-money.ts';

/** A place between two entries of a ledger: the number of the one before it, 0 at the beginning, and the balance there. */
export type LedgerPosition = { seq: number; balanceCents: number };

/** The place of an instant: after all entries before it. Times never go back in a ledger, so there is exactly one. */
export async function positionBefore(walletId: string, at: Date): Promise<LedgerPosition> {
  const last = await LedgerEntry.findOne({ walletId, at: { $lt: at } })
    .sort({ at: -1, seq: -1 })
    .select({ seq: 1, balanceAfterCents: 1 })
    .lean<Pick<LedgerEntryRecord, 'seq' | 'balanceAfterCents'>>();
  return { seq: last?.seq ?? 0, balanceCents: last?.balanceAfterCents ?? 0 };
}

export type TransactionFilter = {
  kind?: EntryKind | undefined;
  mailJobId?: string | undefined;
  /** Inclusive. */
  createdAfter?: Date | undefined;
  /** Exclusive. */
  createdBefore?: Date | undefined;
  limit: number;
  cursor?: string | undefined;
};

/** A wallet's entries, newest first. Throws VALIDATION_ERROR for a cursor of another list. */
export async function listTransactions(
  owner: Owner,
  { kind, mailJobId, createdAfter, createdBefore, limit, cursor }: TransactionFilter,
  cursors: CursorCodec,
): Promise<Page<LedgerEntryRecord>> {
  const walletId = walletIdOf(owner);
  const scope = {
    route: 'wallet/transactions',
    walletId,
    kind,
    mailJobId,
    createdAfter: createdAfter?.toISOString(),
    createdBefore: createdBefore?.toISOString(),
  };
  const below = cursor === undefined ? Number.POSITIVE_INFINITY : Number(cursors.open(cursor, scope));
  const first = createdAfter === undefined ? 1 : (await positionBefore(walletId, createdAfter)).seq + 1;
  const last = createdBefore === undefined ? below : (await positionBefore(walletId, createdBefore)).seq;
  // One row more than asked for tells whether there is a next page.
  const found = await LedgerEntry.find({
    walletId,
    ...(kind !== undefined && { kind }),
    ...(mailJobId !== undefined && { mailJobId }),
    seq: { $gte: first, $lte: last, $lt: below },
  })
    .sort({ seq: -1 })
    .limit(limit + 1)
    .lean<LedgerEntryRecord[]>();
  const rows = found.slice(0, limit);
  const hasMore = found.length > limit;
  const end = rows.at(-1);

  return { rows, hasMore, nextCursor: hasMore && end ? cursors.seal(String(end.seq), scope) : null };
}

/** Entries read at once. With twice as many a statement is no faster, and its garbage takes three times the memory. */
const batchSize = 500;

/**
 * The entries of a ledger after `from` up to number `to`, in order, in batches of at most 500; the next one is read
 * while one is worked on. Entries never change, so batches read apart still tell one story.
 */
export async function* readRun(walletId: string, from: number, to: number): AsyncGenerator<LedgerEntryRecord[]> {
  const read = (after: number) =>
    LedgerEntry.find({ walletId, seq: { $gt: after, $lte: Math.min(to, after + batchSize) } })
      .sort({ seq: 1 })
      .lean<LedgerEntryRecord[]>()
      .exec();
  let ahead: Promise<LedgerEntryRecord[]> | undefined;
  for (let after = from; after < to; after += batchSize) {
    const batch = await (ahead ?? read(after));
    ahead = after + batchSize < to ? read(after + batchSize) : undefined;
    // Whoever comes for it hears of its failure; nobody waits for it until then, or at all when he stops in the middle.
    ahead?.catch(() => undefined);
    if (batch.length > 0) yield batch;
  }
}
