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
  for (const wallet of fallen) await notify(wallet, at);
  const recovered = await find(hasRecovered);
  const isAmong = {
    _id: { $in: recovered.map(({ _id }) => _id) },
    organizationId: { $in: [...new Set(recovered.map(({ organizationId }) => organizationId))] },
  };
  if (recovered.length > 0) await Wallet.updateMany({ ...isAmong, ...hasRecovered }, { lowSince: null });
  return Math.max(fallen.length, recovered.length);
}

type FoundWallet = Pick<WalletRecord, '_id' | 'organizationId'>;

async function find(filter: typeof hasFallen | typeof hasRecovered): Promise<FoundWallet[]> {
  return await Wallet.find(filter).select({ organizationId: 1 }).limit(maxChecked).lean<FoundWallet[]>();
}

/** Processes that find the same fall race on `lowSince`; only one creates the notice. */
async function notify({ _id: walletId, organizationId: of }: FoundWallet, at: Date): Promise<void> {
  await inTransaction(async (transaction) => {
    const wallet = await Wallet.findOneAndUpdate(
      { _id: walletId, organizationId: of, ...hasFallen },
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
