import type { Finding } from '#common/documents/preflight/finding.ts';
import { startPreflight } from '#common/mail-jobs/preflight/start-preflight.ts';
import type { BulkRecord } from '../model/bulk.model.ts';
import type { BulkCheckDeps } from './bulk-check-deps.ts';

/** What the shared document of a bulk is. `pages` is null for a bulk whose rows have documents of their own. */
export type CheckedDocument =
  | { kind: 'waiting' }
  | { kind: 'faulty'; message: string; findings: Finding[] }
  | { kind: 'good'; pages: number | null };

/** Most findings that are kept, as a page may have many of a kind. */
const maxFindings = 20;

/**
 * Counts the pages of the shared document, by the same check as before any other letter. It runs in the background: the
 * result is `waiting` until it is there. Throws as `startPreflight`.
 */
export async function checkDocument(bulk: BulkRecord, deps: BulkCheckDeps, at: Date): Promise<CheckedDocument> {
  if (bulk.pages !== null || bulk.files.length === 0) return { kind: 'good', pages: bulk.pages };
  const { files, serviceType } = bulk;
  const { result } = await startPreflight(
    bulk,
    { files, serviceType, color: bulk.color, doubleSided: bulk.doubleSided },
    deps,
    at,
  );
  if (!result) return { kind: 'waiting' };
  const errors = result.findings.filter(({ severity }) => severity === 'error');
  if (result.facts !== null && errors.length === 0) return { kind: 'good', pages: result.facts.pages };
  const [first] = errors;
  const message = first ? `${first.message} ${first.fix}` : 'The document cannot be printed.';
  return { kind: 'faulty', message, findings: errors.slice(0, maxFindings) };
}
