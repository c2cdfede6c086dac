import { createApiKey } from '#common/access/api-keys.ts';
import { scopes } from '#common/access/scopes.ts';
import { systemClock } from '#common/clock.ts';
import type { Config } from '#common/config/config.ts';
import type { Mode, Owner } from '#common/modes.ts';
import { createKeyRing } from '#common/secrets.ts';
import { openAccount } from '#common/wallet/open-account.ts';
import { topUpWallet } from '#common/wallet/wallets.ts';

/** A customer of a benchmark. The key has all scopes. */
export type BenchAccount = { owner: Owner; key: string };

/** A sender or recipient of the benchmarks' letters. */
export const benchAddress = {
  name: 'Ada Peeters',
  line1: 'Rue Haute 1',
  line2: null,
  zip: '1000',
  city: 'Bruxelles',
  country: 'BE',
};

/** Opens an organization and tops up its wallet of this mode, by default with more than any benchmark spends. */
export async function openBenchAccount(
  config: Config,
  mode: Mode,
  { cents = 100_000_000, at = systemClock.now() } = {},
): Promise<BenchAccount> {
  const wanted = { name: 'Bench', address: benchAddress };
  const { _id: organizationId } = await openAccount(wanted, createKeyRing(config.encryptionKeys), at);
  const owner = { organizationId, mode };
  await topUpWallet(owner, cents, 'bench', at);
  const { key } = await createApiKey({ ...owner, scopes }, at);
  return { owner, key };
}
