import { createHash, randomUUID } from 'node:crypto';
import { globSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BundleFile, nameOfBundleFile, readBundleFile } from './bundle-file.ts';
import { printBundles } from './bundle-program.ts';

const root = join(import.meta.dirname, '../../..');
const defaultFolder = join(root, 'node_modules/.cache/bluejay-bundles');

/**
 * Returns the variables that hand the bundles of all document programs to processes, for `useBundleFile`. Bundles them only
 * when no file of this folder has those of the present sources and packages. So they are made once per installation, not
 * by each process: two take a worker two seconds of CPU. Returns no variables when that fails, with a warning: each process
 * then bundles for itself.
 *
 * Who can change the folder can change the sources and packages beside it too, so what a former start has left there is
 * trusted as they are.
 */
export async function prepareBundles(folder = defaultFolder): Promise<{ DOCUMENT_BUNDLES?: string }> {
  try {
    await mkdir(folder, { recursive: true });
    const path = (await findCurrent(folder)) ?? (await makeFile(folder));
    return path ? { DOCUMENT_BUNDLES: path } : {};
  } catch (error) {
    process.emitWarning(`each process bundles its document programs: ${(error as Error).message}`);
    return {};
  }
}

async function findCurrent(folder: string): Promise<string | undefined> {
  for (const path of await listFiles(folder)) {
    const file = await readBundleFile(path);
    if (file && (await hashInputs(file.inputs)) === file.inputHash) return path;
  }
  return undefined;
}

/** Makes the file and removes those of other sources. A running process that still needs one bundles for itself. */
async function makeFile(folder: string): Promise<string | undefined> {
  const startedMs = Date.now();
  const entries = globSync('common/**/*.{child,script}.ts', { cwd: root }).map((path) => join(root, path));
  const { scripts, inputs } = await printBundles(entries);
  const inputHash = await hashInputs(inputs);
  const times = await Promise.all(inputs.map(async (path) => (await stat(join(root, path))).mtimeMs));
  // Saved meanwhile: the bundles may be of other contents than the hash.
  if (inputHash === null || Math.max(...times) >= startedMs) return undefined;

  const byEntry = Object.fromEntries(entries.map((entry, index) => [entry, scripts[index] ?? '']));
  const content = JSON.stringify({ inputs, inputHash, scripts: byEntry } satisfies BundleFile);
  const path = join(folder, nameOfBundleFile(content));
  const others = (await listFiles(folder)).filter((other) => other !== path);
  // Several starts at once write the same content.
  const unfinished = join(folder, `${randomUUID()}.tmp`);
  await writeFile(unfinished, content, { mode: 0o444 });
  await rename(unfinished, path);
  await Promise.all(others.map((other) => rm(other, { force: true })));
  return path;
}

async function listFiles(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => name.endsWith('.json')).map((name) => join(folder, name));
}

/** Hashes sources, the versions of all packages and that of Node. Returns null when a source is no longer there. */
async function hashInputs(inputs: readonly string[]): Promise<string | null> {
  const files = [...inputs, 'common/documents/isolation/print-bundle.program.ts', 'package.json', 'package-lock.json'];
  const contents = await Promise.all(files.map((path) => readFile(join(root, path)).catch(() => null)));
  const hash = createHash('sha256').update(`${process.version} ${root}`);
  for (const [index, content] of contents.entries()) {
    if (content === null) return null;
    hash.update(`\n${files[index]} ${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}
