import type { CursorCodec } from '#common/cursor.ts';
import type { Owner } from '#common/modes.ts';
import { type Page, type PageQuery, toPage } from '#common/platform/mongo/read-page.ts';
import type { Snapshot } from '#common/platform/mongo/snapshot.ts';
import { type EntryKind, LedgerEntry, type LedgerEntryRecord } from './ledger-entry.model.ts';
import { walletIdOf } from './move-money.ts';

/** A position between two entries: the `seq` of the entry before it (0 at the start) and the balance there. */
export type LedgerPosition = { seq: number; balanceCents: number };

/** Returns the position after all entries before `at`. It is unique because times in a ledger never decrease. */
export async function positionBefore(walletId: string, at: Date): Promise<LedgerPosition> {
  const last = await LedgerEntry.findOne({ walletId, at: { $lt: at } })
    .sort({ at: -1, seq: -1 })
    .select({ seq: 1, balanceAfterCents: 1 })
    .lean<Pick<LedgerEntryRecord, 'seq' | 'balanceAfterCents'>>();
  return { seq: last?.seq ?? 0, balanceCents: last?.balanceAfterCents ?? 0 };
}

export type TransactionFilter = PageQuery & {
  kind?: EntryKind | undefined;
  mailJobId?: string | undefined;
  /** Inclusive. */
  createdAfter?: Date | undefined;
  /** Exclusive. */
  createdBefore?: Date | undefined;
};

/** Returns a wallet's entries, newest first. Throws VALIDATION_ERROR for a cursor of another list. */
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
  const found = await LedgerEntry.find({
    walletId,
    ...(kind !== undefined && { kind }),
    ...(mailJobId !== undefined && { mailJobId }),
    seq: { $gte: first, $lte: last, $lt: below },
  })
    .sort({ seq: -1 })
    .limit(limit + 1)
    .lean<LedgerEntryRecord[]>();
  return toPage(found, limit, ({ seq }) => cursors.seal(String(seq), scope));
}

/** Entries per batch. 1,000 is no faster and triples the memory held as garbage. */
const batchSize = 500;

/**
 * Yields the entries after number `from` up to number `to`, in order, in batches of at most 500, and prefetches the
 * next batch. Entries never change, so separate reads are consistent.
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
    // A consumer that stops early never awaits this promise; without a handler its rejection would be unhandled.
    ahead?.catch(() => undefined);
    if (batch.length > 0) yield batch;
  }
}

export type MailMovement = Pick<
  LedgerEntryRecord,
  '_id' | 'walletId' | 'kind' | 'amountCents' | 'key' | 'mailJobId' | 'itemId'
>;

/** Returns every movement of these mail jobs as of the snapshot, by mail job id. */
export async function readMovements(
  snapshot: Snapshot,
  mailJobIds: readonly string[],
): Promise<Map<string, MailMovement[]>> {
  const entries = await LedgerEntry.find({ mailJobId: { $in: mailJobIds } })
    .select({ walletId: 1, kind: 1, amountCents: 1, key: 1, mailJobId: 1, itemId: 1 })
    .session(snapshot)
    .lean<MailMovement[]>();
  return Map.groupBy(entries, ({ mailJobId }) => mailJobId ?? '');
}
