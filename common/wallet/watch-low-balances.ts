import { leaveNotice } from '../organizations/leave-notice.ts';
import { inTransaction } from '../platform/transaction.ts';
import { Wallet, type WalletRecord } from './wallet.model.ts';

/** Wallets judged by one call: whoever finds as many calls again. */
export const maxJudged = 500;

const isBelow = { $lt: ['$balanceCents', '$lowBalanceCents'] };
const hasFallen = { lowBalanceCents: { $gt: 0 }, lowSince: null, $expr: isBelow };
const hasRecovered = { lowBalanceCents: { $gt: 0 }, lowSince: { $type: 'date' }, $expr: { $not: isBelow } } as const;

/**
 * Tells organizations whose balance has fallen below the threshold that they have set, once a fall; a balance that has
 * risen again may fall again. Looks at wallets apart from the movements of money, so that sending letters costs nothing
 * for it: what falls and rises between two looks is not told. Returns how many wallets have fallen or recovered.
 */
export async function watchLowBalances(at: Date): Promise<number> {
  const fallen = await find(hasFallen);
  for (const walletId of fallen) await tell(walletId, at);
  const recovered = await find(hasRecovered);
  await Wallet.updateMany({ _id: { $in: recovered }, ...hasRecovered }, { lowSince: null });
  return Math.max(fallen.length, recovered.length);
}

async function find(filter: typeof hasFallen | typeof hasRecovered): Promise<string[]> {
  const wallets = await Wallet.find(filter).select({ _id: 1 }).limit(maxJudged).lean();
  return wallets.map(({ _id }) => _id);
}

/** Of several that have seen the same fall, one tells it. */
async function tell(walletId: string, at: Date): Promise<void> {
  await inTransaction(async (transaction) => {
    const wallet = await Wallet.findOneAndUpdate(
      { _id: walletId, ...hasFallen },
      { lowSince: at },
      { session: transaction, returnDocument: 'after' },
    ).lean<WalletRecord>();
    if (!wallet) return;
    const { organizationId, mode, balanceCents, lowBalanceCents } = wallet;
    const about = { organizationId, mode, kind: 'LOW_BALANCE' as const, subjectId: walletId };
    const key = `LOW_BALANCE:${walletId}:${at.toISOString()}`;
    await leaveNotice(
      transaction,
      { ...about, key, data: { balanceCents, lowBalanceCents: lowBalanceCents ?? 0 } },
      at,
    );
  });
}
