import { createHash } from 'node:crypto';
import { isCountryCode } from '#common/countries.ts';
import { checkAddresses } from '#common/documents/addressing/check-addresses.ts';
import type { EnvelopeScheme } from '#common/documents/sheet/envelope-schemes.ts';
import { bulkRowId } from '#common/ids.ts';
import type { Language } from '#common/languages.ts';
import { quote } from '#common/mail-jobs/create/quote.ts';
import type { PostalAddress } from '#common/organizations/organization.model.ts';
import type { TableRow } from '../file/read-table.ts';
import {
  type BulkCounts,
  type BulkPrice,
  type BulkRecord,
  type CheckProgress,
  maxWarnedRows,
} from '../model/bulk.model.ts';
import { type BulkMapping, columnOfField } from '../model/bulk-fields.ts';
import { type BulkOverview, createOverview } from '../model/bulk-overview.ts';
import type { BulkRowRecord, RowFault } from '../model/bulk-row.model.ts';
import {
  findCellFaults,
  findOversizedCells,
  findSwallowedRows,
  findUnusualCode,
  required,
} from './find-cell-faults.ts';
import { findChangedCells } from './find-changed-cells.ts';
import { type LetterFields, readLetter, recipientOf, zoneOf } from './read-letter.ts';

/** What the document of a row is: pages, or its faults. */
export type RowDocument = { pages: number; s3Key?: string; faults: RowFault[] };

export type RowCheck = {
  bulk: BulkRecord;
  mapping: BulkMapping;
  scheme: EnvelopeScheme;
  sender: PostalAddress;
  /** Returns the document of each row, in order. Called for rows whose cells have no faults. */
  documentsOf(rows: readonly (TableRow & { letter: LetterFields })[]): Promise<readonly RowDocument[]>;
  /** Of the template: its numbers are written so. */
  language: Language;
  isSpreadsheet: boolean;
  /** What the rows add up to that were checked before and are recalled. */
  before: Pick<CheckProgress, 'counts' | 'warnedRows' | 'prices' | 'overview'>;
  at: Date;
};

/** Checks the rows of a bulk, in order. */
export type RowChecker = {
  /** Remembers rows that were checked before, to find repeated ones. */
  recall(rows: readonly TableRow[]): void;
  check(rows: readonly TableRow[]): Promise<BulkRowRecord[]>;
  /** Returns what all rows so far add up to. */
  result(): {
    counts: BulkCounts;
    warnedRows: number[];
    prices: BulkPrice[];
    totalCents: number;
    overview: BulkOverview;
  };
};

const noRows = { rows: 0, valid: 0, faulty: 0, duplicates: 0, warned: 0, assumedBelgian: 0 };

/** Creates the checker of one bulk. It remembers all references and letters of the file, to find repeated ones. */
export function createRowChecker(work: RowCheck): RowChecker {
  const { bulk, mapping, scheme, sender, documentsOf, before, at } = work;
  const counts: Required<BulkCounts> = { ...noRows, ...before.counts };
  const [warnedRows, overview] = [[...before.warnedRows], createOverview(before.overview)];
  const prices = new Map(before.prices.map((price) => [`${price.zone} ${price.pages}`, { ...price }]));
  const [references, letters] = [new Map<bigint, number>(), new Map<bigint, number>()];
  const columnOf = (field: keyof PostalAddress | 'reference') => columnOfField(mapping, field);

  function findRepeats(row: TableRow, letter: LetterFields): { faults: RowFault[]; warnings: RowFault[] } {
    const { reference } = letter;
    const sameReference = reference === '' ? undefined : remember(references, keyOf([reference]), row.row);
    if (sameReference !== undefined) {
      const [column, detail] = [columnOf('reference'), String(sameReference)];
      return { faults: [{ column, code: 'repeated_reference', detail }], warnings: [] };
    }
    // With a reference of its own, or other values, two letters to one address are meant.
    const key = bulk.template ? row.cells : [...Object.values(recipientOf(letter)), reference, letter.file];
    const sameLetter = remember(letters, keyOf(key), row.row);
    const warning = { column: columnOf('name'), code: 'same_letter', detail: String(sameLetter) } as const;
    return { faults: [], warnings: sameLetter === undefined ? [] : [warning] };
  }

  /** The price of a letter is computed once for each zone and page count. */
  async function priceOf(letter: LetterFields, pages: number): Promise<number> {
    const zone = bulk.zone ?? zoneOf(letter);
    const key = `${zone} ${pages}`;
    const known = prices.get(key) ?? (await priceNew(bulk, { zone, pages, at }));
    prices.set(key, known);
    known.letters += 1;
    return known.unitCents;
  }

  return {
    recall(rows) {
      for (const row of rows) findRepeats(row, readLetter(row.cells, mapping, bulk.zone));
    },
    async check(rows) {
      const read = rows.map((row) => ({ ...row, letter: readLetter(row.cells, mapping, bulk.zone) }));
      const ofCells = read.map((row) => checkCells(row, work));
      const found = ofCells.map(({ faults }) => faults);
      const complete = read.filter((_, index) => found[index]?.length === 0);
      const addressFaults = await findAddressFaults(read, found, { scheme, sender, columnOf });
      const documents = await documentsOf(complete);
      const documentOf = new Map(complete.map((row, index) => [row.row, documents[index]]));

      const records: BulkRowRecord[] = [];
      for (const [index, { letter, ...row }] of read.entries()) {
        const [document, ofAddress] = [documentOf.get(row.row), addressFaults.get(row.row)];
        const repeats = findRepeats(row, letter);
        const ofRow = [
          ...(found[index] ?? []),
          ...(ofAddress?.faults ?? []),
          ...(document?.faults ?? []),
          ...repeats.faults,
        ];
        const isValid = ofRow.length === 0 && document !== undefined;
        const pages = document?.pages ?? 0;
        const priceCents = isValid ? await priceOf(letter, pages) : 0;
        counts.rows += 1;
        counts[isValid ? 'valid' : 'faulty'] += 1;
        if (isValid)
          overview.add({ ...row, recipient: recipientOf(letter), ...lengthOfText(work, row, pages), priceCents });
        const warnings = [...repeats.warnings, ...(ofAddress?.warnings ?? []), ...(ofCells[index]?.warnings ?? [])];
        if (isValid && repeats.warnings.length > 0) counts.duplicates += 1;
        if (isValid && letter.isAssumedBelgian) counts.assumedBelgian += 1;
        if (isValid && warnings.length > 0) {
          counts.warned += 1;
          if (warnedRows.length < maxWarnedRows) warnedRows.push(row.row);
        }
        records.push({
          ...{ _id: bulkRowId(bulk._id, row.row), bulkId: bulk._id, row: row.row, cells: row.cells },
          ...{ state: isValid ? 'valid' : 'faulty', faults: ofRow, priceCents, pages },
          warnings,
          ...(document?.s3Key !== undefined && { s3Key: document.s3Key }),
        });
      }
      return records;
    },
    result: () => ({ counts, warnedRows, ...sumUp([...prices.values()]), overview: overview.result() }),
  };
}

function lengthOfText({ bulk, mapping }: RowCheck, { cells }: TableRow, pages: number): { textLength: number } {
  if (!bulk.template) return { textLength: pages };
  return { textLength: mapping.variables.reduce((sum, { column }) => sum + (cells[column]?.length ?? 0), 0) };
}

async function priceNew(
  { serviceType, color, doubleSided, acknowledgmentReceipt }: BulkRecord,
  { zone, pages, at }: Pick<BulkPrice, 'zone' | 'pages'> & { at: Date },
): Promise<BulkPrice> {
  const { amounts } = await quote({ zone, serviceType, pages, color, doubleSided, acknowledgmentReceipt }, at);
  return { zone, pages, letters: 0, unitCents: amounts.totalCents, amounts };
}

/** Returns what is wrong with the cells of a row, and what was made of them. */
function checkCells({ cells, letter }: TableRow & { letter: LetterFields }, work: RowCheck) {
  const { bulk, mapping } = work;
  const missing = required.filter((field) => letter[field] === '');
  const { faults, warnings } = findChangedCells(cells, { ...work, missing });
  const swallowed = bulk.format?.separator ? findSwallowedRows(cells, bulk.format.separator) : [];
  const all = [...findOversizedCells(cells), ...swallowed, ...faults, ...findCellFaults(letter, mapping, bulk)];
  const unusual = all.length === 0 ? findUnusualCode(letter, mapping) : [];
  return { faults: uniqueByColumn(all), warnings: [...warnings, ...unusual] };
}

function sumUp(prices: BulkPrice[]): { prices: BulkPrice[]; totalCents: number } {
  const sorted = prices.toSorted((a, b) => a.pages - b.pages || (a.zone < b.zone ? 1 : -1));
  return { prices: sorted, totalCents: prices.reduce((sum, each) => sum + each.letters * each.unitCents, 0) };
}

type AddressCheck = {
  scheme: EnvelopeScheme;
  sender: PostalAddress;
  columnOf: (field: keyof PostalAddress) => number | null;
};

/**
 * Returns what is wrong with the address of each row, beside the faults of its cells. A sender that cannot be printed is
 * wrong in all.
 */
async function findAddressFaults(
  all: readonly { row: number; letter: LetterFields }[],
  ofCells: readonly (readonly RowFault[])[],
  { scheme, sender, columnOf }: AddressCheck,
): Promise<Map<number, Pick<BulkRowRecord, 'faults' | 'warnings'>>> {
  const rows = all.flatMap(({ row, letter }, index) => {
    const known = ofCells[index] ?? [];
    const canBeMeasured = isCountryCode(letter.country) && !known.some(({ code }) => code === 'too_long');
    return canBeMeasured
      ? [{ row, recipient: recipientOf(letter), known, faults: [] as RowFault[], warnings: [] as RowFault[] }]
      : [];
  });
  const problems = await checkAddresses({ scheme, sender, recipients: rows.map(({ recipient }) => recipient) });
  for (const { recipientIndex, field, characters, isSmall, problem } of problems) {
    if (recipientIndex === null) {
      const detail = `The address of the sender cannot be printed. ${problem.replace(`: ${characters}`, '')}`;
      for (const { faults } of rows) faults.push({ column: null, code: 'refused', detail });
      continue;
    }
    const code = isSmall ? 'address_small' : characters === undefined ? 'does_not_fit' : 'unprintable';
    const column = columnOf(field);
    const row = rows[recipientIndex];
    if (row?.known.some((each) => each.column === column)) continue;
    row?.[isSmall ? 'warnings' : 'faults'].push({ column, code, detail: characters ?? null });
  }
  return new Map(rows.map(({ row, faults, warnings }) => [row, { faults, warnings }]));
}

/** Returns the row that has this key already; undefined for a new key, which is remembered. */
function remember(known: Map<bigint, number>, key: bigint, row: number): number | undefined {
  const earlier = known.get(key);
  if (earlier === undefined) known.set(key, row);
  return earlier;
}

/** Returns 64 bits of a hash, which tell 100,000 letters apart. A number: part of a text would keep the whole text. */
function keyOf(values: readonly unknown[]): bigint {
  const text = JSON.stringify(values.map((value) => String(value ?? '').toLowerCase()));
  return createHash('sha256').update(text).digest().readBigUInt64BE();
}

function uniqueByColumn(faults: readonly RowFault[]): RowFault[] {
  return faults.filter(({ column }, index) => faults.findIndex((each) => each.column === column) === index);
}
