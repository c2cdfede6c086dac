// Level: unit
import { readColumns } from '#test/support/bulk/read-columns.ts';
import { describe, expect, test } from '#test/support/jest.ts';

const read = (header: string, rows: readonly string[], asked = {}) =>
  readColumns(
    header.split(';'),
    rows.map((row) => row.split(';')),
    asked,
  );

describe('what is also a word for yes or no', () => {
  const norway = ['Kari;Storgata 5;5003;Bergen;NO', 'Ola;Kirkegata 1;7010;Trondheim;NO'];

  test('is a country, in each row or far below the first', async () => {
    for (const heading of ['Country', 'Land', 'Pays', 'Paese', 'ISO', 'Shipping Country']) {
      const { letters, unusedColumns } = await read(`Name;Address;Postal code;City;${heading}`, norway);
      expect([heading, letters.map((lines) => lines.at(-1)), unusedColumns]).toEqual([
        heading,
        ['NORWAY', 'NORWAY'],
        [],
      ]);
    }
    const long = [...Array.from({ length: 250 }, () => norway[0] ?? ''), 'Ana;Weg 1;10115;Berlin;DE'];
    expect((await read('Name;Address;Postal code;City;Country', long)).letters.at(-1)?.at(-1)).toBe('GERMANY');
  });

  test.each(['JA', 'OUI', 'No', 'no'])('is no country of Belgium: %s', async (country) => {
    const { mapping } = await read('Name;Address;Postal code;City;Country', [`Kari;Storgata 5;5003;Bergen;${country}`]);
    expect(mapping.fields.country).toEqual([4]);
  });

  test.each(['SI', 'SI/NO', 'si', 'sí'])('nor are those of the south, %s', async (country) => {
    const rows = country.split('/').map((each) => `Kari;Storgata 5;5003;Bergen;${each}`);
    const { mapping, letters } = await read('Name;Address;Postal code;City;Country', rows);
    expect([mapping.fields.country, letters[0]?.at(-1)]).toEqual([[4], country === 'sí' ? 'SÍ' : 'SLOVENIA']);
  });

  test.each([
    ['First name;Last name;Street;Zip;City', 'No;Peeters;Weg 1;9000;Gent', 'No Peeters'],
    ['First name;Last name;Street;Zip;City', 'Eva;Oui;Weg 1;9000;Gent', 'Eva Oui'],
    ['Voornaam;Tussenvoegsel;Achternaam;Straat;Postcode;Plaats', 'Eva;non;Smit;Weg 1;9000;Gent', 'Eva non Smit'],
    ['Name;Street;Zip;City', 'Ja;Weg 1;9000;Gent', 'Ja'],
    ['Naam;Firma;Straat;Postcode;Gemeente', 'Ja;Acme;Weg 1;9000;Gent', 'Acme, Ja'],
    ['Full name;Street;Zip;City', 'Si;Weg 1;9000;Gent', 'Si'],
  ])('is a name: %s, %s', async (header, row, name) => {
    expect((await read(header, [row])).letters[0]?.[0]).toBe(name);
  });

  test('is a city, and the province of Novara', async () => {
    const header = 'Nome;Via;CAP;Città;Prov.;Paese';
    expect((await read(header, ['Ada;Via Roma 1;28100;Novara;NO;IT'])).letters[0]?.[2]).toBe('28100 NOVARA NO');
    expect((await read('Name;Street;Zip;City;Country', ['Ana;Weg 1;75001;Oui;FR'])).mapping.fields.city).toEqual([3]);
  });

  test('is asked about where it may be the country or the name that a letter lacks', async () => {
    const fields = { name: ['Name'], line1: ['Address'], zip: ['Postal code'], city: ['City'] };
    const heading = 'Name;Address;Postal code;City';
    const asked = async (last: string, cell: string, wanted: object = { wantedMapping: { fields } }) =>
      (await read(`${heading};${last}`, [`Kari;Storgata 5;5003;Bergen;${cell}`], wanted)).undecidedColumns;
    expect(await asked('Country', 'NO')).toEqual(['Country']);
    expect(await asked('Last name', 'Oui')).toEqual(['Last name']);
    expect(await asked('Country of residence', 'NO', {})).toEqual(['Country of residence']);
    expect(await asked('Column 5', 'NO', {})).toEqual(['Column 5']);
    expect(await asked('Dest.', 'SI', {})).toEqual(['Dest.']);
    const abroad = { wantedMapping: { fields, defaultCountry: 'NO' } };
    expect([await asked('Country', 'NO', abroad), await asked('Column 5', 'NO', abroad)]).toEqual([[], []]);
  });

  test('says yes or no in columns of clients, contacts and boxes', async () => {
    const rows = ['ja;Jan;nee;Kerkstraat 12;ja;9000;Gent;no'];
    const found = await read('Klant;Naam;Contact;Straat;Bus;Postcode;Gemeente;Nieuwsbrief', rows);
    expect([found.letters[0]?.join('|'), found.missing, found.undecidedColumns]).toEqual([
      ...['Jan|Kerkstraat 12|9000 GENT', [], []],
    ]);
    const south = await read('Nome;Azienda;Contatto;Via;CAP;Città;Paese', ['Ada;Acme;sì;Via Roma 1;20121;Milano;IT']);
    expect([south.letters[0]?.[0], south.undecidedColumns]).toEqual(['Acme, Ada', []]);
  });
});

describe('a Belgian list is not taken for a foreign one', () => {
  const heading = 'Naam;Adres;Postcode;Gemeente';
  const missing = async (last: string, cells: readonly string[], asked = {}) => {
    const rows = cells.map((cell) => `Jan;Kerkstraat 12;9000;Gent;${cell}`);
    return (await read(`${heading};${last}`, rows, asked)).missing.join();
  };

  test.each([
    ['Klantnummer', ['0012345', '0012346']],
    ['Klantnummer', ['0043123456', '0044123457']],
    ['Tel', ['+31 6 12345678', '0475 12 34 56', '0475 12 34 57']],
    ['GSM', ['+31 6 12345678', '+32 475 12 34 56', '']],
    ['Telefoon', ['+31 6 12345678', '0475 12 34 56', '', '']],
    ['Telefoon', ['+31 6 12345678', '+49 30 123456', '0475 12 34 56', '0475 12 34 57']],
    ['Opmerking', ['+31 lid', '+31 lid']],
    ['Bereikbaar', ['+31 6 12345678', '0475 12 34 56', '0475 12 34 57']],
  ])('by %s with %j', async (last, cells) => {
    expect(await missing(last, cells)).toBe('');
  });

  test('but is by most telephone numbers, unless the owner names a country', async () => {
    const phones = ['+31 6 12345678', '0031612345678', '+49 30 123456', '+49 30 123457', '0475 12 34 56'];
    for (const last of ['Telefoon', 'GSM', 'Numéro de téléphone', 'Mobile', 'Fax']) {
      expect([last, await missing(last, phones)]).toEqual([last, 'country']);
    }
    // Under another heading, a sign says that it is a telephone number.
    expect(await missing('Bereikbaar', ["'+31 6 12345678", '+(31)612345678', '+49 30 123456'])).toBe('country');
    expect(await missing('Tel', phones, { wantedMapping: { fields: {}, defaultCountry: 'BE' } })).toBe('');
    const fields = { name: ['Naam'], line1: ['Adres'], zip: ['Postcode'], city: ['Gemeente'], country: ['Tel'] };
    expect(await missing('Tel', phones, { wantedMapping: { fields } })).toBe('');
  });

  test('and a few streets without a number do not make numbers elsewhere those of houses', async () => {
    const asked = async (streets: readonly string[], last: string) => {
      const rows = streets.map((street, row) => `Jan;${street};9000;Gent;lid;${[12, 40, 7][row] ?? 3}`);
      return (await read(`${heading};Soort;${last}`, rows)).undecidedColumns.join();
    };
    for (const last of ['Punten', 'Aantal', 'Stuks']) {
      expect(await asked(['Kerkstraat 12', 'Markt', 'Dorp 3'], last)).toBe('');
      expect(await asked(['Kerkstraat 12', 'Markt'], last)).toBe('');
      expect(await asked(['Kerkstraat', 'Markt', 'Dorp 3'], last)).toBe(last);
    }
  });
});
