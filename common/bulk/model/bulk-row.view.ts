import { z } from 'zod';
import { openEnum } from '#common/fields/open-enum.schema.ts';
import type { SentRow } from '../read/read-bulk.ts';
import type { RowFault } from './bulk-row.model.ts';
import { describeRowFault, rowFaultCodes } from './row-faults.ts';

const Fault = z
  .object({
    column: z.string().nullable().describe('The column by its name; null for the whole row.'),
    code: openEnum(rowFaultCodes),
    message: z.string().describe('What is wrong, and what to do.'),
  })
  .meta({ id: 'BulkRowFault' });

/** `sent`: is a mail job. `valid`: will be one after the confirmation. */
const rowStates = ['unchecked', 'valid', 'faulty', 'refused', 'sent'] as const;

/** A row of a bulk file. */
export const BulkRowView = z
  .object({
    row: z.int().describe('Its number in the file. The header is row 1.'),
    status: openEnum(rowStates),
    cells: z
      .array(z.string())
      .describe(
        'As in the file, in the order of `columns`. Once the bulk is sent, only those of columns that its letters use have a text. Empty once its letter is redacted.',
      ),
    faults: z.array(Fault),
    warnings: z.array(Fault).describe('What you should know; the row is sent all the same.'),
    priceCents: z.int().nullable().describe('Of its letter, VAT included. Null for a row with faults.'),
    mailJobId: z.string().nullable(),
  })
  .meta({ id: 'BulkRow' });
export type BulkRowView = z.infer<typeof BulkRowView>;

export function toBulkRowView({ record, job }: SentRow, header: readonly string[]): BulkRowView {
  const { row, state, cells, faults, warnings, priceCents } = record;
  const view = (fault: RowFault) => ({
    column: fault.column === null ? null : (header[fault.column] ?? null),
    code: fault.code,
    message: describeRowFault(fault),
  });
  return {
    row,
    status: job ? 'sent' : state,
    cells,
    faults: faults.map(view),
    warnings: warnings.map(view),
    priceCents: state === 'valid' ? priceCents : null,
    mailJobId: job?._id ?? null,
  };
}
