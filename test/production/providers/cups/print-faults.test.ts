// Level: push
import { type CupsPrinter, createCupsPrinter } from '#common/production/providers/cups/create-cups-printer.ts';
import {
  PrinterBusyError,
  PrinterRefusedError,
  PrintInDoubtError,
} from '#common/production/providers/cups/printer-errors.ts';
import { textPdf } from '#test/support/documents/build-pdf.ts';
import { describe, eventually, expect, guardMs } from '#test/support/jest.ts';
import { cancelJob } from '#test/support/print/cancel-job.ts';
import { startCuttingProxy } from '#test/support/print/cutting-proxy.ts';
import { openPrintSystem, testPrinting } from '#test/support/print/print-system.ts';
import { freeze } from '#test/support/processes/process-control.ts';
import { startFaultProxy } from '#test/support/servers/fault-proxy.ts';

const test = testPrinting;
const system = openPrintSystem();
const printer = (timeoutMs = guardMs, port?: string | number): CupsPrinter => {
  const uri = port === undefined ? system.cupsd.uri : system.cupsd.uri.replace(/:\d+/, `:${port}`);
  return createCupsPrinter({ uri, timeoutMs });
};
const pdf = Buffer.from(await textPdf(['Dear reader']));
const order = (name: string, bytes = pdf) => ({ name, content: { bytes }, color: false });

async function untilState(jobId: number, ...states: string[]) {
  return await eventually(async () => {
    const job = await printer().readJob(jobId);
    expect(states).toContain(job.state);
    return job;
  });
}

const untilEnded = (jobId: number) => untilState(jobId, 'printed', 'failed');
const countPrints = async (name: string) => (await system.printer.prints()).filter((one) => one.name === name).length;

describe('a print queue with a fault', () => {
  test('a job that the printer aborts has failed', async () => {
    // cupsd may report it as completed: its backend polls the printer in two threads, and only one of them sees an abort.
    // That is rare when the backend has watched the job for some time.
    const abort = async (name: string): Promise<string> => {
      const release = await system.printer.hold();
      await system.printer.failNext();
      const { jobId } = await printer().print(order(name));
      await eventually(async () =>
        expect((await printer().check()).reasons).toContain('cups-waiting-for-job-completed'),
      );
      await release();
      const { state } = await untilEnded(jobId);
      expect(await countPrints(name)).toBe(0);
      expect(await cancelJob(system.cupsd.uri, jobId)).toBe('too_late');
      return state;
    };
    const states = [await abort('mi_aborted_1')];
    while (!states.includes('failed') && states.length < 5) states.push(await abort(`mi_aborted_${states.length + 1}`));
    expect(states).toContain('failed');
  });

  test('a printer that is down gets its job once when it is back', async () => {
    await system.printer.stop();
    const { jobId } = await printer().print(order('mi_later'));
    await untilState(jobId, 'printing');
    expect(await countPrints('mi_later')).toBe(0);
    await system.printer.start();
    await untilState(jobId, 'printed');
    expect(await countPrints('mi_later')).toBe(1);
  });

  test('a job is cancelled while it is printed', async () => {
    const release = await system.printer.hold();
    const { jobId } = await printer().print(order('mi_cancelled'));
    await untilState(jobId, 'printing');
    expect(await cancelJob(system.cupsd.uri, jobId)).toBe('cancelled');
    await untilState(jobId, 'failed');
    await release();
  });

  test('a queue that rejects jobs is busy, a queue that does not exist refuses', async () => {
    await system.cupsd.reject();
    await expect(printer().print(order('mi_rejected'))).rejects.toBeInstanceOf(PrinterBusyError);
    expect((await printer().check()).isAccepting).toBe(false);
    await system.cupsd.accept();
    const uri = `${system.cupsd.uri}-not`;
    const missing = createCupsPrinter({ uri, timeoutMs: guardMs });
    await expect(missing.print(order('mi_missing'))).rejects.toBeInstanceOf(PrinterRefusedError);
    expect(await printer().findJobs(new Set(['mi_rejected', 'mi_missing']))).toEqual(new Map());
  });

  test('a cupsd that is suspended or stopped is busy, because it got nothing', async () => {
    const thaw = freeze(system.cupsd.pid());
    try {
      await expect(printer(500).print(order('mi_frozen'))).rejects.toBeInstanceOf(PrinterBusyError);
    } finally {
      thaw();
    }
    await system.cupsd.stop();
    try {
      await expect(printer().print(order('mi_stopped'))).rejects.toBeInstanceOf(PrinterBusyError);
    } finally {
      await system.cupsd.start();
    }
    expect(await printer().findJobs(new Set(['mi_frozen', 'mi_stopped']))).toEqual(new Map());
  });

  test('a job whose answer is lost is in doubt, and found after cupsd was killed', async () => {
    await system.cupsd.pause();
    const proxy = await startFaultProxy(system.cupsd.url);
    try {
      const lost = proxy.breakAtAnswer({ request: 'mi_lost' });
      await expect(printer(guardMs, new URL(proxy.url).port).print(order('mi_lost'))).rejects.toBeInstanceOf(
        PrintInDoubtError,
      );
      await lost;
      const requireSaved = async () => {
        // cupsd saves jobs after it has served a request.
        await printer().check();
        expect(await system.cupsd.isSaved('mi_lost')).toBe(true);
      };
      await eventually(requireSaved);
      await system.cupsd.kill();
      await expect(printer().findJobs(new Set(['mi_lost']))).rejects.toBeInstanceOf(PrinterBusyError);
      await system.cupsd.start();
      const [job] = (await printer().findJobs(new Set(['mi_lost']))).get('mi_lost') ?? [];
      expect(job).toMatchObject({ state: 'waiting' });
      await system.cupsd.resume();
      await untilState(job?.jobId ?? 0, 'printed');
      expect(await countPrints('mi_lost')).toBe(1);
    } finally {
      await proxy.close();
    }
  });

  test('a job whose document was cut off is in doubt, and not found after cupsd was killed', async () => {
    const proxy = await startCuttingProxy(system.cupsd.url, { afterBytes: 100_000 });
    try {
      const large = Buffer.concat([pdf, Buffer.alloc(1_000_000, '% filler\n')]);
      const print = printer(guardMs, proxy.port).print(order('mi_cut', large));
      const inDoubt = expect(print).rejects.toBeInstanceOf(PrintInDoubtError);
      await proxy.cut;
      await system.cupsd.kill();
      await inDoubt;
      await system.cupsd.start();
      expect(await printer().findJobs(new Set(['mi_cut']))).toEqual(new Map());
    } finally {
      await proxy.close();
    }
  });
});
