import { areEqualDigests, sha256Hex } from '../secrets.ts';
import { OAuthClient, type OAuthClientRecord } from './client.model.ts';
import { OAuthError } from './oauth-error.ts';
import type { Parameters } from './parameters.ts';

type Presented = { clientId: string; secret: string };

/** Compared where there is nothing to compare with, so that an unknown client takes as long; no text has this hash. */
const nobodysHash = '-'.repeat(64);

/**
 * The application that calls, by its secret in the `Authorization: Basic` header or in the form (RFC 6749, 2.3.1).
 * Throws invalid_client, in the same words and after the same work for an unknown, a disabled and a wrong one, and
 * invalid_request when both ways are used at once. `hash` is counted by a test.
 */
export async function authenticateClient(
  { authorization, parameters, at }: { authorization: string | undefined; parameters: Parameters; at: Date },
  hash: (secret: string) => string = sha256Hex,
): Promise<OAuthClientRecord> {
  const { clientId, secret } = readPresented(authorization, parameters);
  const client = await OAuthClient.findById(clientId).lean<OAuthClientRecord>();
  const [newest = nobodysHash, former = nobodysHash] = client ? liveHashes(client, at) : [];
  const presentedHash = hash(secret);
  const areEqual = [newest, former].map((known) => areEqualDigests(known, presentedHash));
  if (!client || !areEqual.includes(true)) throw wrongClient();
  return client;
}

/** One hash, two while a rotation overlaps, none once the application is disabled. */
function liveHashes({ secretHashes, formerSecretEndsAt, disabledAt }: OAuthClientRecord, at: Date): string[] {
  if (disabledAt) return [];
  return formerSecretEndsAt && formerSecretEndsAt > at ? secretHashes : secretHashes.slice(0, 1);
}

function readPresented(authorization: string | undefined, parameters: Parameters): Presented {
  const inForm = { clientId: parameters.get('client_id'), secret: parameters.get('client_secret') };
  if (authorization === undefined) {
    const { clientId, secret } = inForm;
    if (clientId === undefined || secret === undefined) throw wrongClient();
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

/** Both halves are form-urlencoded before they are joined (RFC 6749, 2.3.1). */
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
    // A percent sign that begins nothing: no client has such an id or secret.
    throw wrongClient();
  }
}

function wrongClient(): OAuthError {
  return new OAuthError('invalid_client', 'The client is unknown, or its secret is missing or wrong.');
}
