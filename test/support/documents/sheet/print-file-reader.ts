import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { guardMs } from '#test/support/jest.ts';

/** How reading a print file ended: the message of the error or null, and the bytes that were read of the file. */
export type ReadOutcome = { error: string | null; readBytes: number };

const start = () => new Worker(new URL('./print-file-reader.program.ts', import.meta.url));

/** Opens a thread that reads all pages of print files. An endless loop there fails its test, and does not hang the file. */
export async function openPrintFileReader() {
  let worker = start();
  return {
    async read(bytes: Uint8Array): Promise<ReadOutcome> {
      worker.postMessage(bytes);
      try {
        const [outcome] = await once(worker, 'message', { signal: AbortSignal.timeout(guardMs) });
        return outcome;
      } catch (error) {
        await worker.terminate();
        worker = start();
        throw new Error('The thread did not read the file to its end', { cause: error });
      }
    },
    close: () => worker.terminate(),
  };
}
