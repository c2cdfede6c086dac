// Level: unit
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { createCupsPrinter } from '#common/production/providers/cups/create-cups-printer.ts';
import { PrinterBusyError } from '#common/production/providers/cups/printer-errors.ts';
import { afterEach, describe, expect, guardMs, test } from '#test/support/jest.ts';
import { ippAnswer, jobGroup } from '#test/support/print/ipp-answers.ts';
import { startIppServer } from '#test/support/print/ipp-server.ts';
import { testAuthority, testIdentity } from '#test/support/webhooks/raw-receiver.ts';

const authorities = getCACertificates('default');
afterEach(async () => setDefaultCACertificates(authorities));

async function printOver(identity: 'hooks' | 'other') {
  const server = await startIppServer({ tls: testIdentity(identity) });
  server.answerPrint(({ requestId }) => ippAnswer({ requestId, groups: [jobGroup(7)] }));
  const printer = createCupsPrinter({ uri: server.uri, timeoutMs: guardMs });
  try {
    const result = await printer
      .print({ name: 'mi_1', content: { bytes: Buffer.from('%PDF') }, color: false })
      .catch((error: unknown) => error);
    return { result, requests: server.requests().length };
  } finally {
    await server.close();
  }
}

describe('a printer with an ipps URI', () => {
  test('gets a letter over TLS when its certificate is valid', async () => {
    setDefaultCACertificates([...authorities, testAuthority()]);
    expect(await printOver('hooks')).toEqual({ result: { jobId: 7 }, requests: 2 });
  });

  test('gets nothing when its certificate is of an unknown authority or another host', async () => {
    const untrusted = await printOver('hooks');
    expect(untrusted.result).toBeInstanceOf(PrinterBusyError);
    setDefaultCACertificates([...authorities, testAuthority()]);
    const other = await printOver('other');
    expect(other.result).toBeInstanceOf(PrinterBusyError);
    expect([untrusted.requests, other.requests]).toEqual([0, 0]);
  });
});
