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
