import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { countFields } from '#common/bulk/check/plan-mapping.ts';
import { readTable } from '#common/bulk/file/read-table.ts';
import type { Reading } from '#common/bulk/file/reading.ts';
import { TableFault } from '#common/bulk/file/table-fault.ts';
import { createRenderSlots } from '#common/documents/isolation/render-slots.ts';
import type { Language } from '#common/languages.ts';
import { createLog } from '#common/platform/process/log.ts';

const never = new AbortController().signal;
const log = createLog('test', 'silent');

/** Returns functions that read a bulk file as workers do, each in a folder of its own. */
export function bulkFileReader(newFolder: () => Promise<string>) {
  const slots = createRenderSlots();

  async function read(bytes: Uint8Array, reading: Reading = {}, language: Language = 'en') {
    const folder = await newFolder();
    const path = join(folder, 'file');
    await writeFile(path, bytes);
    const slot = await slots.acquire(never);
    try {
      const work = { reading, countFields, slot, folder, language, signal: never, log };
      const { format, header, rows } = await readTable(path, work);
      return { format, header: header.cells, rows: await Array.fromAsync(rows) };
    } finally {
      slot.release();
    }
  }

  /** Returns the fault of a file that cannot be read, and its line or count. */
  async function faultOf(bytes: Uint8Array, reading: Reading = {}): Promise<[string, number | null]> {
    const error = await read(bytes, reading).then(
      () => null,
      (failure: unknown) => failure,
    );
    if (!(error instanceof TableFault)) throw new Error(`The file was read, or failed otherwise: ${error}`);
    return [error.fault, error.place.line ?? error.place.count ?? null];
  }
  return { read, faultOf };
}
