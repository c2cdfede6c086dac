import { Pool } from 'undici';
import { OAuthGrant } from '#common/access/grant.model.ts';
import { createTokenMint, type TokenMint } from '#common/oauth/tokens/token-mint.ts';
import { inTransaction } from '#common/platform/mongo/transaction.ts';
import { createKeyRing } from '#common/secrets.ts';
import { openBenchService } from '../bench-service.ts';
import { alternate, median, print, putUnderLoad } from '../measure.ts';
import { type AskForTokens, openGrants } from './open-grants.ts';

const inFlight = 16;
const rounds = 5;
const sliceMs = 3_000;
/** 1.8 times the best result of an OAuth library over MongoDB, measured on similar hardware. */
const goalPerS = 570;

/** One consent. Each call refreshes with the refresh token that the previous call returned. */
type Lane = () => Promise<void>;

/**
 * Prints the token refreshes per second of one API process, and one-write transactions per second on the same MongoDB.
 */
export async function run(held: AsyncDisposableStack): Promise<void> {
  const service = held.use(await openBenchService());
  const { encryptionKeys } = await service.openDatabase('oauth');
  const pool = new Pool((await service.startApi('oauth')).origin, { connections: inFlight });
  const refreshes = await openRefreshes(pool, createTokenMint(createKeyRing(encryptionKeys)));
  const bare = await openFloor();
  const countPerS = (lanes: readonly Lane[]) => async () =>
    (await putUnderLoad(async (_, caller) => await lanes[caller]?.(), { inFlight, forMs: sliceMs })).perS;
  const { ours, floor } = await alternate(rounds, countPerS(refreshes), countPerS(bare));
  print(`refreshes, ${inFlight} in flight: ${describe(ours)}, goal ${goalPerS}/s`);
  print(`bare transactions of one write, ${inFlight} in flight: ${describe(floor)}`);
  print(`ratio ${(median(ours) / median(floor)).toFixed(2)}`);
  await pool.close();
}

async function openRefreshes(pool: Pool, mint: TokenMint): Promise<Lane[]> {
  const ask: AskForTokens = async (form) => {
    const answer = await pool.request({
      method: 'POST',
      path: '/oauth/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
    });
    const body = (await answer.body.json()) as { access_token?: string; refresh_token?: string };
    const { access_token, refresh_token } = body;
    if (!access_token || !refresh_token) throw new Error(`A token request was answered ${JSON.stringify(body)}`);
    return { access_token, refresh_token };
  };
  const grants = await openGrants({ count: inFlight, organizationId: 'org_bench', mint }, ask);
  return grants.map(({ refresh }) => refresh);
}

/** Opens the floor: each lane updates its own document, one transaction per update. */
async function openFloor(): Promise<Lane[]> {
  const collection = OAuthGrant.db.collection<{ _id: string; count: number }>('bench_floor');
  const ids = Array.from({ length: inFlight }, (_, lane) => `lane-${lane}`);
  await collection.insertMany(ids.map((_id) => ({ _id, count: 0 })));
  return ids.map((_id) => async () => {
    await inTransaction(async (session) => {
      await collection.updateOne({ _id }, { $inc: { count: 1 } }, { session });
    });
  });
}

function describe(perS: readonly number[]): string {
  return `${median(perS).toFixed(0)}/s (${Math.min(...perS).toFixed(0)} to ${Math.max(...perS).toFixed(0)})`;
}
