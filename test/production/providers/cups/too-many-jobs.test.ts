// Level: unit
import { createCupsPrinter } from '#common/production/providers/cups/create-cups-printer.ts';
import { PrinterBusyError } from '#common/production/providers/cups/printer-errors.ts';
import { textPdf } from '#test/support/documents/build-pdf.ts';
import { expect, guardMs } from '#test/support/jest.ts';
import { cancelJob } from '#test/support/print/cancel-job.ts';
import { openPrintSystem, testPrinting } from '#test/support/print/print-system.ts';

const test = testPrinting;
const system = openPrintSystem({ maxJobs: 2 });

test('a cupsd with as many jobs as it may have is busy, and takes the letter when one is gone', async () => {
  const printer = createCupsPrinter({ uri: system.cupsd.uri, timeoutMs: guardMs });
  const bytes = Buffer.from(await textPdf(['Dear reader']));
  const print = (name: string) => printer.print({ name, content: { bytes }, color: false });
  await system.cupsd.pause();
  const { jobId } = await print('mi_1');
  await print('mi_2');

  const refused = print('mi_3');
  await expect(refused).rejects.toBeInstanceOf(PrinterBusyError);
  await expect(refused).rejects.toThrow('Print-Job: client-error-not-possible: Too many active jobs.');
  expect(await printer.findJobs(new Set(['mi_3']))).toEqual(new Map());

  expect(await cancelJob(system.cupsd.uri, jobId)).toBe('cancelled');
  expect((await print('mi_3')).jobId).toBeGreaterThan(jobId);
});
