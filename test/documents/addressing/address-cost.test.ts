// Level: unit
import { fitAddress } from '#common/documents/addressing/address-block.ts';
import { loadAddressFont } from '#common/documents/addressing/address-font.ts';
import { toAddressLines } from '#common/documents/addressing/address-lines.ts';
import { envelopeSchemes, schemeNames } from '#common/documents/sheet/envelope-schemes.ts';
import type { PostalAddress } from '#common/organizations/organization.model.ts';
import { describe, expect, test } from '#test/support/jest.ts';

/** Fields as long as requests may have them, in code points. */
function fillFields(pattern: string): PostalAddress {
  const fill = (length: number) => [...pattern.repeat(length)].slice(0, length).join('');
  return { name: fill(100), line1: fill(100), line2: fill(100), city: fill(80), zip: '010061', country: 'RO' };
}

const romanian: PostalAddress = {
  name: 'Asociația de Proprietari „Ștefan cel Mare și Sfânt” – Secția Învățământ, Științe și Artă a Municip.',
  line1: 'Șoseaua Bucureștii Noi nr. 123, blocul „Țițeica”, scara B, etajul 4, apartamentul 17, interfon 17B',
  line2: 'Corpul de clădire „Nicolae Bălcescu”, intrarea din Strada Învățătorului – lângă Biserica Sfânta Ana',
  zip: '010061',
  city: 'București – Sectorul 1, cartierul Bucureștii Noi, municipiul București, Ilfov',
  country: 'RO',
};
const longAddresses: [string, PostalAddress][] = [
  ['Romanian', romanian],
  ['words of one letter', fillFields('W ')],
  ['words of one letter with two accents', fillFields('Ǻ ')],
  ['words of a letter and an accent', fillFields('x\u0301 ')],
  ['one word', fillFields('x')],
  ['words of different lengths and alphabets', fillFields('Wa Ǻș țA V. Жук „o” ')],
];
const cases = schemeNames.flatMap((name) => longAddresses.map(([title, address]) => ({ name, title, address })));

describe('the longest addresses that a request may have', () => {
  test.each(cases)('are shaped a few times, not once for each way to break them: $title, $name', async (row) => {
    const font = await loadAddressFont();
    const lines = toAddressLines(row.address);
    let shaped = 0;
    const shape = (text: string) => {
      shaped += text.length;
      return font.shape(text);
    };
    fitAddress(lines, envelopeSchemes[row.name].address, { ...font, shape });
    expect(shaped).toBeGreaterThan(0);
    expect(shaped).toBeLessThanOrEqual(4 * lines.join('').length);
  });
});
