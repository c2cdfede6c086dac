import type { Owner } from '#common/modes.ts';
import { bucketExpression } from '#common/platform/mongo/bucket-expression.ts';
import { LedgerEntry } from './ledger-entry.model.ts';
import { walletIdOf } from './move-money.ts';

/** What letters took from a wallet in one span of time, in cents. None is negative. */
export type LetterSum = { bucket: number; debitedCents: number; debitCount: number; refundedCents: number };

/** The index for a range of times in one wallet. */
export const byTime = { walletId: 1, at: 1, seq: 1 } as const;

/**
 * Sums the debits and refunds of letters by span of time. `starts` are the inclusive starts of the spans in order, `end`
 * is the exclusive end of the last. Spans without either are absent. Rejects after `maxTimeMS`, with the error of MongoDB.
 */
export async function sumLetters(
  owner: Owner,
  { starts, end }: { starts: readonly Date[]; end: Date },
  maxTimeMS: number,
): Promise<LetterSum[]> {
  const sumOf = (kind: 'debit' | 'refund', value: unknown) => ({
    $sum: { $cond: [{ $eq: ['$kind', kind] }, value, 0] },
  });
  return await LedgerEntry.aggregate<LetterSum>(
    [
      {
        $match: { walletId: walletIdOf(owner), at: { $gte: starts[0], $lt: end }, kind: { $in: ['debit', 'refund'] } },
      },
      {
        $group: {
          _id: bucketExpression('$at', starts),
          // A debit is negative in the ledger.
          debitedCents: sumOf('debit', { $multiply: ['$amountCents', -1] }),
          debitCount: sumOf('debit', 1),
          refundedCents: sumOf('refund', '$amountCents'),
        },
      },
      { $project: { _id: 0, bucket: '$_id', debitedCents: 1, debitCount: 1, refundedCents: 1 } },
    ],
    { maxTimeMS },
  ).hint(byTime);
}
