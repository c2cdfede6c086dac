// Level: unit
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { maxParsed, parseAddresses } from '#common/drafts/parse-address.ts';
import { describe, expect, guardMs, test } from '../support/jest.ts';

/** name | line1 | line2 | zip | city | country */
function parse(text: string): string {
  const [first] = parseAddresses(text);
  if (!first) return '';
  const { name, line1, line2, zip, city, country } = first;
  return [name, line1, line2 ?? '', zip, city, country ?? ''].join('|');
}

describe('pasted addresses', () => {
  test.each([
    ['Ada Peeters\nRue Haute 1\n1000 Bruxelles', 'Ada Peeters|Rue Haute 1||1000|Bruxelles|BE'],
    ['Ada Peeters\r\nRue Haute 1 bte 3\r\nB-1000 Bruxelles\r\n', 'Ada Peeters|Rue Haute 1 bte 3||1000|Bruxelles|BE'],
    ['Aan: Jan Janssens\nKouter 1\n9000 Gent\nBelgië', 'Jan Janssens|Kouter 1||9000|Gent|BE'],
    ['Acme SA\nc/o Zoë Müller\nMeir 12\nBE-2000 Antwerpen', 'Acme SA|c/o Zoë Müller|Meir 12|2000|Antwerpen|BE'],
    ['Acme\nFinance\n3rd floor\nMeir 12\n2000 Antwerpen', 'Acme|Finance, 3rd floor|Meir 12|2000|Antwerpen|BE'],
    ['Ada Peeters, Rue Haute 1, 1000 Bruxelles', 'Ada Peeters|Rue Haute 1||1000|Bruxelles|BE'],
    ['Ada Peeters; Rue Haute 1; 1000 Bruxelles; Belgium', 'Ada Peeters|Rue Haute 1||1000|Bruxelles|BE'],
    ['Jan Janssens\nKouter 1, 9000 Gent', 'Jan Janssens|Kouter 1||9000|Gent|BE'],
    ['Ada Peeters\nRue Haute 1\n1000\nBruxelles', 'Ada Peeters|Rue Haute 1||1000|Bruxelles|BE'],
    ['J. de Vries\nDamrak 1\n1012 LG  Amsterdam', 'J. de Vries|Damrak 1||1012 LG|Amsterdam|NL'],
    ['J. de Vries\nDamrak 1\n1012LG Amsterdam\nPays-Bas', 'J. de Vries|Damrak 1||1012LG|Amsterdam|NL'],
    ['Marie Curie\n5 rue de la Paix\n75002 Paris\nFrance', 'Marie Curie|5 rue de la Paix||75002|Paris|FR'],
    ['Marie Curie\n5 rue de la Paix\nF-75002 Paris', 'Marie Curie|5 rue de la Paix||75002|Paris|FR'],
    ['Acme\n5 rue X\n75380 PARIS CEDEX 08\nFRANCE', 'Acme|5 rue X||75380|PARIS CEDEX 08|FR'],
    ['Max Muster\nHauptstr. 5\n10115 Berlin\nDeutschland', 'Max Muster|Hauptstr. 5||10115|Berlin|DE'],
    ['Max Muster\nHauptstr. 5\nD-10115 Berlin', 'Max Muster|Hauptstr. 5||10115|Berlin|DE'],
    ['Max Muster\nHauptstr. 5\n10115 Berlin', 'Max Muster|Hauptstr. 5||10115|Berlin|'],
    ['Max Muster\nHauptstr. 5\nCH-8001 Zürich', 'Max Muster|Hauptstr. 5||8001|Zürich|CH'],
    ['Max Muster\nHauptstr. 5\n8001 Zürich, Schweiz', 'Max Muster|Hauptstr. 5||8001|Zürich|CH'],
    ['Jean Muller\n1 rue du Fort\nL-1234 Luxembourg', 'Jean Muller|1 rue du Fort||1234|Luxembourg|LU'],
    ['Jo Bloggs\n1 High Street\nLondon\nSW1A 1AA', 'Jo Bloggs|1 High Street||SW1A 1AA|London|GB'],
    ['Jo Bloggs\n1 High Street\nLondon SW1A 1AA\nUK', 'Jo Bloggs|1 High Street||SW1A 1AA|London|GB'],
    ['Jo Bloggs\n1 Elm St Apt 2\nSpringfield, IL 62704\nUSA', 'Jo Bloggs|1 Elm St Apt 2||62704|Springfield IL|US'],
    ['Jo Bloggs\n1 Elm St\nToronto ON M5V 2T6\nCanada', 'Jo Bloggs|1 Elm St||M5V 2T6|Toronto ON|CA'],
    ['Ana Silva\nRua Augusta 1\n1100-048 Lisboa', 'Ana Silva|Rua Augusta 1||1100-048|Lisboa|PT'],
    ['Jan Kowalski\nul. Prosta 1\n00-850 Warszawa', 'Jan Kowalski|ul. Prosta 1||00-850|Warszawa|PL'],
    ['Sven Berg\nStorgatan 1\n111 22 Stockholm\nSweden', 'Sven Berg|Storgatan 1||111 22|Stockholm|SE'],
    ['Ada Peeters\nsomewhere', 'Ada Peeters|somewhere||||'],
    ['Ada Peeters', 'Ada Peeters|||||'],
    ['Belgium', 'Belgium|||||'],
  ])('%j is understood', (text, expected) => {
    expect(parse(text)).toBe(expected);
  });

  test('a blank line separates addresses, and each keeps its own text', () => {
    const texts = ['Ada Peeters\nRue Haute 1\n1000 Bruxelles', 'Jan Janssens\nKouter 1\n9000 Gent'];
    expect(parseAddresses(`\n${texts.join('\n \t\n\n')}\n\n`).map(({ text }) => text)).toEqual(texts);
    expect(parseAddresses(Array.from({ length: 30 }, () => texts[0]).join('\n\n'))).toHaveLength(maxParsed);
    expect(parseAddresses(' \n ')).toEqual([]);
  });

  test('no control character of what was pasted is in the address', () => {
    const line = fc.constantFrom(
      'Ada',
      'Rue Haute 1',
      '1000',
      'Gent',
      'B-1000 X',
      'UK',
      ',',
      '-',
      '12 34',
      'É\u0000',
      '()',
    );
    const text = fc.oneof(
      fc.array(line).map((lines) => lines.join('\n')),
      fc.string({ unit: 'binary', maxLength: 500 }),
    );
    fc.assert(
      fc.property(text, (input) => {
        for (const { name, line1, line2, zip, city } of parseAddresses(input)) {
          for (const part of [name, line1, line2 ?? '', zip, city]) expect(part).not.toMatch(/\p{Cc}/u);
        }
      }),
    );
  });

  // An expression that backtracks in exponential time would never end, and hold up the process.
  test.each([
    ['a long number and 3,000 words', `${'1'.repeat(10_000)} ${'A, '.repeat(3_000)}`],
    ['5,000 words on a line', `x\n${'a '.repeat(5_000)}`],
  ])('%s are read to their end', (_title, text) => {
    const found = runInNewContext('parse(text)', { parse: parseAddresses, text }, { timeout: guardMs });
    expect(found).toHaveLength(1);
  });
});
