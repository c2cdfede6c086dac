import { z } from 'zod';
import { addressFields, CountryCode, lineOfText, possibleZip } from '#common/fields/text.schema.ts';
import { MailRequest, mailJobLimits, RequestFile } from '#common/mail-jobs/model/mail-request.schema.ts';
import { bulkMimeTypes } from '#common/mime-types.ts';
import { serviceTypes, zones } from '#common/services.ts';
import { tableSeparators } from '../file/detect-separator.ts';
import { tableEncodings } from '../file/encoding/table-encodings.ts';
import { hiddenRowChoices, type Reading } from '../file/reading.ts';
import { maxRowNumber, maxSheetName, tableLimits } from '../file/table-limits.ts';
import { bulkFields, fieldSeparators, maxJoinedColumns } from './bulk-fields.ts';

/** The body of POST /v1/bulk/uploads. */
export const BulkUploadRequest = z
  .strictObject({
    filename: lineOfText(255),
    mimeType: z.enum(bulkMimeTypes).describe('CSV, XLSX, or a ZIP of PDFs with an index in CSV.'),
    sizeBytes: z.int().min(1).max(tableLimits.fileBytes).describe('Exactly the size of the file.'),
  })
  .meta({ id: 'BulkUploadRequest' });

const ColumnName = lineOfText(200);
const JoinedColumns = z.array(ColumnName).min(1).max(maxJoinedColumns);
const Columns = z.union([
  ColumnName,
  JoinedColumns,
  z.strictObject({ columns: JoinedColumns, separator: z.enum(fieldSeparators) }),
]);
const IgnoredColumns = z
  .array(ColumnName)
  .max(tableLimits.columns)
  .nullish()
  .describe('Columns that the letters do not need, by their names in the header: of `undecidedColumns`, for example.');

/** Which column is which field of the letter. */
export const BulkMappingInput = z
  .strictObject({
    ...(Object.fromEntries(bulkFields.map((field) => [field, Columns.nullish()])) as Record<
      (typeof bulkFields)[number],
      z.ZodOptional<z.ZodNullable<typeof Columns>>
    >),
    variables: z.record(lineOfText(100), ColumnName).nullish(),
    defaultCountry: CountryCode.nullish().describe('The country of rows without one. Absent: Belgium, with a warning.'),
  })
  .meta({
    id: 'BulkMappingInput',
    description:
      'The columns of each field by their names in the header. Several are joined in this order, with a space or the `separator`. The fields replace the guess: with any of them, one that is absent or `null` has no column. `variables` replace the columns of the same names.',
  });
export type BulkMappingInput = z.infer<typeof BulkMappingInput>;

/** How the file is read. */
export const BulkReadingInput = z
  .strictObject({
    encoding: z.enum(tableEncodings).nullish().describe('Of a CSV file.'),
    separator: z.enum(tableSeparators).nullish().describe('Of a CSV file.'),
    sheet: z.string().min(1).max(maxSheetName).nullish().describe('The name of the sheet of an XLSX file.'),
    headerRow: z.int().min(0).max(maxRowNumber).nullish().describe('The row of the heading. 0: the list has none.'),
    hiddenRows: z.enum(hiddenRowChoices).nullish().describe('Absent: hidden rows are sent too.'),
    repairText: z.boolean().nullish().describe('Repair text that was encoded twice, such as `LiÃ¨ge`.'),
  })
  .meta({ id: 'BulkReadingInput', description: 'How the file is read. What is absent is recognized.' });

/** Returns the choices that were made. */
export function toReading(input: z.infer<typeof BulkReadingInput>): Reading {
  return Object.fromEntries(Object.entries(input).filter(([, value]) => value != null));
}

/** The body of POST /v1/bulk. */
export const BulkRequest = z
  .strictObject({
    file: z
      .strictObject({ s3Key: lineOfText(1_024) })
      .describe('From POST /v1/bulk/uploads; the file must be there already.'),
    files: z
      .array(RequestFile)
      .min(1)
      .max(mailJobLimits.files)
      .nullish()
      .describe('The document that every letter has, from POST /v1/uploads. Absent with a template, and for a ZIP.'),
    templateId: lineOfText(100).nullish(),
    templateVersion: z.int().min(1).nullish(),
    serviceType: z.enum(serviceTypes),
    zone: z.enum(zones).nullish().describe('Absent: each row by its country.'),
    color: z.boolean().nullish(),
    doubleSided: MailRequest.shape.doubleSided,
    acknowledgmentReceipt: z.boolean().nullish(),
    scheduledDropAt: MailRequest.shape.scheduledDropAt,
    sender: z
      .strictObject(addressFields)
      .check(possibleZip)
      .nullish()
      .describe('Absent: the default sender of the address book, else your own address.'),
    mapping: BulkMappingInput.nullish().describe('Absent: guessed.'),
    ignoredColumns: IgnoredColumns,
    reading: BulkReadingInput.nullish(),
  })
  .check(({ value, issues }) => {
    if (value.files && value.templateId) {
      issues.push({ code: 'custom', input: value, path: ['files'], message: 'Give files or a templateId, not both.' });
    }
  })
  .meta({ id: 'BulkRequest' });
export type BulkRequest = z.infer<typeof BulkRequest>;

/** The body of POST /v1/bulk/{id}/mapping. */
export const BulkMappingRequest = z
  .strictObject({
    mapping: BulkMappingInput.nullish().describe('Absent: as it was. `null`: guessed again.'),
    ignoredColumns: IgnoredColumns,
    reading: BulkReadingInput.nullish().describe('Read the file again so. Absent: it is not read again.'),
  })
  .meta({ id: 'BulkMappingRequest' });
export type BulkMappingRequest = z.infer<typeof BulkMappingRequest>;

/** The body of POST /v1/bulk/{id}/confirm. */
export const BulkConfirmRequest = z
  .strictObject({
    maxTotalCents: z.int().min(0).nullish().describe('Send only when the whole costs no more than this.'),
    revision: z
      .int()
      .min(0)
      .nullish()
      .describe('Send only what you saw: `CONFLICT` when the bulk has another `revision` by now.'),
    skipFaultyRows: z
      .boolean()
      .nullish()
      .describe('Send the rows without faults. Otherwise a bulk with faults is a CONFLICT.'),
  })
  .meta({ id: 'BulkConfirmRequest' })
  .default({});
export type BulkConfirmRequest = z.output<typeof BulkConfirmRequest>;
