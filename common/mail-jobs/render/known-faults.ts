import { type DocumentError, faultOfFile, isDocumentFault } from '#common/documents/isolation/document-error.ts';
import type { UploadFault } from '#common/uploads/upload.model.ts';
import { findUploadFaults, recordUploadFault, recordUploadStrike } from '#common/uploads/upload-findings.ts';
import type { MailJobRecord } from '../model/mail-job.model.ts';

type JobFiles = Pick<MailJobRecord, 'organizationId' | 'files' | 'pages'>;

/** Throws the `DocumentError` of an earlier render of the same bytes, if it is final. Renders nothing. */
export async function refuseKnownFaults({ organizationId, files, pages }: JobFiles): Promise<void> {
  const known = await findUploadFaults({ organizationId }, files);
  for (const [index, { s3Key }] of files.entries()) {
    const fault = known.get(s3Key);
    if (fault && isDocumentFault(fault.name) && isFinal(fault, pages)) throw faultOfFile(fault.name, index);
  }
}

/**
 * Records the fault of a file for later mail jobs with the same bytes. `out_of_time` is not recorded, because a slow
 * machine causes it too. `out_of_cpu` may also come from a briefly slow machine: the first time is recorded as a
 * strike, the second time for the same bytes as `too_hard`.
 */
export async function recordFault(
  { organizationId, files, pages }: JobFiles,
  { fault, fileIndex }: DocumentError,
): Promise<void> {
  const named = fileIndex === undefined ? undefined : files[fileIndex];
  if (!named || !fault || fault === 'out_of_time') return;
  const file = { ...named, organizationId };
  if (fault === 'out_of_cpu') await recordUploadStrike(file, { first: fault, final: 'too_hard', pages });
  else await recordUploadFault(file, { name: fault, pages });
}

/** A strike is not final. Time limits grow with the paid pages, so a job with more pages gets another try. */
function isFinal({ name, pages }: UploadFault, paidPages: number): boolean {
  if (name === 'out_of_cpu') return false;
  return name !== 'too_hard' || paidPages <= pages;
}
