// Level: unit
import { createCupsPrinter } from '#common/production/providers/cups/create-cups-printer.ts';
import { parsePrinterUri } from '#common/production/providers/cups/printer-target.ts';
import { describe, expect, test } from '#test/support/jest.ts';

describe('the URI of a printer', () => {
  test.each([
    ['ipp://localhost/printers/letters', false, 'localhost', 631, '/printers/letters'],
    ['ipp://127.0.0.1:8631/printers/a%20b', false, '127.0.0.1', 8631, '/printers/a%20b'],
    ['ipp://print.example:80/printers/letters', false, 'print.example', 80, '/printers/letters'],
    ['ipps://print.example:443/printers/letters', true, 'print.example', 443, '/printers/letters'],
    ['ipps://[::1]/printers/letters', true, '::1', 631, '/printers/letters'],
    ['ipp://[2001:db8::1]:632/printers/letters', false, '2001:db8::1', 632, '/printers/letters'],
  ])('%s names a host, a port and a path', (uri, isTls, host, port, path) => {
    expect(parsePrinterUri(uri)).toEqual({ printerUri: uri, isTls, host, port, path });
  });

  test.each([
    'http://localhost:631/printers/letters',
    'ipp://localhost',
    'ipp://localhost/',
    'ipp:///printers/letters',
    'ipp://localhost:99999/printers/letters',
    'ipp://user:secret@localhost/printers/letters',
    'ipp://localhost/printers/letters?a=secret',
    'ipp://localhost/printers/letters#secret',
    'ipp://localhost/printers/let ters',
    'ipp://localhost\\printers',
    `ipp://localhost/${'x'.repeat(1_100)}`,
  ])('%s is refused without being repeated', (uri) => {
    expect(() => parsePrinterUri(uri)).toThrow(/^The printer URI cannot be used\./);
    expect(() => parsePrinterUri(uri)).not.toThrow(/secret/);
  });

  test('goes with a user and job names of printable ASCII without spaces', async () => {
    const uri = 'ipp://localhost:1/printers/letters';
    for (const user of ['', 'two words', 'é', 'x'.repeat(256)]) {
      expect(() => createCupsPrinter({ uri, timeoutMs: 1_000, user })).toThrow(RangeError);
      const printer = createCupsPrinter({ uri, timeoutMs: 1_000 });
      const job = { name: user, content: { bytes: Buffer.from('%PDF') }, color: false };
      await expect(printer.print(job)).rejects.toBeInstanceOf(RangeError);
    }
  });
});
