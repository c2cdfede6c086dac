import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type BundleFile, readBundleFile } from './bundle-file.ts';

const sources = new Map<string, Promise<string>>();
let given: Promise<BundleFile | undefined> = Promise.resolve(undefined);
const bundler = fileURLToPath(new URL('./print-bundle.program.ts', import.meta.url));
/** Of each program. They are bundled at once. */
const timeoutMs = 60_000;
/** All bundles together have 1.5 MB. */
const maxBytes = 16 * 1024 * 1024;

/**
 * Takes bundles from this file, which `prepareBundles` has made, as far as it has them. Without a path, or when the file is
 * missing or is not the one that its name says, this process bundles for itself.
 */
export function useBundleFile(path: string | undefined): void {
  sources.clear();
  given = path ? readBundleFile(path) : Promise.resolve(undefined);
}

/**
 * Returns a child's program as one script without the code that it does not use. Loading the TypeScript files and all
 * modules of pdf-lib took three quarters of the CPU time of a one-page PDF. Reads or bundles each program once per process
 * and keeps the script in memory: on the disk, a child that broke out could change it for the next ones. Throws when the
 * program cannot be bundled, and tries again the next time.
 */
export function bundleProgram(entryPath: string): Promise<string> {
  const known = sources.get(entryPath);
  if (known) return known;
  const source = findBundle(entryPath);
  sources.set(entryPath, source);
  source.catch(() => sources.delete(entryPath));
  return source;
}

async function findBundle(entryPath: string): Promise<string> {
  const script = (await given)?.scripts[entryPath] ?? (await printBundles([entryPath])).scripts[0];
  if (script === undefined) throw new Error(`The bundler printed nothing for ${entryPath}.`);
  return script;
}

/** The scripts are in the order of the entries. `inputs` are the files of this project that they contain. */
export async function printBundles(entryPaths: string[]): Promise<{ scripts: string[]; inputs: string[] }> {
  // With an empty environment: a running child of the same user could read that of this process.
  const options = { env: {}, timeout: timeoutMs * entryPaths.length, maxBuffer: maxBytes };
  const { stdout } = await promisify(execFile)(process.execPath, [bundler, ...entryPaths], options);
  return JSON.parse(stdout);
}
