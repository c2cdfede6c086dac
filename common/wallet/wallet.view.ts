import { z } from 'zod';
import { modes } from '../modes.ts';
import { currency } from '../money.ts';
import type { WalletRecord } from './ledger/wallet.model.ts';
import { isBalanceLow } from './low-balance.ts';

/** A wallet in its public form. */
export const WalletView = z
  .object({
    balanceCents: z.int(),
    currency: z.literal(currency),
    mode: z.enum(modes),
    lowBalanceCents: z.int().nullable().describe('The threshold that the organization has set; null without one.'),
    isLow: z.boolean().describe('Whether the balance is below `lowBalanceCents`; false without a threshold.'),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'Wallet' });
export type WalletView = z.infer<typeof WalletView>;

export function toWalletView(wallet: WalletRecord): WalletView {
  const { balanceCents, mode, lowBalanceCents = null, updatedAt } = wallet;
  return {
    balanceCents,
    currency,
    mode,
    lowBalanceCents,
    isLow: isBalanceLow(wallet),
    updatedAt: updatedAt.toISOString(),
  };
}
