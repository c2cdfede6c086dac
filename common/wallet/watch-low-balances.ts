import { createNotice } from '../notices/notice.model.ts';
import { inTransaction } from '../platform/mongo/transaction.ts';
import { Wallet, type WalletRecord } from './ledger/wallet.model.ts';

/** Wallets checked per call. If this many changed, call again. */
export const maxChecked = 500;

const isBelow = { $lt: ['$balanceCents', '$lowBalanceCents'] };
const hasFallen = { lowBalanceCents: { $gt: 0 }, lowSince: null, $expr: isBelow };
const hasRecovered = { lowBalanceCents: { $gt: 0 }, lowSince: { $type: 'date' }, $expr: { $not: isBelow } } as const;

/**
 * Creates a notice for each organization whose balance fell below its threshold, once per fall. A balance that
 * recovered may fall again. Runs apart from money movements, so sending letters costs nothing extra; a fall and
 * recovery between two runs is not reported. Returns how many wallets fell or recovered.
 */
export async function watchLowBalances(at: Date): Promise<number> {
  const fallen = await find(hasFallen);
  for (const walletId of fallen) await notify(walletId, at);
  const recovered = await find(hasRecovered);
  await Wallet.updateMany({ _id: { $in: recovered }, ...hasRecovered }, { lowSince: null });
  return Math.max(fallen.length, recovered.length);
}

async function find(filter: typeof hasFallen | typeof hasRecovered): Promise<string[]> {
  const wallets = await Wallet.find(filter).select({ _id: 1 }).limit(maxChecked).lean();
  return wallets.map(({ _id }) => _id);
}

/** Processes that find the same fall race on `lowSince`; only one creates the notice. */
async function notify(walletId: string, at: Date): Promise<void> {
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
    await createNotice(
      transaction,
      { ...about, key, data: { balanceCents, lowBalanceCents: lowBalanceCents ?? 0 } },
      at,
    );
  });
}
