import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findClaimant } from './claim-data-dir.ts';

type Environment = Record<string, string>;

/** Stores the variables of the running servers in the data folder. Only its owner may read them. */
export async function writeRunningEnvironment(dataDir: string, environment: Environment): Promise<void> {
  const file = environmentFile(dataDir);
  await mkdir(join(dataDir, 'keys'), { recursive: true, mode: 0o700 });
  await rm(file, { force: true });
  await writeFile(file, JSON.stringify(environment, null, 2), { mode: 0o600 });
}

/** Returns the variables of the `npm start` that runs on this folder, or undefined when none does. */
export async function readRunningEnvironment(dataDir: string): Promise<Environment | undefined> {
  if (findClaimant(dataDir) === undefined) return undefined;
  const text = await readFile(environmentFile(dataDir), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : JSON.parse(text);
}

export async function removeRunningEnvironment(dataDir: string): Promise<void> {
  await rm(environmentFile(dataDir), { force: true });
}

function environmentFile(dataDir: string): string {
  return join(dataDir, 'keys', 'running-environment.json');
}
