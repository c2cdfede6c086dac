// Level: unit
import { checkAddresses } from '#common/documents/addressing/check-addresses.ts';
import { envelopeSchemes } from '#common/documents/sheet/envelope-schemes.ts';
import { recipient, sender } from '#test/support/documents/addressing/build-print-file.ts';
import { describe, expect, test } from '#test/support/jest.ts';

const scheme = envelopeSchemes['window-left'];

describe('a check of many addresses', () => {
  test('leaves the event loop free for other work', async () => {
    const words = 'Wa V. '.repeat(16);
    const long = { ...recipient, name: words, line1: words, line2: words };
    let turns = 0;
    let isChecking = true;
    const turn = () => {
      turns += 1;
      if (isChecking) setImmediate(turn);
    };
    setImmediate(turn);
    await checkAddresses({ scheme, sender, recipients: Array(3000).fill(long) });
    isChecking = false;
    expect(turns).toBeGreaterThan(2);
  });
});

describe('an address with characters that cannot be printed', () => {
  const problemsOf = async (name: string) => {
    const problems = await checkAddresses({ scheme, sender, recipients: [{ ...recipient, name }] });
    return problems.map(({ problem }) => problem);
  };
  const known = 'Latin, Greek and Cyrillic letters are.';

  test('names up to five of them by code point, so that a name cannot be read from it', async () => {
    const five = "It has characters that are not in the printer's font: 丁 丙 丨 中 乙. ";
    expect(await problemsOf('中丨丁丙乙丁中')).toEqual([five + known]);
  });

  test('tells how many more there are', async () => {
    const six = "It has characters that are not in the printer's font: 一 丁 丂 七 丄 and 3 more. ";
    expect(await problemsOf('丆丅丄丂七丁一丁丅 😀 Wang')).toEqual([six + known]);
  });
});
