import { type AuditStamp, recordAudit } from '../audit/record-audit.ts';
import { invalid } from '../errors.ts';
import type { Owner } from '../modes.ts';
import { walletIdOf } from './ledger/move-money.ts';
import { Wallet, type WalletRecord } from './ledger/wallet.model.ts';

/** The highest threshold, equal to the largest top-up. */
export const maxThresholdCents = 100_000_000;

/** Returns whether the balance is below the organization's threshold; false without a threshold. */
export function isBalanceLow({
  balanceCents,
  lowBalanceCents,
}: Pick<WalletRecord, 'balanceCents' | 'lowBalanceCents'>): boolean {
  return lowBalanceCents != null && balanceCents < lowBalanceCents;
}

/**
 * Sets the low-balance threshold of a wallet, or removes it with null, and returns the wallet. Throws VALIDATION_ERROR
 * for a threshold outside 1 to 100,000,000 cents.
 */
export async function setLowBalance(
  owner: Owner,
  lowBalanceCents: number | null,
  stamp?: AuditStamp,
): Promise<WalletRecord> {
  const isValid =
    lowBalanceCents === null ||
    (Number.isSafeInteger(lowBalanceCents) && lowBalanceCents >= 1 && lowBalanceCents <= maxThresholdCents);
  if (!isValid) throw invalid(['lowBalanceCents'], `Give a whole number of cents, 1 to ${maxThresholdCents}.`);
  const wallet = await Wallet.findOneAndUpdate(
    { _id: walletIdOf(owner), organizationId: owner.organizationId },
    // `lowSince` is cleared to re-evaluate the balance against the new threshold.
    { $set: { lowBalanceCents, lowSince: null } },
    { returnDocument: 'after', lean: true },
  );
  if (!wallet) throw new Error(`No wallet for ${walletIdOf(owner)}`);
  if (stamp) {
    const { organizationId, mode } = owner;
    const subject = { subjectId: walletIdOf(owner), organizationId, mode, detail: { lowBalanceCents } };
    await recordAudit({ action: 'wallet.threshold-set', ...subject }, stamp.by, stamp.at);
  }
  return wallet as WalletRecord;
}
