import type { Scope } from '#common/access/scopes.ts';
import type { AuditActor } from '#common/audit/audit.model.ts';
import { recordAudit } from '#common/audit/record-audit.ts';
import { AppError, type Issue } from '#common/errors.ts';
import type { Mode } from '#common/modes.ts';
import { randomBase32, sha256Hex } from '#common/secrets.ts';
import { OAuthClient, type OAuthClientRecord } from '../client.model.ts';
import { findRedirectUriProblem } from './redirect-uri.ts';

export type NewOAuthClient = {
  name: string;
  mode: Mode;
  redirectUris: readonly string[];
  scopes: readonly Scope[];
  /** Successful token requests per minute; null or absent for the installation's default. */
  tokensPerMinute?: number | null;
};

const maxRedirectUris = 20;
/** The upper bound of `tokensPerMinute`. */
export const maxTokensPerMinute = 1_000_000;

/**
 * Registers an application. The returned secret is the only copy: only its hash is stored. Throws VALIDATION_ERROR with
 * one issue per fault, for invalid redirect URIs or missing scopes.
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
    tokensPerMinute: wanted.tokensPerMinute ?? null,
    createdAt: at,
    disabledAt: null,
  };
  await OAuthClient.create([record]);
  const subjectId = record._id;
  const { mode } = wanted;
  const detail = { scopes: record.scopes.join(' ') };
  await recordAudit({ action: 'client.created', subjectId, mode, detail }, by, at);

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
