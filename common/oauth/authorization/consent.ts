import { type GrantRecord, OAuthGrant } from '#common/access/grant.model.ts';
import { recordAudit } from '#common/audit/record-audit.ts';
import { plusMs } from '#common/clock.ts';
import type { Mode } from '#common/modes.ts';
import { inTransaction, isInserted, type Transaction } from '#common/platform/mongo/transaction.ts';
import { sha256Hex } from '#common/secrets.ts';
import { isPublicClient, OAuthClient } from '../client.model.ts';
import { lifetimes } from '../lifetimes.ts';
import { newGrantId, type TokenMint } from '../tokens/token-mint.ts';
import { type AskingClient, type AuthorizeRequest, redirectWith } from './authorize.ts';

/** Creates a grant with a one-time code after the user consented. Returns the URI to redirect the user to. */
export async function grantConsent({
  request,
  user,
  issuer,
  mint,
  at,
  chosenMode = 'test',
}: {
  request: AuthorizeRequest;
  /** The signed-in user. The wallet of this organization pays for what the application sends. */
  user: { _id: string; organizationId: string };
  issuer: string;
  mint: TokenMint;
  at: Date;
  /** What the user chose for a public client. A registered one has a mode of its own. */
  chosenMode?: Mode;
}): Promise<string> {
  const { client, redirectUri, scopes, resource, state, challenge } = request;
  const grantId = newGrantId();
  const code = mint.newCode(grantId);
  const codeExpiresAt = plusMs(at, lifetimes.codeMs);
  const record: GrantRecord = {
    _id: grantId,
    clientId: client.id,
    clientName: client.name,
    organizationId: user.organizationId,
    userId: user._id,
    mode: client.mode ?? chosenMode,
    resource,
    scopes,
    code: { hash: sha256Hex(code), redirectUri, challenge, expiresAt: codeExpiresAt, usedAt: null },
    refresh: null,
    accessTokens: [],
    createdAt: at,
    expiresAt: plusMs(at, lifetimes.grantMs),
    revokedAt: null,
    revokedBecause: null,
    removeAt: plusMs(codeExpiresAt, lifetimes.keptAfterEndMs),
  };
  const { organizationId, mode } = record;
  const detail = { clientId: client.id, scopes: scopes.join(' ') };
  await inTransaction(
    async (transaction) => {
      if (isPublicClient(client)) await storePublicClient(client, at, transaction);
      await OAuthGrant.create([record], { session: transaction });
      const entry = { action: 'grant.created', subjectId: grantId, organizationId, mode, detail } as const;
      await recordAudit(entry, { kind: 'user', id: user._id }, at, transaction);
    },
    { isStored: (transaction) => isInserted(transaction, OAuthGrant, grantId) },
  );

  return redirectWith(redirectUri, { code, state, iss: issuer });
}

/** Stores a public client as it is now, so that its tokens need no fetch, and the operator can see and disable it. */
async function storePublicClient(client: AskingClient, at: Date, transaction: Transaction): Promise<void> {
  const { id, name, redirectUris, scopes } = client;
  await OAuthClient.updateOne(
    { _id: id },
    {
      $set: { name, redirectUris, scopes },
      $setOnInsert: {
        ...{ mode: null, secretHashes: [], formerSecretEndsAt: null, tokensPerMinute: null },
        ...{ createdAt: at, disabledAt: null },
      },
    },
    { upsert: true, session: transaction },
  );
}

/** Returns the URI to redirect the user to after a refusal. */
export function denyConsent({ request, issuer }: { request: AuthorizeRequest; issuer: string }): string {
  const { redirectUri, state } = request;
  return redirectWith(redirectUri, { error: 'access_denied', state, iss: issuer });
}
