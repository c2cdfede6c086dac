import { createHash, randomBytes } from 'node:crypto';
import { Pool } from 'undici';
import { systemClock } from '#common/clock.ts';
import { readAuthorizeRequest } from '#common/oauth/authorization/authorize.ts';
import { grantConsent } from '#common/oauth/authorization/consent.ts';
import { createClient } from '#common/oauth/clients/create-client.ts';
import { OAuthGrant } from '#common/oauth/grant.model.ts';
import { createTokenMint, type TokenMint } from '#common/oauth/tokens/token-mint.ts';
import { inTransaction } from '#common/platform/mongo/transaction.ts';
import { createKeyRing } from '#common/secrets.ts';
import { openBenchService } from './bench-service.ts';
import { alternate, median, print, putUnderLoad } from './measure.ts';

const inFlight = 16;
const rounds = 5;
const sliceMs = 3_000;
/** 1.8 times the best result of an OAuth library over MongoDB, measured on similar hardware. */
const goalPerS = 570;
const redirectUri = 'https://app.example/back';

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
  const { ours, floor } = await alternate(rounds, countPerS(refreshes), countPerS(bare), 1);
  print(`refreshes, ${inFlight} in flight: ${describe(ours)}, goal ${goalPerS}/s`);
  print(`bare transactions of one write, ${inFlight} in flight: ${describe(floor)}`);
  print(`ratio ${(median(ours) / median(floor)).toFixed(2)}`);
  await pool.close();
}

async function openRefreshes(pool: Pool, mint: TokenMint): Promise<Lane[]> {
  const wanted = { name: 'Bench', mode: 'test', scopes: ['read', 'send'], redirectUris: [redirectUri] } as const;
  const { record, secret } = await createClient(wanted, systemClock.now());
  const own = { client_id: record._id, client_secret: secret };

  const ask = async (form: Record<string, string>): Promise<string> => {
    const answer = await pool.request({
      method: 'POST',
      path: '/oauth/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ ...own, ...form }).toString(),
    });
    const body = (await answer.body.json()) as { refresh_token?: string };
    if (!body.refresh_token) throw new Error(`A token request was answered ${JSON.stringify(body)}`);
    return body.refresh_token;
  };
  const openLane = async (): Promise<Lane> => {
    const verifier = randomBytes(32).toString('base64url');
    const code = await consent(record._id, verifier, mint);
    const exchange = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier };
    let refreshToken = await ask(exchange);
    return async () => {
      refreshToken = await ask({ grant_type: 'refresh_token', refresh_token: refreshToken });
    };
  };
  return await Promise.all(Array.from({ length: inFlight }, openLane));
}

async function consent(clientId: string, verifier: string, mint: TokenMint): Promise<string> {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: 'read send',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const issuer = 'https://bench.example';
  const reading = await readAuthorizeRequest(query, issuer);
  if (reading.kind !== 'request') throw new Error('The request for consent was refused');
  const user = { _id: 'usr_bench', organizationId: 'org_bench' };
  const location = await grantConsent({ request: reading.request, user, issuer, mint, at: systemClock.now() });
  return new URL(location).searchParams.get('code') ?? '';
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
