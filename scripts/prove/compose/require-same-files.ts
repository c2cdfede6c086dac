import { mkdir, rm } from 'node:fs/promises';
import { runCommand } from '../run-command.ts';

/** Throws when two archives of `name` have files with other names, modes, owners or contents. Their times may differ. */
export async function requireSameFiles(archive: string, other: string, name: string): Promise<void> {
  const [listed, otherListed] = [await list(archive), await list(other)];
  const changed = [...listed.symmetricDifference(otherListed)];
  if (changed.length > 0)
    throw new Error(`Another build gives ${name} other files: ${changed.slice(0, 10).join(', ')}`);
  const folders = await Promise.all([archive, other].map(extract));
  try {
    await runCommand(['diff', '--recursive', '--no-dereference', '--brief', ...folders]);
  } finally {
    await Promise.all(folders.map((path) => rm(path, { recursive: true, force: true })));
  }
}

/** Returns the mode, owner, size and name of each file. */
async function list(archive: string): Promise<Set<string>> {
  const lines = await runCommand(['tar', '--list', '--verbose', '--numeric-owner', '--file', archive]);
  return new Set(lines.split('\n').map((line) => line.replace(/ \d{4}-\d\d-\d\d \d\d:\d\d /, ' ')));
}

async function extract(archive: string): Promise<string> {
  const path = `${archive}.files`;
  await mkdir(path);
  await runCommand(['tar', '--extract', '--file', archive, '--directory', path]);
  return path;
}
