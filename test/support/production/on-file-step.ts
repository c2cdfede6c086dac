import { AsyncLocalStorage } from 'node:async_hooks';
import type * as fsPromises from 'node:fs/promises';
import { createRequire, syncBuiltinESMExports } from 'node:module';

type FileSystem = typeof fsPromises;
/** CommonJS: the exports of an ES module cannot be replaced. */
const fs = createRequire(import.meta.url)('node:fs/promises') as FileSystem;

/** Operations by which a hot folder changes or is looked at. */
const steps = ['mkdir', 'open', 'rename', 'rm', 'rmdir', 'lstat', 'stat', 'readdir'] as const;

/**
 * Runs `work` and calls `before` with the name and the path of each operation on files that `work` begins, before it
 * begins. An error of `before` is the result of the operation. What `before` and other callers do is not counted.
 */
export async function onFileStep<T>(
  before: (step: (typeof steps)[number], path: string) => Promise<void> | void,
  work: () => Promise<T>,
): Promise<T> {
  const originals = steps.map((step) => [step, fs[step]] as const);
  const isCounted = new AsyncLocalStorage<true>();
  for (const [step, original] of originals) {
    const run = original as (...values: unknown[]) => Promise<unknown>;
    const counted = async (...values: unknown[]) => {
      if (isCounted.getStore()) await isCounted.exit(() => before(step, String(values[0])));
      return await run(...values);
    };
    Object.assign(fs, { [step]: counted });
  }
  syncBuiltinESMExports();
  try {
    return await isCounted.run(true, work);
  } finally {
    Object.assign(fs, Object.fromEntries(originals));
    syncBuiltinESMExports();
  }
}

/** An error of the file system with this code, as Node throws it. */
export function systemError(code: string, syscall: string): Error {
  return Object.assign(new Error(`${code}: ${syscall}`), { code, syscall });
}
