// Level: unit
import { columnWords } from '#common/bulk/check/column-words.ts';
import { watchColumns } from '#common/bulk/check/watch-columns.ts';
import { readColumns } from '#test/support/bulk/read-columns.ts';
import { describe, expect, test } from '#test/support/jest.ts';

type Expected = { printed: string; undecided?: string[] };

/** A heading and a row, what is printed, and the columns that the owner has to decide on. */
const lists: Record<string, [header: string, row: string, Expected]> = {
  'a state with whose letters the city ends': [
    'Name;Address;City;State;Zip;Country',
    'Ana;1 State St;Albany;NY;12207;US',
    { printed: 'Ana|1 State St|ALBANY NY 12207|UNITED STATES OF AMERICA' },
  ],
  'a state with the name of the city': [
    'Name;Address;City;State;Zip;Country',
    'Ana;1 5th Ave;New York;New York;10001;US',
    { printed: 'Ana|1 5th Ave|NEW YORK NEW YORK 10001|UNITED STATES OF AMERICA' },
  ],
  'a state as Odoo writes it, that the city names already': [
    'Name;Address;City;State;Zip;Country',
    'Ana;1 Main St;Springfield Illinois;Illinois (US);62704;US',
    { printed: 'Ana|1 Main St|SPRINGFIELD ILLINOIS 62704|UNITED STATES OF AMERICA' },
  ],
  'titles under a heading that is not known': [
    'Dhr/Mevr;Naam;Straat;Postcode;Gemeente',
    'Mevr.;Peeters;Kerkstraat 12;9000;Gent',
    { printed: 'Peeters|Kerkstraat 12|9000 GENT', undecided: ['Dhr/Mevr'] },
  ],
  'initials under a heading that is not known': [
    'Vl.;Naam;Straat;Postcode;Gemeente',
    'J.P.;Peeters;Kerkstraat 12;9000;Gent',
    { printed: 'Peeters|Kerkstraat 12|9000 GENT', undecided: ['Vl.'] },
  ],
  'a bus that children take, and a firm that asks to be called': [
    'Firma;Contact;Straat;Nr;Bus;Postcode;Gemeente',
    'Acme;nee;Kerkstraat;12;ja;9000;Gent',
    { printed: 'Acme|Kerkstraat 12|9000 GENT' },
  ],
  'a couple': [
    'Titre;Nom;Rue;CP;Ville',
    'M. et Mme;Dupont;Rue Haute 1;1000;Bruxelles',
    { printed: 'M. et Mme Dupont|Rue Haute 1|1000 BRUXELLES' },
  ],
  'a number far from the street that has none': [
    'Naam;Straat;Postcode;Gemeente;Kl;Hs',
    'Jan;Kerkstraat;9000;Gent;x;12',
    { printed: 'Jan|Kerkstraat|9000 GENT', undecided: ['Hs'] },
  ],
  'another address under a heading that is not known': [
    'Naam;Straat;Postcode;Gemeente;Verhuisd naar',
    'Jan;Kerkstraat 12;9000;Gent;Dok 4, 2000 Antwerpen',
    { printed: 'Jan|Kerkstraat 12|9000 GENT', undecided: ['Verhuisd naar'] },
  ],
  'an age behind a street without a number': [
    'Naam;Straat;Leeftijd;Postcode;Gemeente',
    'Jan;Hoeve Bos;42;9000;Gent',
    { printed: 'Jan|Hoeve Bos|9000 GENT', undecided: ['Leeftijd'] },
  ],
  'the number of a client': [
    'Client No;Name;Street;Town;Postcode;Country',
    '1;Ann;Rose Cottage;Ripon;HG4 1AA;UK',
    { printed: 'Ann|Rose Cottage|RIPON|HG4 1AA|UNITED KINGDOM' },
  ],
  'two columns Nr': [
    'Nr;Naam;Straat;Nr (4);Postcode;Gemeente',
    '1;Jan;Kerkstraat;12;9000;Gent',
    { printed: 'Jan|Kerkstraat 12|9000 GENT' },
  ],
  'two addresses with the same headings': [
    'Naam;Straat;Postcode;Plaats;Straat (5);Postcode (6);Plaats (7)',
    'Jan;Kerkstraat 12;9000;Gent;Dorpsweg 3;8000;Brugge',
    { printed: 'Jan|Kerkstraat 12|9000 GENT', undecided: ['Straat (5)', 'Postcode (6)', 'Plaats (7)'] },
  ],
  'two names with the same heading': [
    'Name;Name (2);Street;Zip;City',
    'Acme BV;Jan Peeters;Kerkstraat 12;9000;Gent',
    { printed: 'Acme BV|Kerkstraat 12|9000 GENT', undecided: ['Name (2)'] },
  ],
  'a box right of the last heading': [
    'Naam;Straat;Nr;Postcode;Gemeente;Column 6',
    'Jan;Kerkstraat;12;9000;Gent;bus 3',
    { printed: 'Jan|Kerkstraat 12|9000 GENT', undecided: ['Column 6'] },
  ],
  'a city right of the last heading that is printed, but by chance': [
    'Naam;Adres;Postcode;Gemeente;Column 5',
    'Jan;Gent 12;bus 3;9000;Gent',
    { printed: 'Jan|Gent 12|BUS 3 9000', undecided: ['Column 5'] },
  ],
  'the domicile and another address for letters': [
    'Nom;Adresse de correspondance;CP correspondance;Ville correspondance;Adresse;CP;Ville',
    'Jean;BP 12;5000;Namur;12 rue Haute;1000;Bruxelles',
    { printed: 'Jean|BP 12|5000 NAMUR', undecided: ['Adresse', 'CP', 'Ville'] },
  ],
  'a floor that is only a number, as is that of the house': [
    'Nom;Rue;N°;Étage;Bâtiment;Code postal;Ville',
    'Jean;Rue Haute;2;2;B;1000;Bruxelles',
    { printed: 'Jean|Rue Haute 2|1000 BRUXELLES', undecided: ['Étage', 'Bâtiment'] },
  ],
  'a canton, and no country': [
    'Vorname;Nachname;Strasse;PLZ;Ort;Kanton',
    'Max;Muster;Bahnhofstr. 1;8001;Zürich;ZH',
    { printed: 'Max Muster|Bahnhofstr. 1|8001 ZÜRICH', undecided: ['Kanton'] },
  ],
  'headings that name a part of the address in words that are not known': [
    "Naam bij huwelijk;Naam;Adres;Postcode;Gemeente;Adres (vervolg);HuisnrToev;N° de boîte bis;Nom d'usage;Stadtbezirk",
    'Smit;Jan;Dorp 1;9000;Gent;Park;II;B003;Durand;Mitte',
    {
      printed: 'Jan|Dorp 1|9000 GENT',
      undecided: [
        'Naam bij huwelijk',
        'Adres (vervolg)',
        'HuisnrToev',
        'N° de boîte bis',
        "Nom d'usage",
        'Stadtbezirk',
      ],
    },
  ],
  'columns between those of the address, and countries and boxes elsewhere': [
    'A;B;Naam;C;Adres;D;E;F;G;H;I;Postcode;Gemeente;J;K',
    'Frankrijk;lid;Jan;KSA;Dorp 1;12/14-16;a@b.c;+32 9 123 45 67;€ 5;1999-01-31;ja;9000;Gent;x;bus 3',
    { printed: 'Jan|Dorp 1|9000 GENT', undecided: ['A', 'C', 'D', 'K'] },
  ],
};

describe('columns that may be parts of the address', () => {
  test.each(Object.entries(lists))('%s', async (_, [header, row, { printed, undecided = [] }]) => {
    const found = await readColumns(header.split(';'), [row.split(';')]);
    expect([found.letters[0]?.join('|'), found.missing, found.undecidedColumns]).toEqual([printed, [], undecided]);
  });

  test('the number of a row is not that of a house, whatever some streets lack', async () => {
    const read = async (header: string, ...rows: string[]) => {
      const found = await readColumns(
        header.split(';'),
        rows.map((row) => row.split(';')),
      );
      return [found.letters.map(([, line]) => line).join('|'), found.undecidedColumns.join()];
    };
    const [rest, city] = [';CP;Ville', ';1000;Bruxelles'];
    expect(await read(`Num;Nom;Adresse${rest}`, `101;A;Le Bourg${city}`, `107;B;12 rue Haute${city}`)).toEqual([
      ...['Le Bourg|12 rue Haute', 'Num'],
    ]);
    expect(await read(`Nr;Nom;Adresse${rest}`, `1;A;Le Bourg${city}`, `2;B;La Combe${city}`)).toEqual([
      ...['Le Bourg|La Combe', ''],
    ]);
    expect(await read(`Nom;Rue;N°${rest}`, `A;Le Bourg;1${city}`, `B;La Combe;2${city}`)).toEqual([
      ...['Le Bourg|La Combe', 'N°'],
    ]);
    // Streets may have their number in either column.
    expect(await read(`Nom;Rue;N°${rest}`, `A;Rue Haute 12;${city}`, `B;Rue Basse;14${city}`)).toEqual([
      ...['Rue Haute 12|Rue Basse 14', ''],
    ]);
    const withNumbers = Array.from({ length: 200 }, (_, row) => `A;Rue Haute ${row};${city}`);
    expect((await read(`Nom;Rue;N°${rest}`, ...withNumbers, `B;Rue Basse;14${city}`))[0]).toMatch(/Rue Basse 14$/);
  });

  test('each cell is read a few times, however many columns are left', () => {
    const header = ['name', 'company', 'street', 'zip', 'city', ...columnWords.extra, ...columnWords.contact];
    let reads = 0;
    const cells = new Proxy(
      header.map(() => 'word'),
      {
        get: (target, key) => {
          reads += 1;
          return Reflect.get(target, key);
        },
      },
    );
    const mapping = { fields: { name: [0], company: [1], line1: [2], zip: [3], city: [4] }, variables: [] };
    watchColumns({ header, sample: [cells], mapping, ignored: [], zone: null });
    expect(reads).toBeLessThan(10 * header.length);
  });
});
