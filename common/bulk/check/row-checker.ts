import { createHash } from 'node:crypto';
import { checkAddresses } from '#common/documents/addressing/check-addresses.ts';
import type { EnvelopeScheme } from '#common/documents/sheet/envelope-schemes.ts';
import { bulkRowId } from '#common/ids.ts';
import { quote } from '#common/mail-jobs/create/quote.ts';
import type { PostalAddress } from '#common/organizations/organization.model.ts';
import type { TableRow } from '../file/read-table.ts';
import type { BulkCounts, BulkPrice, BulkRecord } from '../model/bulk.model.ts';
import { type BulkMapping, columnOfField } from '../model/bulk-fields.ts';
import type { BulkRowRecord, RowFault } from '../model/bulk-row.model.ts';
import { findCellFaults, findOversizedCells } from './find-cell-faults.ts';
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
  at: Date;
};

/** Checks the rows of a bulk, in order. */
export type RowChecker = {
  check(rows: readonly TableRow[]): Promise<BulkRowRecord[]>;
  /** Returns what all rows so far add up to. */
  result(): { counts: BulkCounts; prices: BulkPrice[]; totalCents: number };
};

/** Creates the checker of one bulk. It remembers all references and letters of the file, to find repeated ones. */
export function createRowChecker({ bulk, mapping, scheme, sender, documentsOf, at }: RowCheck): RowChecker {
  const counts: BulkCounts = { rows: 0, valid: 0, faulty: 0, duplicates: 0 };
  const prices = new Map<string, BulkPrice>();
  const [references, letters] = [new Map<bigint, number>(), new Map<bigint, number>()];
  const columnOf = (field: keyof PostalAddress | 'reference') => columnOfField(mapping, field);

  function findRepeats(row: TableRow, letter: LetterFields): { faults: RowFault[]; warnings: RowFault[] } {
    const { reference } = letter;
    const sameReference = reference === '' ? undefined : remember(references, keyOf([reference]), row.row);
    if (sameReference !== undefined) {
      const fault = {
        column: columnOf('reference'),
        code: 'repeated_reference',
        detail: String(sameReference),
      } as const;
      return { faults: [fault], warnings: [] };
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
    const known = prices.get(key) ?? (await priceNew(zone, pages));
    prices.set(key, known);
    known.letters += 1;
    return known.unitCents;
  }

  async function priceNew(zone: BulkPrice['zone'], pages: number): Promise<BulkPrice> {
    const { serviceType, color, doubleSided, acknowledgmentReceipt } = bulk;
    const { amounts } = await quote({ zone, serviceType, pages, color, doubleSided, acknowledgmentReceipt }, at);
    return { zone, pages, letters: 0, unitCents: amounts.totalCents, amounts };
  }

  return {
    async check(rows) {
      const read = rows.map((row) => ({ ...row, letter: readLetter(row.cells, mapping, bulk.zone) }));
      const found = read.map(({ letter, cells }) =>
        uniqueByColumn([...findOversizedCells(cells), ...findCellFaults(letter, mapping, bulk)]),
      );
      const complete = read.filter((_, index) => found[index]?.length === 0);
      const addressFaults = await findAddressFaults(complete, { scheme, sender, columnOf });
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
        if (isValid && repeats.warnings.length > 0) counts.duplicates += 1;
        records.push({
          ...{ _id: bulkRowId(bulk._id, row.row), bulkId: bulk._id, row: row.row, cells: row.cells },
          ...{ state: isValid ? 'valid' : 'faulty', faults: ofRow, priceCents, pages },
          warnings: [...repeats.warnings, ...(ofAddress?.warnings ?? [])],
          ...(document?.s3Key !== undefined && { s3Key: document.s3Key }),
        });
      }
      return records;
    },
    result() {
      const list = [...prices.values()].sort((a, b) => a.pages - b.pages || (a.zone < b.zone ? 1 : -1));
      return { counts, prices: list, totalCents: list.reduce((sum, each) => sum + each.letters * each.unitCents, 0) };
    },
  };
}

type AddressCheck = {
  scheme: EnvelopeScheme;
  sender: PostalAddress;
  columnOf: (field: keyof PostalAddress) => number | null;
};

/** Returns what is wrong with the address of each row, if anything. A sender that cannot be printed is wrong in all. */
async function findAddressFaults(
  rows: readonly { row: number; letter: LetterFields }[],
  { scheme, sender, columnOf }: AddressCheck,
): Promise<Map<number, Pick<BulkRowRecord, 'faults' | 'warnings'>>> {
  const recipients = rows.map(({ letter }) => recipientOf(letter));
  const problems = await checkAddresses({ scheme, sender, recipients });
  return new Map(
    // The sender's problem is the first: as the last entry, it is the one that stays.
    problems.toReversed().flatMap(({ recipientIndex, field, characters, isSmall, problem }) => {
      if (recipientIndex === null) {
        const detail = `The address of the sender cannot be printed. ${problem.replace(`: ${characters}`, '')}`;
        const fault = { column: null, code: 'refused', detail } as const;
        return rows.map(({ row }) => [row, { faults: [fault], warnings: [] }] as const);
      }
      const code = isSmall ? 'address_small' : characters === undefined ? 'does_not_fit' : 'unprintable';
      const fault: RowFault = { column: columnOf(field), code, detail: characters ?? null };
      const found = isSmall ? { faults: [], warnings: [fault] } : { faults: [fault], warnings: [] };
      return rows.slice(recipientIndex, recipientIndex + 1).map(({ row }) => [row, found] as const);
    }),
  );
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
