import type { Format } from '#common/documents/sheet/envelope-schemes.ts';
import type { MailJobRecord, PrintFileRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { countCopyPages } from '#common/mail-jobs/proof/item-copy.ts';
import { countSheets, type ProviderName } from '#common/services.ts';
import type { BatchKey } from './batch.model.ts';

/** Most sheets of 80 g paper in each envelope: six can be folded twice, eighteen once. */
const maxSheets = { DL: 6, C5: 18 } as const;

/** Returns the smallest envelope for a copy with this number of sheets. */
function formatFor(sheetCount: number): Format {
  if (sheetCount <= maxSheets.DL) return 'DL';
  return sheetCount <= maxSheets.C5 ? 'C5' : 'C4';
}

/** Returns the number of sheets of each copy. */
export function countCopySheets(printFile: PrintFileRecord): number {
  return countSheets(countCopyPages(printFile), printFile);
}

/** Returns what decides with which other letters a letter goes to press, but for the part. */
export function batchKeyOf(
  job: Pick<MailJobRecord, 'dropAt' | 'zone' | 'serviceType' | 'color' | 'acknowledgmentReceipt'>,
  printFile: PrintFileRecord,
  provider: ProviderName,
): Omit<BatchKey, 'part'> {
  const { dropAt: cutoffAt, zone, serviceType, color } = job;
  return {
    cutoffAt,
    provider,
    zone,
    serviceType,
    format: formatFor(countCopySheets(printFile)),
    window: printFile.scheme,
    color,
    ...(printFile.doubleSided === false && { doubleSided: false }),
    // Without registration it has no effect.
    acknowledgmentReceipt: serviceType === 'registered' && job.acknowledgmentReceipt,
  };
}
