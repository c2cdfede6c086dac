import { watch } from 'node:fs';
import { join } from 'node:path';

/** Editors write a file in several steps. */
const settleMs = 100;
const folders = ['api', 'common', 'scripts', 'test', 'workers'];

/** Settles once one of these modules has changed. */
export async function waitForChange(root: string, modules: ReadonlySet<string>): Promise<void> {
  const stopping = new AbortController();
  const { promise, resolve } = Promise.withResolvers<void>();
  for (const folder of folders) {
    watch(join(root, folder), { recursive: true, signal: stopping.signal }, (_event, name) => {
      if (name !== null && modules.has(join(folder, name))) setTimeout(resolve, settleMs);
    });
  }
  await promise;
  stopping.abort();
}
