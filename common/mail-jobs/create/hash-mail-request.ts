import type { Signer } from '#common/secrets.ts';
import type { MailRequest } from '../model/mail-request.schema.ts';

/**
 * Hashes a request with each key of the signer, to distinguish a repeat from a different request with the same externalId.
 * The first hash is stored, and any of them may be. The order of fields, null or absent, and default values given
 * explicitly do not change the hashes. Nor does the file that was made of a template: the same request may get another one.
 *
 * Security: the hash is kept after a redaction. Without the key, it cannot be compared with that of a guessed address.
 */
export function hashMailRequest(request: MailRequest, signer: Signer): string[] {
  const { dryRun: _, metadata, files, pages, doubleSided, ...others } = request;
  const rest = request.templateId === undefined ? { ...others, files, pages } : others;
  const color = request.color ?? false;
  const acknowledgmentReceipt = request.acknowledgmentReceipt ?? false;
  const options = { color, acknowledgmentReceipt, ...(doubleSided === false && { doubleSided }) };
  const fields = { ...rest, ...options, metadata: isEmpty(metadata) ? null : metadata };
  return signer.signAll(JSON.stringify(canonical(fields))).map((hash) => hash.toString('base64url'));
}

function isEmpty(metadata: MailRequest['metadata']): boolean {
  return Object.keys(metadata ?? {}).length === 0;
}

function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (value === null || typeof value !== 'object') return value;
  const present = Object.entries(value).filter(([, field]) => field != null);
  return present.sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, field]) => [name, canonical(field)]);
}
