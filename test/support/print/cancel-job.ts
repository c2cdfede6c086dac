import { askPrinter, requireSuccess } from '#common/production/providers/cups/ask-printer.ts';
import { isMissing, nameOfStatus } from '#common/production/providers/cups/ipp-status.ts';
import { parsePrinterUri } from '#common/production/providers/cups/printer-target.ts';
import { guardMs } from '../jest.ts';

/** Cancels a job, as a person at the print queue would. `too_late`: it has ended. `gone`: the printer does not know it. */
export async function cancelJob(uri: string, jobId: number): Promise<'cancelled' | 'too_late' | 'gone'> {
  const operation = 'Cancel-Job';
  const access = { target: parsePrinterUri(uri), user: 'bluejay', timeoutMs: guardMs, signal: undefined };
  return await askPrinter(access, { operation, jobId }, (answer) => {
    if (nameOfStatus(answer.status) === 'client-error-not-possible') return 'too_late';
    if (isMissing(answer.status)) return 'gone';
    requireSuccess(operation, answer);
    return 'cancelled';
  });
}
