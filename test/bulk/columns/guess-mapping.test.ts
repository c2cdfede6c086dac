// Level: unit

import { kindOfColumn } from '#common/bulk/check/column-words.ts';
import { findCellFaults } from '#common/bulk/check/find-cell-faults.ts';
import { guessMapping } from '#common/bulk/check/guess-mapping.ts';
import { readLetter, recipientOf } from '#common/bulk/check/read-letter.ts';
import type { Mode } from '#common/modes.ts';
import { describe, expect, test } from '#test/support/jest.ts';

const headers: [string, Record<string, number[]>][] = [
  [
    'Name;Address 1;Address 2;Postcode;City;Country',
    { name: [0], line1: [1], line2: [2], zip: [3], city: [4], country: [5] },
  ],
  [
    'Prénom;Nom;Rue;Numéro;Code postal;Localité;Pays',
    { name: [0, 1], line1: [2, 3], zip: [4], city: [5], country: [6] },
  ],
  [
    'Lidnummer;Voornaam;Achternaam;Straat;Nr.;Bus;POSTCODE;Gemeente',
    { reference: [0], name: [1, 2], line1: [3, 4], box: [5], zip: [6], city: [7] },
  ],
  [
    'Firma;Straße;PLZ;Ort;Länderkennzeichen;Kundennummer',
    { name: [0], line1: [1], zip: [2], city: [3], country: [4], reference: [5] },
  ],
  ['A;B;C', {}],
];

describe('columns of a list', () => {
  test.each(headers)('%s', (header, expected) => {
    expect(guessMapping(header.split(';')).fields).toEqual(expected);
  });

  test('variables of a template are found by their names, whatever their case and accents', () => {
    const { variables } = guessMapping(['Naam', 'Montant dû', 'due_date'], ['montant du', 'Due date', 'other']);
    expect(variables).toEqual([
      { name: 'montant du', column: 1 },
      { name: 'Due date', column: 2 },
    ]);
  });
});

describe('headings', () => {
  test.each([
    ...['Straat/nr', 'Straat + nr', 'Straat, nr', 'Straat en nr', 'Rue et n°', 'Ulica i nr', 'Via e numero'].map(
      (heading) => [heading, 'street'],
    ),
    ...[
      ['Town/City', 'city'],
      ['Postnr', 'zip'],
      ['Name 1', 'name'],
      ['Adres eigenaar', 'address'],
      ['Nom et prénom', 'fullName'],
    ],
    ...[
      ['Land van bestemming', 'country'],
      ['Pays de destination', 'country'],
      ['Woonland', 'country'],
      ['Name 2', undefined],
    ],
    ...[
      ['Client No', 'reference'],
      ['Contact number', undefined],
      ['State/Region', 'state'],
      ['c/o', 'careOf'],
    ],
  ])('%s is %s', (heading = '', role) => {
    expect(kindOfColumn(heading)?.role).toBe(role);
  });

  test('the group of an address stands before the heading, or behind it', () => {
    const groups = ['Billing City', 'City (Billing)', 'Ort geschäftlich', 'Ville de correspondance', 'Rue (bureau) 2'];
    expect(groups.map((heading) => kindOfColumn(heading)?.group)).toEqual([
      ...['billing', 'billing', 'geschaftlich', 'correspondance', 'bureau'],
    ]);
  });

  test('a long text is no heading', () => {
    expect(kindOfColumn(`${'to'.repeat(3)}name`)?.role).toBe('name');
    expect(kindOfColumn(`${'to'.repeat(5)}name`)).toBeNull();
    expect(kindOfColumn('to'.repeat(100_000))).toBeNull();
  });
});

describe('faults of cells', () => {
  const mapping = { fields: { name: [0], line1: [1], zip: [2], city: [3], country: [4] }, variables: [] };
  const good = ['Ada', 'Rue Haute 1', '1000', 'Bruxelles', 'BE'];
  type Zone = 'NATIONAL' | 'INTERNATIONAL' | null;
  const faultsOf = (changes: Record<number, string>, zone: Zone = null, mode: Mode = 'live') => {
    const cells = good.map((cell, index) => changes[index] ?? cell);
    const faults = findCellFaults(readLetter(cells, mapping, zone), mapping, { zone, mode });
    return faults.map(({ column, code, detail }) => [column, code, ...(code === 'invisible' ? [detail] : [])]);
  };

  test('each fault has its column, all of a row at once', () => {
    expect(faultsOf({})).toEqual([]);
    expect(faultsOf({ 0: '', 4: 'Belgix' })).toEqual([
      [0, 'missing'],
      [4, 'unknown_country'],
    ]);
    expect(faultsOf({ 0: '=1+1', 1: 'x'.repeat(101), 3: 'LiÃ¨ge' })).toEqual([
      [0, 'formula'],
      [1, 'too_long'],
      [3, 'garbled'],
    ]);
    expect(faultsOf({ 0: 'Ada\nPeeters' })).toEqual([[0, 'control_characters']]);
    expect(faultsOf({ 2: '123' })).toEqual([[2, 'belgian_zip']]);
    expect(faultsOf({ 2: '1067', 4: 'Deutschland' })).toEqual([[2, 'lost_zero']]);
    expect(faultsOf({ 4: 'FR', 2: '75001' }, 'NATIONAL')).toEqual([[4, 'not_national']]);
    expect(faultsOf({}, 'INTERNATIONAL')).toEqual([[4, 'not_international']]);
  });

  test('invisible and lost characters are faults, but in a reference; those of no width are left out', () => {
    expect(faultsOf({ 0: 'Ada\ufffd', 3: '\u202eLiège', 4: 'B\u2028E' })).toEqual([
      [0, 'garbled'],
      [3, 'invisible', '1 (U+202E)'],
      [4, 'invisible', '2 (U+2028)'],
    ]);
    expect(faultsOf({ 0: '\u200b\u00ad', 3: 'MartÃ\u00adnez' })).toEqual([
      [0, 'missing'],
      [3, 'garbled'],
    ]);
    const cells = ['A\u00adda\u200b', 'Rue\ufeff 1', '1000\u200b', 'Liège', 'B\u200dE', 'a\u202eb\ufffd\u200b'];
    const withReference = { ...mapping, fields: { ...mapping.fields, reference: [5] } };
    const letter = readLetter(cells, withReference, null);
    expect(findCellFaults(letter, withReference, { zone: null, mode: 'live' })).toEqual([]);
    expect(recipientOf(letter)).toMatchObject({ name: 'Ada', line1: 'Rue 1', zip: '1000', country: 'BE' });
    expect(letter.reference).toBe('a\u202eb\ufffd\u200b');
  });

  test('a line that chooses an outcome is for test bulks, and one of the known', () => {
    expect(faultsOf({ 1: 'sandbox:moved' }, null, 'test')).toEqual([]);
    for (const line1 of ['sandbox:nothing', 'sandbox:', 'Sandbox:Moved', 'SANDBOX: moved']) {
      expect(faultsOf({ 1: line1 }, null, 'test')).toEqual([[1, 'sandbox_outcome']]);
      expect(faultsOf({ 1: line1 })).toEqual([[1, 'sandbox_outcome']]);
    }
    expect(faultsOf({ 1: 'sandbox:moved' })).toEqual([[1, 'sandbox_outcome']]);
  });

  test('what lists commonly contain is understood', () => {
    for (const country of ['be', 'Belgique', 'België', 'Belgien', 'BELGIUM', ''])
      expect(faultsOf({ 4: country })).toEqual([]);
    expect(faultsOf({ 2: 'B-1000' })).toEqual([]);
    expect(faultsOf({ 1: "'-1 Rue Haute" })).toEqual([]);
    for (const name of ['@Work BV', '=Design', '+32 Events', '-Plus (Gent)']) expect(faultsOf({ 0: name })).toEqual([]);
    for (const name of ['=SUM(A1)', '@SUM(A1)', '=A1&B1']) expect(faultsOf({ 0: name })).toEqual([[0, 'formula']]);
    expect(faultsOf({ 4: 'Frankrijk', 2: '75001' })).toEqual([]);
  });
});
