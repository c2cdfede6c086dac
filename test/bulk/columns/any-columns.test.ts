// Level: unit
import fc from 'fast-check';
import { columnWords } from '#common/bulk/check/column-words.ts';
import { toAddressLines } from '#common/documents/addressing/address-lines.ts';
import { readColumns } from '#test/support/bulk/read-columns.ts';
import { throughFile } from '#test/support/bulk/through-file.ts';
import { byLevel, describe, expect, test } from '#test/support/jest.ts';

/** Places with their own ways to write a street with its number and box, and a city with its state. */
const places = {
  gent: { country: 'BE', zip: '9000', city: 'Gent', boxed: (line: string, box: string) => `${line} bus ${box}` },
  liege: { country: 'BE', zip: '4000', city: 'Liège', boxed: (line: string, box: string) => `${line} bte ${box}` },
  koeln: { country: 'DE', zip: '50667', city: 'Köln', boxed: (line: string, box: string) => `${line}/${box}` },
  leiden: { country: 'NL', zip: '2311 AB', city: 'Leiden', boxed: (line: string, box: string) => `${line}-${box}` },
  milano: {
    country: 'IT',
    zip: '20121',
    city: 'Milano',
    state: 'MI',
    boxed: (line: string, box: string) => `${line}/${box}`,
  },
  leeds: { country: 'GB', zip: 'LS1 1AA', city: 'Leeds', boxed: (line: string, box: string) => `Flat ${box}, ${line}` },
  salem: {
    country: 'US',
    zip: '97301',
    city: 'Salem',
    state: 'OR',
    boxed: (line: string, box: string) => `${line} # ${box}`,
  },
};
const numberIsFirst = ['GB', 'US'];

const person = fc.record({
  ...{ firstName: fc.constantFrom('Ada', 'Jean-Pierre', 'Zoë'), infix: fc.constantFrom('', 'van den', "de l'") },
  ...{
    lastName: fc.constantFrom('Peeters', 'O’Neil', 'Żak'),
    company: fc.constantFrom('', 'Acme 2000 BV', 'Löwe & Co'),
  },
  ...{
    street: fc.constantFrom('Kerkstraat', 'Rue Haute', 'Via Roma', 'Długa'),
    number: fc.constantFrom('12', '5a', '301'),
  },
  ...{ box: fc.constantFrom('', '3', 'B'), extra: fc.constantFrom('', 'Building West'), reference: fc.uuid() },
});
type Person = typeof person extends fc.Arbitrary<infer Value> ? Value : never;
type Place = (typeof places)[keyof typeof places];

/** How a list has an address: what is in one column together, and what is between it. */
const shape = fc.record({
  ...{ oneName: fc.boolean(), oneStreet: fc.boolean(), prefix: fc.constantFrom('', 'Billing ', 'shipping_', 'Home ') },
  ...{ seed: fc.infiniteStream(fc.nat()), capitals: fc.boolean() },
});
type Shape = typeof shape extends fc.Arbitrary<infer Value> ? Value : never;

/** The file of a list. Its seed chooses one of the encodings that have all of its letters. */
const file = fc.record({
  ...{ kind: fc.constantFrom('csv', 'csv', 'xlsx'), separator: fc.constantFrom(';', ',', '\t', '|', '^') },
  ...{ seed: fc.nat(), hasTitle: fc.boolean() },
});

const lineOf = ({ street, number }: Person, { country }: Place) =>
  numberIsFirst.includes(country) ? `${number} ${street}` : `${street} ${number}`;
const nameOf = ({ firstName, infix, lastName }: Person) => [firstName, infix, lastName].filter(Boolean).join(' ');

/** The cells of an address, by the role of their column. */
function cellsOf(one: Person, place: Place & { state?: string }, { oneName, oneStreet }: Shape): [string, string][] {
  const { firstName, infix, lastName, company, street, number, box, extra, reference } = one;
  const names = oneName ? { fullName: nameOf(one) } : { firstName, infix, lastName };
  const lines = oneStreet ? { street: lineOf(one, place) } : { street, number };
  const { zip, city, state, country } = place;
  const cells = { ...names, company, ...lines, box, extra, zip, city, ...(state && { state }), country, reference };
  return [...Object.entries(cells), ['a remark', 'member since 1999']];
}

describe('any list of known addresses', () => {
  test('prints them as they are, in any file, however its columns are called, ordered, split, joined and merged', async () => {
    const some = fc.tuple(
      fc.array(person, { minLength: 1, maxLength: 4 }),
      fc.constantFrom(...Object.values(places)),
      shape,
    );
    const claim = fc.asyncProperty(some, file, async ([people, place, how], shapeOfFile) => {
      const rows = people.map((one) => cellsOf(one, place, how));
      const roles = (rows[0] ?? []).map(([role]) => role);
      const next = () => how.seed.next().value ?? 0;
      const order = roles.map((_, index) => ({ index, at: next() })).sort((a, b) => a.at - b.at);
      const heading = order.map(({ index }) => headingOf(roles[index] ?? '', next(), how));
      const written = rows.map((cells) => order.map(({ index }) => cells[index]?.[1] ?? ''));
      const { header, list } = await throughFile([heading, ...written], shapeOfFile);

      const { letters, references, missing, undecidedColumns, unusedColumns } = await readColumns(header, list);
      const recipients = people.map((one) => recipientOf(one, place));
      expect({ header, letters }).toEqual({ header, letters: recipients.map(toAddressLines) });
      expect(references).toEqual(people.map(({ reference }) => reference));
      expect([missing, undecidedColumns, unusedColumns]).toEqual([[], [], ['a remark']]);
    });
    await fc.assert(claim, { numRuns: byLevel({ quick: 300, full: 3_000 }) });
  });
});

function headingOf(role: string, seed: number, { prefix, capitals }: Shape): string {
  const words = (columnWords as Record<string, readonly string[]>)[role];
  if (words === undefined) return role;
  const word = words[seed % words.length] ?? '';
  return `${role === 'reference' ? '' : prefix}${capitals ? word.toUpperCase() : word}`;
}

function recipientOf(one: Person, place: Place & { state?: string }) {
  const { company, box, extra } = one;
  const { zip, city, state, country, boxed } = place;
  const line = lineOf(one, place);
  return {
    name: company === '' ? nameOf(one) : `${company}, ${nameOf(one)}`,
    ...{ line1: box === '' ? line : boxed(line, box), line2: extra || null },
    ...{ zip, city: state === undefined ? city : `${city} ${state}`, country },
  };
}
