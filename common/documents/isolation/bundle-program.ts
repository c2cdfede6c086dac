import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const sources = new Map<string, Promise<string>>();
const bundler = fileURLToPath(new URL('./print-bundle.program.ts', import.meta.url));
const timeoutMs = 60_000;
/** The largest bundle has 0.4 MB. */
const maxBytes = 16 * 1024 * 1024;

/**
 * Returns a child's program as one script without the code that it does not use. Loading the TypeScript files and all
 * modules of pdf-lib took three quarters of the CPU time of a one-page PDF. Bundles each program once per process and
 * keeps the script in memory: on the disk, a child that broke out could change it for the next ones. Throws when the
 * program cannot be bundled, and tries again the next time.
 */
export function bundleProgram(entryPath: string): Promise<string> {
  const known = sources.get(entryPath);
  if (known) return known;
  const source = printBundle(entryPath);
  sources.set(entryPath, source);
  source.catch(() => sources.delete(entryPath));
  return source;
}

async function printBundle(entryPath: string): Promise<string> {
  // With an empty environment: a running child of the same user could read that of this process.
  const options = { env: {}, timeout: timeoutMs, maxBuffer: maxBytes };
  const { stdout } = await promisify(execFile)(process.execPath, [bundler, entryPath], options);
  return stdout;
}
