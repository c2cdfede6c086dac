import { randomBytes } from 'node:crypto';
import { linkSync, rmSync, writeFileSync } from 'node:fs';
import { chmod, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The secrets of one data folder, created once. */
export type LocalKeys = {
  /** In the format of the variable ENCRYPTION_KEYS. */
  encryptionKeys: string;
  accessKeyId: string;
  secretAccessKey: string;
};

/** Reads `<dataDir>/keys` and creates missing keys. Only the owner may read the files. */
export async function readLocalKeys(dataDir: string): Promise<LocalKeys> {
  const folder = join(dataDir, 'keys');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
  return {
    encryptionKeys: await readKey(folder, 'encryption-keys', () => `k1:${randomBytes(32).toString('base64')}`),
    accessKeyId: await readKey(folder, 'object-store-access-key-id', () => `BJ${randomBytes(9).toString('hex')}`),
    secretAccessKey: await readKey(folder, 'object-store-secret-key', () => randomBytes(30).toString('base64url')),
  };
}

async function readKey(folder: string, name: string, make: () => string): Promise<string> {
  const file = join(folder, name);
  const found = await readFile(file, 'utf8').catch(() => undefined);
  if (found !== undefined && found.trim() !== '') return found.trim();
  const key = make();
  const draft = `${file}.${process.pid}.part`;
  writeFileSync(draft, `${key}\n`, { mode: 0o600, flush: true });
  // `link` fails when the file exists. Replacing an encryption key would make everything it has encrypted unreadable.
  try {
    if (found !== undefined) rmSync(file);
    linkSync(draft, file);
  } finally {
    rmSync(draft);
  }
  return key;
}
