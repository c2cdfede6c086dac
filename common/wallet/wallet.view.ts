import { z } from 'zod';
import { modes } from '../modes.ts';
import { currency } from '../money.ts';
import type { WalletRecord } from './wallet.model.ts';

/** A wallet as its owner sees it. */
export const WalletView = z
  .object({
    balanceCents: z.int(),
    currency: z.literal(currency),
    mode: z.enum(modes),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'Wallet' });
export type WalletView = z.infer<typeof WalletView>;

export function toWalletView({ balanceCents, mode, updatedAt }: WalletRecord): WalletView {
  return { balanceCents, currency, mode, updatedAt: updatedAt.toISOString() };
}
