import { hash } from 'node:crypto';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Lets `make` create a program in a folder beside that of `target`, and moves it to `target` atomically. `make` returns
 * its path. Nothing else of the folder is kept.
 */
export async function placeProgram(target: string, make: (workDir: string) => Promise<string>): Promise<void> {
  const workDir = `${dirname(target)}.${process.pid}.part`;
  await mkdir(workDir, { recursive: true });
  try {
    const program = await make(workDir);
    await mkdir(dirname(target), { recursive: true });
    await rename(program, target);
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
}

/** Throws an error that starts with `name` when the file has another SHA-256, in lower-case hex. */
export async function requireSha256(file: string, expected: string, name: string): Promise<void> {
  const sha256 = hash('sha256', await readFile(file));
  if (sha256 !== expected) throw new Error(`${name} is not the expected file (its SHA-256 is ${sha256})`);
}
