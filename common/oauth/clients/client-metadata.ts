import { z } from 'zod';
import { scopes } from '#common/access/scopes.ts';
import { lineOfText } from '#common/fields/text.schema.ts';
import type { OAuthClientRecord } from '../client.model.ts';
import { findRedirectUriProblem } from './redirect-uri.ts';

/** The longest id of a client, a URL. */
export const maxClientIdLength = 500;
/** As for registered applications. */
const maxRedirectUris = 20;

/** Format characters and line separators could make a name look like another text on the consent page. */
const invisibleCharacter = /[\p{Cf}\p{Zl}\p{Zp}]/u;

/** The fields of a client ID metadata document (RFC 7591, 2) that matter here. */
const Metadata = z.object({
  client_id: z.string(),
  client_name: lineOfText(100).refine((name) => !invisibleCharacter.test(name)),
  redirect_uris: z.array(z.string()).min(1).max(100),
  // Another method needs a secret or a key. Absent: a client with a document cannot have a secret.
  token_endpoint_auth_method: z.literal('none').optional(),
  client_secret: z.never().optional(),
  grant_types: z
    .array(z.string())
    .refine((types) => types.includes('authorization_code'))
    .optional(),
  response_types: z
    .array(z.string())
    .refine((types) => types.includes('code'))
    .optional(),
  scope: z.string().optional(),
});

/** A webhook reports every letter of an organization, so only a registered application may create one. */
const publicScopes = scopes.filter((scope) => scope !== 'webhooks');

/** Returns whether the id of a client is the URL of its metadata. */
export function isMetadataUrl(clientId: string): boolean {
  const url = URL.parse(clientId);
  return (
    url !== null &&
    (url.protocol === 'https:' || url.protocol === 'http:') &&
    // The form that is fetched, so that no two ids lead to one document: it has no dot segments.
    url.href === clientId &&
    clientId.length <= maxClientIdLength &&
    url.pathname !== '/' &&
    url.hash === '' &&
    url.username === '' &&
    url.password === ''
  );
}

/** The hosts whose public clients the operator allows, with their ports unless 443; null for any. */
export type PublicHosts = readonly string[] | null;

/** Returns whether the operator allows the public client with this id, a URL. */
export function isHostAllowed(clientId: string, hosts: PublicHosts): boolean {
  return hosts === null || hosts.includes(new URL(clientId).host);
}

/**
 * Returns the client that a document describes, without a secret and without a mode; null when the document is not one of
 * this client. Redirect URIs that are not allowed are left out.
 */
export function readClientMetadata(clientId: string, text: string, at: Date): OAuthClientRecord | null {
  const { success, data } = Metadata.safeParse(parseJson(text));
  if (!success || data.client_id !== clientId) return null;
  const redirectUris = data.redirect_uris.filter((uri) => findRedirectUriProblem(uri, 'public') === null);
  const wanted = data.scope?.split(' ');
  const allowed = publicScopes.filter((scope) => wanted === undefined || wanted.includes(scope));
  if (redirectUris.length === 0 || allowed.length === 0) return null;
  return {
    _id: clientId,
    name: data.client_name,
    mode: null,
    redirectUris: redirectUris.slice(0, maxRedirectUris),
    scopes: allowed,
    secretHashes: [],
    formerSecretEndsAt: null,
    tokensPerMinute: null,
    createdAt: at,
    disabledAt: null,
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
