import { z } from 'zod';
import { openEnum } from '#common/fields/open-enum.schema.ts';
import { tableSeparators } from '../file/detect-separator.ts';
import { tableEncodings } from '../file/encoding/table-encodings.ts';
import type { TableFormat } from '../file/read-table.ts';
import { hiddenRowChoices, type Reading, tableKinds } from '../file/reading.ts';
import type { BulkCounts } from './bulk.model.ts';

const amount = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** What the owner should know about how a file was read, in English; pages have these texts in their languages. */
const readingWarnings = {
  other_sheets: (count) =>
    `The file has ${amount(count, 'other visible sheet')}, not sent with this one. Choose the sheet in reading.sheet.`,
  hidden_rows: (count) =>
    `The sheet has ${amount(count, 'hidden row')}, sent like the others. Leave hidden rows out by reading.hiddenRows.`,
  merged_cells: (count) =>
    `In merged cells over several rows: ${amount(count, 'cell')}, each read with the value of the first. Check these rows.`,
  title_rows: (count) =>
    `Not sent: ${amount(count, 'row')} above the heading. Choose the heading in reading.headerRow.`,
  second_heading: () => 'The row below the heading names the columns once more, and is not sent.',
  no_heading: () => 'The first row is no heading: it is sent, and columns have numbers. See reading.headerRow.',
  twice_encoded: (count) =>
    `Encoded twice, such as LiÃ¨ge: ${amount(count, 'cell')}. Repair the text by reading.repairText.`,
  assumed_country: (count) =>
    `Without a country, and sent within Belgium: ${amount(count, 'row')}. Confirm that, or choose another country, by mapping.defaultCountry.`,
} as const satisfies Record<string, (count: number) => string>;
export type ReadingWarningCode = keyof typeof readingWarnings;
const warningCodes = Object.keys(readingWarnings) as [ReadingWarningCode, ...ReadingWarningCode[]];

/** Returns what the owner should know about how a file was read, each with a count. */
export function findReadingWarnings(format: TableFormat, reading: Reading = {}, counts?: BulkCounts) {
  const { sheet, sheets = [], hiddenRows = 0, mergedCells = 0, twiceEncoded = 0 } = format;
  const { titleRows = 0, secondHeading, headerRow } = format;
  const others = sheets.filter(({ name, isHidden }) => !isHidden && name !== sheet);
  const found: [ReadingWarningCode, number][] = [
    ['other_sheets', reading.sheet === undefined ? others.length : 0],
    ['hidden_rows', reading.hiddenRows === undefined ? hiddenRows : 0],
    ['merged_cells', mergedCells],
    ['title_rows', titleRows],
    ['second_heading', secondHeading ? 1 : 0],
    ['no_heading', headerRow === 0 ? 1 : 0],
    ['twice_encoded', reading.repairText === undefined ? twiceEncoded : 0],
    ['assumed_country', counts?.assumedBelgian ?? 0],
  ];
  return found.filter(([, count]) => count > 0);
}

const encoding = openEnum(tableEncodings);

/** How a file was read, and what else there is to choose from. */
export const BulkFormat = z
  .object({
    kind: openEnum(tableKinds).describe('`zip`: PDFs with an index.'),
    encoding: encoding.nullable(),
    separator: openEnum(tableSeparators).nullable(),
    sheet: z.string().nullable(),
    headerRow: z.int().nullable().describe('The row of the heading. 0: the list has none, and columns have numbers.'),
    hiddenRows: openEnum(hiddenRowChoices).nullable().describe('What becomes of hidden rows. Null without any.'),
    repairText: z.boolean().describe('Whether text that was encoded twice is repaired.'),
    choices: z
      .object({
        encodings: z
          .array(z.object({ encoding, cells: z.array(z.string()).describe('Cells that tell them apart.') }))
          .describe('Not empty: several are likely, and one is to be chosen before the bulk can be confirmed.'),
        sheets: z.array(z.object({ name: z.string(), hidden: z.boolean() })),
        hiddenRows: z.int().describe('Hidden rows with content.'),
        twiceEncodedCells: z.int().describe('Cells that `repairText` changes.'),
      })
      .describe('What `reading` can choose, in `POST /v1/bulk/{id}/mapping`.'),
    warnings: z
      .array(z.object({ code: openEnum(warningCodes), message: z.string() }))
      .describe('What you should know about how it was read.'),
  })
  .meta({ id: 'BulkFormat', description: 'How the file was read, and what else can be chosen.' });

export function toFormatView(format: TableFormat, reading: Reading = {}, counts?: BulkCounts) {
  const { kind, encoding = null, separator = null, sheet = null, headerRow = null } = format;
  const { likely = [], sheets = [], hiddenRows = 0, twiceEncoded = 0 } = format;
  return {
    ...{ kind, encoding, separator, sheet, headerRow },
    hiddenRows: hiddenRows > 0 ? (reading.hiddenRows ?? 'send') : null,
    repairText: reading.repairText ?? false,
    choices: {
      encodings: likely,
      sheets: sheets.map(({ name, isHidden }) => ({ name, hidden: isHidden })),
      ...{ hiddenRows, twiceEncodedCells: twiceEncoded },
    },
    warnings: findReadingWarnings(format, reading, counts).map(([code, count]) => ({
      code,
      message: readingWarnings[code](count),
    })),
  };
}
