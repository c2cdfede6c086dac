import type { PrintFile } from '#common/documents/print-file/render-print-file.ts';
import type { Placement, SchemeName } from '#common/documents/sheet/envelope-schemes.ts';
import type { PrintFileRecord } from '../model/mail-job.model.ts';

type Printed = { scheme: SchemeName; color?: boolean | undefined; doubleSided?: boolean | undefined };
type Stored = Omit<PrintFile, 'filePageCounts'> & { placement: Placement; s3Key: string; renderedAt: Date };

/** Returns what its copies are made by, of a stored print file. */
export function toPrintFileRecord({ scheme, color, doubleSided }: Printed, file: Stored): PrintFileRecord {
  const { s3Key, sha256, sizeBytes, pageCount, renderedAt, placement, report } = file;
  const coloured = report?.pages.flatMap(({ isColoured }, index) => (isColoured ? [index] : [])) ?? [];
  const grey = color || coloured.length === 0 ? {} : { greyPages: coloured };
  const sides = doubleSided === false ? { doubleSided } : {};
  return { s3Key, sha256, sizeBytes, pageCount, renderedAt, scheme, placement, ...sides, ...grey };
}
