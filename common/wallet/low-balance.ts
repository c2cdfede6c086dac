import { invalid } from '../errors.ts';
import type { Owner } from '../modes.ts';
import { type AuditStamp, recordAudit } from '../organizations/record-audit.ts';
import { walletIdOf } from './move-money.ts';
import { Wallet, type WalletRecord } from './wallet.model.ts';

/** The highest threshold: as much as a top-up takes at once. */
export const maxThresholdCents = 100_000_000;

/** Whether the balance is below the threshold that its organization has set. Without one it never is. */
export function isBalanceLow({
  balanceCents,
  lowBalanceCents,
}: Pick<WalletRecord, 'balanceCents' | 'lowBalanceCents'>): boolean {
  return lowBalanceCents != null && balanceCents < lowBalanceCents;
}

/**
 * Sets below which balance a wallet counts as low; null takes the threshold away. Returns the wallet.
 * Throws VALIDATION_ERROR for a threshold outside 1 to 100,000,000 cents.
 */
export async function setLowBalance(
  owner: Owner,
  lowBalanceCents: number | null,
  stamp?: AuditStamp,
): Promise<WalletRecord> {
  const isFine =
    lowBalanceCents === null ||
    (Number.isSafeInteger(lowBalanceCents) && lowBalanceCents >= 1 && lowBalanceCents <= maxThresholdCents);
  if (!isFine) throw invalid(['lowBalanceCents'], `Give a whole number of cents, 1 to ${maxThresholdCents}.`);
  const wallet = await Wallet.findOneAndUpdate(
    { _id: walletIdOf(owner) },
    // Judged afresh by the new threshold.
    { $set: { lowBalanceCents, lowSince: null } },
    { returnDocument: 'after', lean: true },
  );
  if (!wallet) throw new Error(`No wallet for ${walletIdOf(owner)}`);
  if (stamp) {
    const { organizationId, mode } = owner;
    const subject = { subjectId: walletIdOf(owner), organizationId, detail: { mode, lowBalanceCents } };
    await recordAudit({ action: 'wallet.threshold-set', ...subject }, stamp.by, stamp.at);
  }
  return wallet as WalletRecord;
}
