import { areEqualDigests, sha256Hex } from '#common/secrets.ts';
import { isPublicClient, OAuthClient, type OAuthClientRecord } from '../client.model.ts';
import { OAuthError } from '../oauth-error.ts';
import type { Parameters } from '../parameters.ts';
import { isHostAllowed, type PublicHosts } from './client-metadata.ts';

/** `secret` is null when none was given. */
type Presented = { clientId: string; secret: string | null };

/** Compared for unknown clients, which then take the same time. No digest equals it. */
const unmatchableHash = '-'.repeat(64);

/**
 * Returns the client that authenticated with its secret in the `Authorization: Basic` header or the form (RFC 6749,
 * 2.3.1), or the public client that the form names without a secret. Throws invalid_client with the same text and after
 * the same work for an unknown client, a disabled one and a wrong secret. Throws invalid_request if both methods are used. Tests pass `hash` to count its calls.
 */
export async function authenticateClient(
  {
    authorization,
    parameters,
    at,
    publicHosts = null,
  }: { authorization: string | undefined; parameters: Parameters; at: Date; publicHosts?: PublicHosts },
  hash: (secret: string) => string = sha256Hex,
): Promise<OAuthClientRecord> {
  const { clientId, secret } = readPresented(authorization, parameters);
  const client = await OAuthClient.findById(clientId).lean<OAuthClientRecord>();
  const [newest = unmatchableHash, former = unmatchableHash] = client ? liveHashes(client, at) : [];
  const presentedHash = hash(secret ?? '');
  const areEqual = [newest, former].map((known) => areEqualDigests(known, presentedHash));
  const isPublic = client !== null && isPublicClient(client) && client.disabledAt === null;
  const isAuthentic = isPublic
    ? secret === null && isHostAllowed(client._id, publicHosts)
    : secret !== null && areEqual.includes(true);
  if (!client || !isAuthentic) throw wrongClient();
  return client;
}

/** Returns one hash, two while a rotation overlaps, none for a disabled application. */
function liveHashes({ secretHashes, formerSecretEndsAt, disabledAt }: OAuthClientRecord, at: Date): string[] {
  if (disabledAt) return [];
  return formerSecretEndsAt && formerSecretEndsAt > at ? secretHashes : secretHashes.slice(0, 1);
}

function readPresented(authorization: string | undefined, parameters: Parameters): Presented {
  const inForm = { clientId: parameters.get('client_id'), secret: parameters.get('client_secret') };
  if (authorization === undefined) {
    const { clientId, secret = null } = inForm;
    if (clientId === undefined) throw wrongClient();
    return { clientId, secret };
  }
  const presented = readBasic(authorization);
  if (inForm.secret !== undefined) {
    throw new OAuthError('invalid_request', 'Give the client secret in the header or in the form, not in both.');
  }
  if (inForm.clientId !== undefined && inForm.clientId !== presented.clientId) {
    throw new OAuthError('invalid_request', 'The header and the form name different clients.');
  }
  return presented;
}

/** Decodes the header. Id and secret are form-urlencoded before they are joined (RFC 6749, 2.3.1). */
function readBasic(authorization: string): Presented {
  const [, encoded] = /^Basic +([A-Za-z0-9+/_-]+={0,2})$/i.exec(authorization) ?? [];
  if (encoded === undefined) throw wrongClient();
  const text = Buffer.from(encoded, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  if (colon <= 0) throw wrongClient();
  return { clientId: formDecoded(text.slice(0, colon)), secret: formDecoded(text.slice(colon + 1)) };
}

function formDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    // A malformed percent escape: no id or secret contains a percent sign.
    throw wrongClient();
  }
}

function wrongClient(): OAuthError {
  return new OAuthError('invalid_client', 'The client is unknown, or its secret is missing or wrong.');
}
