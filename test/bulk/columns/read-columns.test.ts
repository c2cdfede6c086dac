// Level: unit
import { readColumns } from '#test/support/bulk/read-columns.ts';
import { describe, expect, test } from '#test/support/jest.ts';

type Expected = { printed: string; undecided?: string[]; unused?: string[] };

/** A heading and a row, what is printed, and the columns that are on no letter. */
const lists: Record<string, [header: string, row: string, Expected]> = {
  'a number called N° and a box called Bte': [
    'Nom;Rue;N°;Bte;Code postal;Localité',
    'Exemple Un;Rue Haute;12;3;1000;Bruxelles',
    { printed: 'Exemple Un|Rue Haute 12 bte 3|1000 BRUXELLES' },
  ],
  'a box in Flanders': [
    'Naam;Straat;Nr;Bus;Postcode;Gemeente',
    'Jan Voorbeeld;Kerkstraat;12;3;9000;Gent',
    { printed: 'Jan Voorbeeld|Kerkstraat 12 bus 3|9000 GENT' },
  ],
  'a Dutch street in Brussels, with a box that names itself': [
    'Naam;Adres;Bus;Postcode;Gemeente',
    'Jan Voorbeeld;Nieuwstraat 12;bus 3;1000;Brussel',
    { printed: 'Jan Voorbeeld|Nieuwstraat 12 bus 3|1000 BRUSSEL' },
  ],
  'an infix and an addition': [
    'Voornaam;Tussenvoegsel;Achternaam;Straat;Huisnummer;Toevoeging;Postcode;Plaats;Land',
    'Jan;van den;Berg;Kerkstraat;12;A;1011AB;Amsterdam;Nederland',
    { printed: 'Jan van den Berg|Kerkstraat 12 A|1011 AB  AMSTERDAM|NETHERLANDS' },
  ],
  'postal code and city in one column': [
    'Nom;Rue;CP Ville;Pays',
    'Jan Exemple;Hauptstr. 12;D-10115 Berlin;DE',
    { printed: 'Jan Exemple|Hauptstr. 12|10115 BERLIN|GERMANY' },
  ],
  'a third address line': [
    'Name;Address Line 1;Address Line 2;Address Line 3;City;Postcode;Country',
    'Ana;Flat 3;Rose House;12 High Street;Leeds;LS1 1AA;UK',
    { printed: 'Ana|Flat 3|Rose House, 12 High Street|LEEDS|LS1 1AA|UNITED KINGDOM' },
  ],
  'a state': [
    'Name;Address;Address 2;City;State;Zip;Country',
    'Ana Doe;12 Main St;Apt 4;Springfield;IL;62704;USA',
    { printed: 'Ana Doe|12 Main St|Apt 4|SPRINGFIELD IL 62704|UNITED STATES OF AMERICA' },
  ],
  'a province where no address has one': [
    'Naam;Adres;Postcode;Gemeente;Provincie',
    'Jan;Kerkstraat 1;9000;Gent;Oost-Vlaanderen',
    { printed: 'Jan|Kerkstraat 1|9000 GENT' },
  ],
  'a company and a person, with a title': [
    'Anrede;Vorname;Nachname;Firma;Straße;Hausnr.;PLZ;Ort;Land',
    'Frau;Eva;Muster;Muster GmbH;Hauptstr.;5a;10115;Berlin;D',
    { printed: 'Muster GmbH, Frau Eva Muster|Hauptstr. 5a|10115 BERLIN|GERMANY' },
  ],
  'a company and its contact, as in Exact': [
    'Naam;Contactpersoon;Adresregel 1;Adresregel 2;Adresregel 3;Postcode;Plaats;Land',
    'Voorbeeld BV;Jan Jans;Dok 4;Haven 2;;2000;Antwerpen;BE',
    { printed: 'Voorbeeld BV, Jan Jans|Dok 4|Haven 2|2000 ANTWERPEN' },
  ],
  'a number without a heading that is known, beside the street': [
    'Naam;Straat;X1;Postcode;Gemeente',
    'Jan;Kerkstraat;12;9000;Gent',
    { printed: 'Jan|Kerkstraat 12|9000 GENT' },
  ],
  'a short column behind a street with numbers': [
    'Naam;Straat;X1;Postcode;Gemeente;Opmerking',
    'Jan;Kerkstraat 12;3;9000;Gent;lid',
    { printed: 'Jan|Kerkstraat 12|9000 GENT', undecided: ['X1'], unused: ['X1', 'Opmerking'] },
  ],
  'care of': [
    'Naam;c/o;Straat;Postcode;Gemeente',
    'Jan;Els;Kerkstraat 12;9000;Gent',
    { printed: 'Jan|Kerkstraat 12|9000 GENT', undecided: ['c/o'], unused: ['c/o'] },
  ],
  'Outlook: of two addresses the one that is filled in': [
    'Title;First Name;Middle Name;Last Name;Suffix;Company;Job Title;Business Street;Business City;Business State;Business Postal Code;Business Country/Region;Home Street;Home City;Home State;Home Postal Code;Home Country/Region;E-mail Address',
    ';Ana;B.;Doe;;;Boss;;;;;;1 Main St;Springfield;IL;62704;United States;a@example.com',
    {
      printed: 'Ana B. Doe|1 Main St|SPRINGFIELD IL 62704|UNITED STATES OF AMERICA',
      unused: ['Job Title', 'E-mail Address'],
    },
  ],
  'Google Contacts: the whole address once more': [
    'First Name;Last Name;Organization Name;Address 1 - Label;Address 1 - Formatted;Address 1 - Street;Address 1 - City;Address 1 - PO Box;Address 1 - Region;Address 1 - Postal Code;Address 1 - Country;Address 1 - Extended Address',
    'Ana;Doe;;Home;1 Main St, Springfield, IL 62704;1 Main St;Springfield;;IL;62704;US;Rear',
    {
      printed: 'Ana Doe|1 Main St|Rear|SPRINGFIELD IL 62704|UNITED STATES OF AMERICA',
      unused: ['Address 1 - Label', 'Address 1 - Formatted'],
    },
  ],
  'Shopify: an order number called Name, both addresses equal': [
    'Name;Email;Billing Name;Billing Street;Billing Address1;Billing Address2;Billing Company;Billing City;Billing Zip;Billing Province;Billing Country;Shipping Name;Shipping Street;Shipping Address1;Shipping Address2;Shipping Company;Shipping City;Shipping Zip;Shipping Province;Shipping Country',
    "#1001;a@example.com;Ana Doe;1 Main St, Apt 4;1 Main St;Apt 4;Acme;Springfield;'62704;IL;US;Ana Doe;1 Main St, Apt 4;1 Main St;Apt 4;Acme;Springfield;'62704;IL;US",
    { printed: 'Acme, Ana Doe|1 Main St|Apt 4|SPRINGFIELD IL 62704|UNITED STATES OF AMERICA' },
  ],
  'WooCommerce: two addresses that differ': [
    'order_id;billing_first_name;billing_last_name;billing_address_1;billing_city;billing_postcode;billing_country;shipping_first_name;shipping_last_name;shipping_address_1;shipping_city;shipping_postcode;shipping_country',
    '7;Jan;Jans;Kerkstraat 1;Gent;9000;BE;Els;Els;Dok 4;Antwerpen;2000;BE',
    {
      printed: 'Jan Jans|Kerkstraat 1|9000 GENT',
      undecided: [
        ...['shipping_first_name', 'shipping_last_name', 'shipping_address_1', 'shipping_city', 'shipping_postcode'],
      ],
    },
  ],
  Odoo: [
    'External ID;Name;Company Name;Street;Street2;City;State;Zip;Country',
    '__export__.1;Ana Doe;Acme;1 Main St;Floor 2;Springfield;Illinois;62704;United States',
    { printed: 'Acme, Ana Doe|1 Main St|Floor 2|SPRINGFIELD ILLINOIS 62704|UNITED STATES OF AMERICA' },
  ],
  Salesforce: [
    'Salutation;First Name;Last Name;Account Name;Mailing Street;Mailing City;Mailing State/Province;Mailing Zip/Postal Code;Mailing Country',
    'Ms.;Ana;Doe;Acme;1 Main St;Springfield;IL;62704;United States',
    { printed: 'Acme, Ms. Ana Doe|1 Main St|SPRINGFIELD IL 62704|UNITED STATES OF AMERICA' },
  ],
  HubSpot: [
    'Record ID;First Name;Last Name;Company Name;Street Address;City;State/Region;Postal Code;Country/Region',
    '12;Ana;Doe;Acme;1 Main St;Springfield;IL;62704;United States',
    { printed: 'Acme, Ana Doe|1 Main St|SPRINGFIELD IL 62704|UNITED STATES OF AMERICA' },
  ],
  Lob: [
    'to_name;to_company;to_address_line1;to_address_line2;to_address_city;to_address_state;to_address_zip;to_address_country',
    'Ana Doe;Acme;1 Main St;Apt 4;Springfield;IL;62704;US',
    { printed: 'Acme, Ana Doe|1 Main St|Apt 4|SPRINGFIELD IL 62704|UNITED STATES OF AMERICA' },
  ],
  PostGrid: [
    'to.firstName;to.lastName;to.companyName;to.addressLine1;to.addressLine2;to.city;to.provinceOrState;to.postalOrZip;to.countryCode',
    'Ana;Doe;Acme;1 Main St;;Toronto;ON;M5V2T6;CA',
    { printed: 'Acme, Ana Doe|1 Main St|TORONTO ON  M5V 2T6|CANADA' },
  ],
  Italian: [
    'Nome;Cognome;Via;Civico;CAP;Città;Prov.;Paese',
    'Ada;Rossi;Via Roma;12;20121;Milano;MI;IT',
    { printed: 'Ada Rossi|Via Roma 12|20121 MILANO MI|ITALY' },
  ],
  Spanish: [
    'Nombre;Apellidos;Dirección;Piso;Código postal;Población;Provincia;País',
    'Ana;García;Calle Mayor 3;2;28013;Madrid;Madrid;ES',
    { printed: 'Ana García|Calle Mayor 3/2|28013 MADRID|SPAIN' },
  ],
  Polish: [
    'Imię i nazwisko;Ulica;Nr domu;Nr lokalu;Kod pocztowy;Miejscowość;Kraj',
    'Jan Kowalski;Długa;12;3;00-238;Warszawa;PL',
    { printed: 'Jan Kowalski|Długa 12/3|00-238 WARSZAWA|POLAND' },
  ],
};

describe('the columns of a list', () => {
  test.each(Object.entries(lists))('%s', async (_, [header, row, { printed, undecided = [], unused }]) => {
    const found = await readColumns(header.split(';'), [row.split(';')]);
    expect([found.letters[0]?.join('|'), found.missing]).toEqual([printed, []]);
    expect(found.undecidedColumns).toEqual(undecided);
    if (unused) expect(found.unusedColumns).toEqual(unused);
  });

  test('a mapping replaces the guess, with its order and separators, and leaves columns to decide on', async () => {
    const header = ['Naam', 'Straat', 'Nr', 'Bus', 'Postcode', 'Gemeente', 'Bedrag'];
    const row = ['Jan', 'Kerkstraat', '12', '3', '9000', 'Gent', '5'];
    const fields = { name: ['Naam'], line1: ['Nr', 'Straat'], zip: ['Postcode'], city: ['Gemeente'] };
    const wantedMapping = { fields, separators: { line1: ', ' as const } };
    const asked = { wantedMapping, templateVariables: ['bedrag'] };
    const found = await readColumns(header, [row], asked);
    expect([found.letters[0]?.[1], found.mapping.variables]).toEqual([
      '12, Kerkstraat',
      [{ name: 'bedrag', column: 6 }],
    ]);
    expect([found.undecidedColumns, found.unusedColumns]).toEqual([['Bus'], ['Bus']]);
    const ignoring = await readColumns(header, [row], { ...asked, ignoredColumns: ['Bus'] });
    expect([ignoring.undecidedColumns, ignoring.unusedColumns]).toEqual([[], ['Bus']]);
    const without = await readColumns(header, [row], { ignoredColumns: ['Bus'] });
    expect(without.letters[0]?.[1]).toBe('Kerkstraat 12');
    expect((await readColumns(header, [row], { ...asked, wantedMapping: { fields: { name: [] } } })).missing).toContain(
      'line1',
    );
    const misspelt = { fields: { ...fields, line1: ['Straat', 'Nummer'] } };
    expect((await readColumns(header, [row], { ...asked, wantedMapping: misspelt })).missing).toEqual(['line1']);
    const templateVariables = ['bedrag', 'bus'];
    const partly = { wantedMapping: { fields, variables: { bus: 'Bus' } }, templateVariables };
    expect((await readColumns(header, [row], partly)).mapping.variables).toEqual([
      { name: 'bedrag', column: 6 },
      { name: 'bus', column: 3 },
    ]);
  });

  test('a column that is first filled in far below is found', async () => {
    const header = ['Naam', 'Straat', 'c/o', 'Opmerking', 'Postcode', 'Gemeente'];
    const rows = Array.from({ length: 1_000 }, (_, row) => {
      const isLast = row === 999;
      return ['Jan', 'Kerkstraat 12', isLast ? 'Els' : '', isLast ? 'lid' : '', '9000', 'Gent'];
    });
    const found = await readColumns(header, rows);
    expect([found.undecidedColumns, found.unusedColumns]).toEqual([['c/o'], ['c/o', 'Opmerking']]);
  });
});

describe('a list without a country', () => {
  const header = ['Name', 'Street', 'Postcode', 'City', 'Phone'];
  const rowsOf = (codes: string[], phone = '') => codes.map((code) => ['Ana', 'Weg 12', code, 'Stad', phone]);

  test.each([
    ...['1011 AB', '10115', '75001', 'LS1 1AA', '62704-1234', 'M5V 2T6', '00-238', '114 55', '1000-205', 'CH-8001'],
  ])('with postal codes such as %s asks which country it is for, and is read for that', async (code) => {
    const rows = rowsOf([code, code, '1000']);
    expect((await readColumns(header, rows)).missing).toEqual(['country']);
    const wantedMapping = { fields: {}, defaultCountry: 'NL' };
    const found = await readColumns(header, rows, { wantedMapping });
    expect([found.missing, found.letters[0]?.at(-1)]).toEqual([[], 'NETHERLANDS']);
  });

  test('with telephone numbers of another country asks too, and one for Belgium does not', async () => {
    const asked = async (codes: string[], phone: string) => (await readColumns(header, rowsOf(codes, phone))).missing;
    expect(await asked(['8001', '3000'], '+41 44 123 45 67')).toEqual(['country']);
    expect(await asked(['1010'], '0043 1 123')).toEqual(['country']);
    expect(await asked(['1000', '9000', '10115'], '+32 2 123 45 67')).toEqual([]);
    expect(await asked(['1000', 'B-9000'], '02 123 45 67')).toEqual([]);
  });

  test('puts number, state and place as the chosen country does', async () => {
    const columns = ['Name', 'Street', 'House number', 'City', 'State', 'Zip'];
    const row = ['Ana Doe', 'Main St', '12', 'Springfield', 'IL', '62704'];
    const { letters } = await readColumns(columns, [row], { wantedMapping: { fields: {}, defaultCountry: 'US' } });
    expect(letters[0]?.slice(1)).toEqual(['12 Main St', 'SPRINGFIELD IL 62704', 'UNITED STATES OF AMERICA']);
  });
});
