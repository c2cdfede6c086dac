// Level: unit
import { planMapping } from '#common/bulk/check/plan-mapping.ts';
import { readLetter, readVariables, recipientOf } from '#common/bulk/check/read-letter.ts';
import { watchColumns } from '#common/bulk/check/watch-columns.ts';
import { listColumns, writeSampleList } from '#common/bulk/sample-list.ts';
import { languages } from '#common/languages.ts';
import { parseTemplate } from '#common/templates/text/parse-template.ts';
import { describe, expect, test } from '#test/support/jest.ts';

const names = {
  en: ['amount', 'due date', 'first name', 'last name', 'house number', 'title', 'address', 'Postcode', 'box'],
  fr: ['montant', 'prénom', 'nom', 'civilité', 'numéro de facture', 'rue', 'ville', 'société', 'étage'],
  nl: ['bedrag', 'voornaam', 'aanhef', 'huisnummer', 'klantnummer', 'naam', 'land', 'bedrijf', 'bus'],
  de: ['Betrag', 'Vorname', 'Nachname', 'Anrede', 'Hausnummer', 'Rechnungsnummer', 'Ort', 'Firma', 'Name'],
} as const;

/** Reads a list with guessed columns, as after its upload. */
function read(text: string, header: string[], cells: string[]) {
  const bulk = { wantedMapping: null, template: { templateId: 'tpl_1', version: 1 }, zone: null };
  const { variables } = parseTemplate(text);
  const planned = planMapping({ ...bulk, templateVariables: variables }, { kind: 'csv' }, header, [cells]);
  const { mapping } = planned;
  const { unusedColumns } = watchColumns({ header, sample: [cells], ...planned, zone: null }).found();
  const values = readVariables(cells, mapping, { version: { text, language: 'en' }, zone: null });
  return { ...planned, unusedColumns, values, recipient: recipientOf(readLetter(cells, mapping, null)) };
}

describe('the sample list of a template', () => {
  test.each(languages)('every column is recognized and used, whatever the variables, in %s', (language) => {
    for (const name of [...names[language], names[language].join('))((')]) {
      const text = `((${name})) ((late??x)) ((name)) ((company)) ((street)) ((zip)) ((city)) ((country))`;
      const columns = listColumns(text, language);
      const [header, cells] = [columns.map(({ heading }) => heading), columns.map(({ example }) => example)];
      const { missing, unusedColumns, values, recipient } = read(text, header, cells);
      expect([name, missing, unusedColumns]).toEqual([name, [], []]);
      expect(recipient).toMatchObject({ zip: '9000', city: 'Gent', country: 'BE' });
      expect([recipient.name, recipient.line1]).toEqual([
        'Acme BV, Ada Peeters',
        expect.stringMatching(/^Kerkstraat 2( (?:box|bus( bus)?))?$/),
      ]);
      expect(values).toMatchObject({ company: 'Acme BV', zip: '9000', city: 'Gent', country: 'Belgium' });
      const blank = parseTemplate(text).variables.filter((each) => (values[each] ?? '') === '');
      expect([name, blank]).toEqual([name, []]);
    }
  });

  test('the file is CSV that spreadsheets open, with one letter', () => {
    const csv = writeSampleList(listColumns('((amount)) ((Postcode))', 'en'));
    expect(csv.split('\r\n')).toEqual([
      '\ufeffFull name,Company,Street and number,Postcode,City,Country,Reference,amount',
      'Ada Peeters,Acme BV,Kerkstraat 2,9000,Gent,BE,m-1,amount',
      '',
    ]);
  });
});

describe('variables of the recipient', () => {
  const header = ['First name', 'Last name', 'Company', 'Street', 'Nr', 'Postcode', 'City', 'State', 'Country', 'Name'];
  const cells = ['Jan', 'Jans', 'Acme BV', 'Main Street', '5', '62704', 'Springfield', 'IL', 'USA', 'JJ'];
  const text = '((name)) ((company)) ((street)) ((zip)) ((city)) ((country))';

  test('they are what is printed in the address, the person without the company, the country by its name', () => {
    const { values, missing, mapping } = read(text, header, cells);
    expect([values, missing, mapping.variables]).toEqual([
      {
        ...{ name: 'Jan Jans', company: 'Acme BV', street: '5 Main Street', zip: '62704', city: 'Springfield' },
        country: 'United States',
      },
      [],
      [],
    ]);
    const shown = (company: string) =>
      read('((name)) ((company??At work.))', header, cells.with(2, company)).values.company;
    expect([shown('Acme BV'), shown('')]).toEqual(['yes', '']);
    const alone = read('((name))', ['Company', 'Street', 'Postcode', 'City'], ['Acme BV', 'Rue Haute 1', '1000', 'X']);
    expect([alone.values, alone.missing]).toEqual([{ name: 'Acme BV' }, []]);
  });

  test('a column that was chosen for a variable wins; without a field or a column, it is missing', () => {
    const version = { text, language: 'en' } as const;
    const mapping = { ...read(text, header, cells).mapping, variables: [{ name: 'name', column: 9 }] };
    expect(readVariables(cells, mapping, { version, zone: null })).toMatchObject({ name: 'JJ', company: 'Acme BV' });
    const without = read('((company))', ['Name', 'Street', 'Postcode', 'City'], ['Jan', 'Rue Haute 1', '1000', 'X']);
    expect([without.missing, without.values]).toEqual([['variables.company'], { company: '' }]);
  });
});
