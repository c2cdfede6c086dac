import { parentPort } from 'node:worker_threads';
import { readPrintFile } from '#common/documents/sheet/read-print-file.ts';
import type { ReadOutcome } from './print-file-reader.ts';

parentPort?.on('message', async (bytes: Uint8Array) => {
  const file = Buffer.from(bytes);
  let readBytes = 0;
  const counted = Object.assign(Buffer.from(bytes), {
    toString(encoding: 'latin1', from: number, to: number) {
      readBytes += Math.max(0, Math.min(to, file.length) - from);
      return file.toString(encoding, from, to);
    },
  });
  const error = await readPrintFile({ bytes: counted }, () => true).then(
    () => null,
    ({ message }: Error) => message,
  );
  parentPort?.postMessage({ error, readBytes } satisfies ReadOutcome);
});
