/**
 * What an IPP status says about a Print-Job:
 * - `accepted`: there is a job.
 * - `busy`: there is none, and a later request may be accepted.
 * - `refused`: there is none, and the same request will be refused again.
 * - `unclear`: there may be one.
 */
type Verdict = 'accepted' | 'busy' | 'refused' | 'unclear';

/**
 * Error statuses (RFC 8011, appendix B.1, and the IANA registry of IPP) by which a printer says that it has not accepted
 * a job. All others are unclear, because a printer may have begun to print:
 * - client-error-timeout, document-format-error, compression-error, device-error and job-canceled belong to a job.
 * - cupsd answers internal-error also when it has created the job but cannot store its document.
 * - temporary-error is also for errors during printing.
 */
const errors = new Map<number, [name: string, verdict: 'busy' | 'refused']>([
  [0x0400, ['client-error-bad-request', 'refused']],
  [0x0401, ['client-error-forbidden', 'refused']],
  [0x0402, ['client-error-not-authenticated', 'refused']],
  [0x0403, ['client-error-not-authorized', 'refused']],
  // cupsd: MaxJobs or a quota is reached.
  [0x0404, ['client-error-not-possible', 'busy']],
  [0x0406, ['client-error-not-found', 'refused']],
  [0x0407, ['client-error-gone', 'refused']],
  [0x0408, ['client-error-request-entity-too-large', 'refused']],
  [0x0409, ['client-error-request-value-too-long', 'refused']],
  [0x040a, ['client-error-document-format-not-supported', 'refused']],
  [0x040b, ['client-error-attributes-or-values-not-supported', 'refused']],
  [0x040c, ['client-error-uri-scheme-not-supported', 'refused']],
  [0x040d, ['client-error-charset-not-supported', 'refused']],
  [0x040e, ['client-error-conflicting-attributes', 'refused']],
  [0x040f, ['client-error-compression-not-supported', 'refused']],
  [0x0501, ['server-error-operation-not-supported', 'refused']],
  [0x0502, ['server-error-service-unavailable', 'busy']],
  [0x0503, ['server-error-version-not-supported', 'refused']],
  [0x0506, ['server-error-not-accepting-jobs', 'busy']],
  [0x0507, ['server-error-busy', 'busy']],
  [0x0509, ['server-error-multiple-document-jobs-not-supported', 'refused']],
  [0x050a, ['server-error-printer-is-deactivated', 'busy']],
  [0x050b, ['server-error-too-many-jobs', 'busy']],
]);

const notFound = 0x0406;
const gone = 0x0407;

/** Returns what a status says about a Print-Job. */
export function verdictOf(status: number): Verdict {
  return isSuccess(status) ? 'accepted' : (errors.get(status)?.[1] ?? 'unclear');
}

/** Whether the operation was done, perhaps with attributes ignored or substituted (RFC 8011, B.1.2). */
export function isSuccess(status: number): boolean {
  return status <= 0x00ff;
}

/** Whether what the request is about does not exist, or not any more. */
export function isMissing(status: number): boolean {
  return status === notFound || status === gone;
}

/** Returns the name of a status, or its number. */
export function nameOfStatus(status: number): string {
  return errors.get(status)?.[0] ?? `0x${status.toString(16).padStart(4, '0')}`;
}
