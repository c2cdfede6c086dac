import { createHash, randomBytes } from 'node:crypto';
import { systemClock } from '#common/clock.ts';
import { readAuthorizeRequest } from '#common/oauth/authorization/authorize.ts';
import { grantConsent } from '#common/oauth/authorization/consent.ts';
import { createClient } from '#common/oauth/clients/create-client.ts';
import type { TokenMint } from '#common/oauth/tokens/token-mint.ts';

/** Sends a form to the token endpoint and returns the tokens of its answer. */
export type AskForTokens = (form: Record<string, string>) => Promise<{ access_token: string; refresh_token: string }>;

/** One consent. Each refresh uses the refresh token that the previous one returned. */
export type OpenGrant = { accessToken(): string; refresh(): Promise<void> };

const redirectUri = 'https://app.example/back';

/** Creates an application, and grants it `count` consents to read and send for an organization in test mode. */
export async function openGrants(
  { count, organizationId, mint }: { count: number; organizationId: string; mint: TokenMint },
  ask: AskForTokens,
): Promise<OpenGrant[]> {
  const wanted = { name: 'Bench', mode: 'test', scopes: ['read', 'send'], redirectUris: [redirectUri] } as const;
  const { record, secret } = await createClient(wanted, systemClock.now());
  const own = { client_id: record._id, client_secret: secret };
  const open = async (): Promise<OpenGrant> => {
    const verifier = randomBytes(32).toString('base64url');
    const code = await consent({ clientId: record._id, organizationId, mint, verifier });
    const exchange = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier };
    let tokens = await ask({ ...own, ...exchange });
    return {
      accessToken: () => tokens.access_token,
      async refresh() {
        tokens = await ask({ ...own, grant_type: 'refresh_token', refresh_token: tokens.refresh_token });
      },
    };
  };
  return await Promise.all(Array.from({ length: count }, open));
}

type Consent = { clientId: string; organizationId: string; mint: TokenMint; verifier: string };

/** Returns the one-time code of a new consent. */
async function consent({ clientId, organizationId, mint, verifier }: Consent): Promise<string> {
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
  const user = { _id: 'usr_bench', organizationId };
  const location = await grantConsent({ request: reading.request, user, issuer, mint, at: systemClock.now() });
  return new URL(location).searchParams.get('code') ?? '';
}
