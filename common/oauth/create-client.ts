import type { Scope } from '../access/scopes.ts';
import { AppError, type Issue } from '../errors.ts';
import type { Mode } from '../modes.ts';
import type { AuditActor } from '../organizations/audit.model.ts';
import { recordAudit } from '../organizations/record-audit.ts';
import { randomBase32, sha256Hex } from '../secrets.ts';
import { OAuthClient, type OAuthClientRecord } from './client.model.ts';
import { findRedirectUriProblem } from './redirect-uri.ts';

export type NewOAuthClient = {
  name: string;
  mode: Mode;
  redirectUris: readonly string[];
  scopes: readonly Scope[];
};

const maxRedirectUris = 20;

/**
 * Registers an application. The returned secret is all there will ever be of it: only a hash is stored.
 * Throws VALIDATION_ERROR, with one issue a fault, for redirect URIs that will not do or missing scopes.
 */
export async function createClient(
  wanted: NewOAuthClient,
  at: Date,
  by?: AuditActor,
): Promise<{ record: OAuthClientRecord; secret: string }> {
  const issues = findIssues(wanted);
  if (issues.length > 0) throw new AppError('VALIDATION_ERROR', { issues });
  const secret = randomBase32(32);
  const record: OAuthClientRecord = {
    _id: `bjc_${randomBase32(10)}`,
    name: wanted.name,
    mode: wanted.mode,
    redirectUris: [...new Set(wanted.redirectUris)],
    scopes: [...new Set(wanted.scopes)],
    secretHashes: [sha256Hex(secret)],
    formerSecretEndsAt: null,
    createdAt: at,
    disabledAt: null,
  };
  await OAuthClient.create([record]);
  const detail = { mode: record.mode, scopes: record.scopes.join(' ') };
  await recordAudit({ action: 'client.created', subjectId: record._id, detail }, by, at);

  return { record, secret };
}

function findIssues({ redirectUris, scopes, mode }: NewOAuthClient): Issue[] {
  const issues: Issue[] = redirectUris.flatMap((uri, index) => {
    const problem = findRedirectUriProblem(uri, mode);
    return problem === null ? [] : [{ path: ['redirectUris', index], message: `"${uri}" ${problem}.` }];
  });
  if (redirectUris.length < 1 || redirectUris.length > maxRedirectUris) {
    issues.push({ path: ['redirectUris'], message: `Give 1 to ${maxRedirectUris} redirect URIs.` });
  }
  if (scopes.length === 0) issues.push({ path: ['scopes'], message: 'Give at least one scope.' });

  return issues;
}
