import { z } from 'zod';
import type { Credential } from '#common/access/credential.ts';
import { CreatedBy, toCreatedBy } from '#common/audit/created-by.ts';
import { openEnum } from '#common/fields/open-enum.schema.ts';
import { modes } from '#common/modes.ts';
import { serviceTypes, zones } from '#common/services.ts';
import { type BulkRecord, bulkFailures, bulkStates, hasNoRows, pauseCodes } from './bulk.model.ts';
import { bulkFields, fieldSeparators } from './bulk-fields.ts';
import { BulkFormat, toFormatView } from './bulk-format.view.ts';

const count = z.int().min(0);

/** A bulk. */
export const BulkView = z
  .object({
    bulkId: z.string(),
    status: openEnum(bulkStates).describe(
      '`validating`: the rows are checked. `needs_mapping`: see `missingFields`, `undecidedColumns` and `format.choices.encodings`. `needs_attention`: rows have faults. `ready`: can be confirmed. `failed`: see `failure`.',
    ),
    mode: z.enum(modes),
    failure: z
      .object({ code: openEnum(bulkFailures), message: z.string() })
      .nullable()
      .describe('Why the file or the document cannot be used.'),
    pause: z
      .object({ code: openEnum(pauseCodes), message: z.string() })
      .nullable()
      .describe('Why it is paused.'),
    file: z.object({ filename: z.string(), sizeBytes: z.int() }),
    format: BulkFormat.nullable(),
    columns: z.array(z.string()).describe('The header of the file.'),
    mapping: z
      .object({
        ...(Object.fromEntries(bulkFields.map((field) => [field, z.array(z.string())])) as Record<
          (typeof bulkFields)[number],
          z.ZodArray<z.ZodString>
        >),
        variables: z.record(z.string(), z.string()),
        separators: z
          .record(z.string(), z.enum(fieldSeparators))
          .describe('Between the columns of a field; absent: a space.'),
        defaultCountry: z.string().nullable().describe('The country of rows without one, as you chose it.'),
      })
      .nullable()
      .describe('The columns of each field; an empty list without one.'),
    missingFields: z.array(z.string()).describe('Fields that every letter needs and that have no column.'),
    unusedColumns: z
      .array(z.string())
      .describe('Columns with content that no letter uses. Look at them before you confirm.'),
    undecidedColumns: z
      .array(z.string())
      .describe(
        'Those of `unusedColumns` that look like a part of the address. The bulk waits in `needs_mapping` until you map them or name them in `ignoredColumns`.',
      ),
    ignoredColumns: z.array(z.string()).describe('Columns that you do not need, as you named them.'),
    serviceType: z.enum(serviceTypes),
    zone: z.enum(zones).nullable().describe('Null: each row by its country.'),
    color: z.boolean(),
    doubleSided: z.boolean(),
    acknowledgmentReceipt: z.boolean(),
    scheduledDropAt: z.string().nullable(),
    templateId: z.string().nullable(),
    rows: z
      .object({ total: count, valid: count, faulty: count, duplicates: count, warned: count })
      .describe(
        '`duplicates`: valid rows whose letter equals that of an earlier row. `warned`: valid rows with `warnings`.',
      ),
    revision: count.describe('How often its columns or its reading were chosen. Name it when you confirm.'),
    currency: z.literal('EUR'),
    totalCents: count.nullable().describe('The price of all valid rows, VAT included. Null before they are checked.'),
    prices: z
      .array(z.object({ zone: z.enum(zones), pages: z.int(), letters: count, unitCents: count }))
      .describe('The price of one letter of each kind, VAT included.'),
    progress: z
      .object({ sent: count, sentCents: count, refused: count, cancelled: count, notCancelled: count })
      .describe('`cancelled` and `notCancelled`: letters after the bulk was cancelled; the latter were too late.'),
    rowsRemoved: z
      .boolean()
      .describe(
        'Whether its rows were removed: 30 days after its end, or with its cancellation when it was never confirmed.',
      ),
    createdBy: CreatedBy,
    confirmedAt: z.iso.datetime().nullable(),
    completedAt: z.iso.datetime().nullable(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'Bulk' });
export type BulkView = z.infer<typeof BulkView>;

export function toBulkView(bulk: BulkRecord, viewer: Pick<Credential, 'actor'>): BulkView {
  const { failure, pause, file, format, counts, progress, prices } = bulk;
  return {
    bulkId: bulk._id,
    ...{ status: bulk.state, mode: bulk.mode },
    failure: failure && { code: failure.code, message: failure.message },
    pause: pause && { code: pause.code, message: pause.message },
    file: { filename: file.filename, sizeBytes: file.sizeBytes },
    format: format && toFormatView(format, bulk.reading, counts),
    columns: bulk.header,
    mapping: viewMapping(bulk),
    missingFields: bulk.missing,
    unusedColumns: bulk.unusedColumns ?? [],
    undecidedColumns: bulk.undecidedColumns ?? [],
    ignoredColumns: bulk.ignoredColumns ?? [],
    ...{ serviceType: bulk.serviceType, zone: bulk.zone, color: bulk.color },
    doubleSided: bulk.doubleSided ?? true,
    ...{ acknowledgmentReceipt: bulk.acknowledgmentReceipt, scheduledDropAt: bulk.scheduledDropAt },
    templateId: bulk.template?.templateId ?? null,
    rows: {
      ...{ total: counts.rows, valid: counts.valid, faulty: counts.faulty },
      ...{ duplicates: counts.duplicates, warned: counts.warned ?? 0 },
    },
    ...{ revision: bulk.revision ?? 0, currency: 'EUR', totalCents: bulk.totalCents },
    prices: prices.map(({ zone, pages, letters, unitCents }) => ({ zone, pages, letters, unitCents })),
    progress: {
      ...{ sent: progress.sent, sentCents: progress.sentCents, refused: progress.refused },
      ...{ cancelled: progress.cancelled, notCancelled: progress.notCancelled },
    },
    rowsRemoved: hasNoRows(bulk),
    createdBy: toCreatedBy(bulk, viewer),
    confirmedAt: bulk.confirmedAt?.toISOString() ?? null,
    completedAt: bulk.completedAt?.toISOString() ?? null,
    createdAt: bulk.createdAt.toISOString(),
    updatedAt: bulk.updatedAt.toISOString(),
  };
}

function viewMapping({ mapping, header }: BulkRecord): BulkView['mapping'] {
  if (mapping === null) return null;
  const nameOf = (column: number) => header[column] ?? '';
  const fields = Object.fromEntries(bulkFields.map((field) => [field, (mapping.fields[field] ?? []).map(nameOf)]));
  const variables = Object.fromEntries(mapping.variables.map(({ name, column }) => [name, nameOf(column)]));
  return {
    ...(fields as Record<(typeof bulkFields)[number], string[]>),
    variables,
    separators: mapping.separators ?? {},
    defaultCountry: mapping.defaultCountry ?? null,
  };
}
