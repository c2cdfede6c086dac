import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';

/** Bundles of several programs, and what they were made from. */
export type BundleFile = {
  /** The files of this project that the bundles contain, relative to it, and a hash of them and of all packages. */
  inputs: string[];
  inputHash: string;
  /** By the path of the program. */
  scripts: Record<string, string>;
};

/** Returns the name of a file with this content: its SHA-256. */
export function nameOfBundleFile(content: string | Buffer): string {
  return `${createHash('sha256').update(content).digest('hex')}.json`;
}

/**
 * Returns the bundles in a file. Security: a process knows the file by its environment, which a child cannot change. So a
 * child that broke out cannot change the bundles of the next one: a file without the SHA-256 in its name is refused, with
 * a warning. Returns undefined for it, and for one that cannot be read.
 */
export async function readBundleFile(path: string): Promise<BundleFile | undefined> {
  const content = await readFile(path).catch(() => undefined);
  if (!content) return undefined;
  if (basename(path) === nameOfBundleFile(content)) return JSON.parse(content.toString('utf8'));
  process.emitWarning(`document bundles refused, ${path} was changed after it was made`);
  return undefined;
}
