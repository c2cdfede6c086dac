// Level: ci
import { bulkFileReader } from '#test/support/bulk/read-bulk-file.ts';
import { byLevel, describe, expect, test, useTempFolders } from '#test/support/jest.ts';

const heading = 'Name;Street;Postcode;City';
const letter = 'Ana;Rue 1;1000;Gent';

describe('the shape of a list', () => {
  const { read, faultOf } = bulkFileReader(useTempFolders());
  /** Returns the row of the heading, the heading, and the number of the first row below it. */
  const shapeOf = async (lines: readonly string[], reading = {}) => {
    const { format, header, rows } = await read(Buffer.from(lines.join('\r\n')), reading);
    return [format.headerRow, header.join(';'), rows[0]?.row];
  };

  test('the heading is found below titles, blank rows and groups of columns', async () => {
    expect(await shapeOf([heading, letter])).toEqual([1, heading, 2]);
    expect(await shapeOf(['Ledenlijst 2026;;;', ';;;', heading, letter])).toEqual([3, heading, 4]);
    expect(await shapeOf(['Members', '', heading, letter, letter])).toEqual([3, heading, 4]);
    expect(await shapeOf([...Array.from({ length: 20 }, (_, row) => `Title ${row}`), heading, letter])).toEqual([
      21,
      heading,
      22,
    ]);
    const groups = ['Member;;Home;;Work;', 'Name;Nr;Street;City;Street;City', 'Ana;1;Rue 1;Gent;Rue 2;Gent'];
    expect((await shapeOf(groups))[1]).toBe('Member Name;Member Nr;Home Street;Home City;Work Street;Work City');
    // Unknown names are a heading too, also below a title.
    expect(await shapeOf(['a;b', '1;2'])).toEqual([1, 'a;b', 2]);
    expect(await shapeOf(['Title', 'a;b;c', 'x;y;z', 'x;y;z'])).toEqual([2, 'a;b;c', 3]);
  });

  test('a second heading in other words is left out', async () => {
    expect(await shapeOf([heading, 'Naam;Straat;Postcode;Gemeente', letter])).toEqual([1, heading, 3]);
  });

  test('a list without a heading loses no row, and any row can be chosen as the heading', async () => {
    expect(await shapeOf([letter, letter])).toEqual([0, ';;;', 1]);
    expect(await shapeOf([letter])).toEqual([0, ';;;', 1]);
    expect(await shapeOf(['Title', 'x', letter], { headerRow: 2 })).toEqual([2, 'x', 3]);
    // Cells right of the last heading have a column too.
    expect(await shapeOf([`${heading};`, letter, `${letter};bus 3`])).toEqual([1, `${heading};`, 2]);
    expect(await shapeOf([heading, letter], { headerRow: 0 })).toEqual([0, ';;;', 1]);
    expect(await faultOf(Buffer.from([heading, letter].join('\n')), { headerRow: 2 })).toEqual(['empty', null]);
    expect(await faultOf(Buffer.from([heading, letter].join('\n')), { headerRow: 3 })).toEqual(['empty', null]);
  });

  test.each([
    ...['Jan;Dorpsstraat;1011 AB;Utrecht', 'Jan;Weg;10115;Berlin', 'Ana;High Street;LS1 1AA;Leeds'],
    ...['Ana;Main St;Toronto ON;M5V 2T6', 'Jan;Weg;L-1234;Luxembourg', 'Jan;Długa;00-238;Warszawa'],
    ...['Ana;Main St;Springfield, IL 62704;x', 'Jan;Weg;1000 Bruxelles;x', 'Jan;Weg;x;D-10115 Berlin'],
    ...['Jan;Weg;2000 Antwerpen;x', 'Jan;Weg;1930 Zaventem;x'],
  ])('the row %s is no heading', async (row) => {
    expect(await shapeOf([row, row])).toEqual([0, ';;;', 1]);
    // Years and numbers of columns are none.
    expect((await shapeOf(['Wie;Wat;Bedrag 2026;Veld 10', row]))[0]).toBe(1);
  });

  test.each([
    'Nimi;Osoite;Postinumero;Postitoimipaikka;2026 Maksu',
    'Navn;Gade;Postnr;By;2026 Kontingent',
    'Nimi;2025 Cotisation;Osoite;2026 Cotisation;Postinumero',
    'Nimi;1999 Années;Osoite;2099, Années;Postinumero',
  ])('the heading %s has years, and no postal codes', async (columns) => {
    const row = 'Ana;20;Rue 1;20;1000';
    expect(await shapeOf([columns, row, row])).toEqual([1, columns, 2]);
    const [blank, city] = ['Jan;Weg;;x', 'Jan;Weg;2000 Antwerpen;x'];
    expect(await shapeOf([city, blank, city])).toEqual([0, ';;;', 1]);
    expect(await shapeOf(['Jan;Weg;2011 AB;Haarlem', blank])).toEqual([0, ';;;', 1]);
  });

  test.each(byLevel({ quick: [100_000], full: [100_000, 100_001] }))(
    '%i letters are counted without titles and heading',
    async (count) => {
      const list = Buffer.from(['Title', '', heading, ...Array.from({ length: count }, () => letter)].join('\n'));
      const found = count > 100_000 ? (await faultOf(list))[0] : (await read(list)).rows.length;
      expect(found).toBe(count > 100_000 ? 'too_many_rows' : count);
    },
  );

  test('the line sep= and quotes inside of cells are understood', async () => {
    expect(await shapeOf(['sep=|', heading.replaceAll(';', '|'), letter.replaceAll(';', '|')])).toEqual([
      2,
      heading,
      3,
    ]);
    expect(await shapeOf(['"sep=;"', heading, letter])).toEqual([2, heading, 3]);
    const utf16 = Buffer.from(`\ufeffSEP=,\n${heading.replaceAll(';', ',')}\nŁ,Rue 1,1000,Gent`, 'utf16le');
    expect((await read(utf16)).rows[0]?.cells[0]).toBe('Ł');
    const quoted = [
      'Jan "Jef" Peeters;12" pipe;1000;Gent',
      '"Jan; ""Jef""";Rue 1;1000;Gent',
      '"De Kroon" BV;Rue 2;1000;Gent',
    ];
    const { rows } = await read(Buffer.from([heading, ...quoted].join('\n')));
    expect(rows.map(({ cells: [name] }) => name)).toEqual(['Jan "Jef" Peeters', 'Jan; "Jef"', '"De Kroon" BV']);
  });
});
