import { plusMs } from '../clock.ts';
import type { CursorCodec } from '../cursor.ts';
import { listMailJobs } from '../mail-jobs/read/read-mail-jobs.ts';
import { type Mode, modes, type Owner } from '../modes.ts';
import { isBalanceLow } from '../wallet/low-balance.ts';
import { readWallet } from '../wallet/wallets.ts';
import { listWebhooks } from '../webhooks/registry/read-webhooks.ts';

/** A condition that needs the attention of an organization's users. */
export type Attention =
  | { kind: 'lowBalance'; balanceCents: number }
  | { kind: 'disabledWebhooks'; mode: Mode; count: number }
  | { kind: 'failedLetters'; mode: Mode; count: number };

/** The threshold of the live wallet if the organization set none: a handful of registered letters. */
export const defaultLowBalanceCents = 5_000;
const recentMs = 7 * 24 * 3_600_000;
/** Counts stop here: a higher number would not say more. */
const maxCount = 20;

/** Returns what needs an organization's attention, most urgent first. */
export async function findAttention(organizationId: string, cursors: CursorCodec, at: Date): Promise<Attention[]> {
  const owners = modes.toReversed().map((mode): Owner => ({ organizationId, mode }));
  const found = await Promise.all([
    findLowBalance({ organizationId, mode: 'live' }),
    ...owners.map((owner) => findDisabledWebhooks(owner, cursors)),
    ...owners.map((owner) => findFailedLetters(owner, cursors, at)),
  ]);
  return found.filter((attention) => attention !== null);
}

/** Ignores a wallet that has never held money. */
async function findLowBalance(owner: Owner): Promise<Attention | null> {
  const { balanceCents, seq, lowBalanceCents } = await readWallet(owner);
  return seq > 0 && isBalanceLow({ balanceCents, lowBalanceCents: lowBalanceCents ?? defaultLowBalanceCents })
    ? { kind: 'lowBalance', balanceCents }
    : null;
}

async function findDisabledWebhooks(owner: Owner, cursors: CursorCodec): Promise<Attention | null> {
  const { rows } = await listWebhooks(owner, { status: 'disabled', limit: maxCount }, cursors);
  return rows.length > 0 ? { kind: 'disabledWebhooks', mode: owner.mode, count: rows.length } : null;
}

async function findFailedLetters(owner: Owner, cursors: CursorCodec, at: Date): Promise<Attention | null> {
  const { rows } = await listMailJobs(owner, { status: 'failed', limit: maxCount }, cursors);
  const count = rows.filter(({ updatedAt }) => updatedAt >= plusMs(at, -recentMs)).length;
  return count > 0 ? { kind: 'failedLetters', mode: owner.mode, count } : null;
}
