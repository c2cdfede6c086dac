import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { OperatorError } from '../program/operator-error.ts';
import { manifestName } from './backup-folder.ts';

/** The format that this version writes. It reads no other. */
export const formatVersion = 1;

const count = z.int().min(0);
const hex = z.string().regex(/^[0-9a-f]{64}$/);
const file = { file: z.string().regex(/^[a-z0-9_.]+$/), sizeBytes: count, sha256: hex };

/** `manifest.json`: what a backup holds, and what a restore needs. */
export const BackupManifest = z.strictObject({
  formatVersion: z.literal(formatVersion),
  startedAt: z.iso.datetime(),
  finishedAt: z.iso.datetime(),
  /** The moment of all rows, by MongoDB: seconds since 1970 and a counter, as `--oplogLimit` takes it. */
  clusterTime: z.string().regex(/^\d+:\d+$/),
  migrations: z.array(z.strictObject({ number: count, name: z.string() })),
  collections: z.array(z.strictObject({ name: z.string(), rows: count, rowBytes: count, ...file })),
  objects: z.strictObject({
    ...file,
    count,
    objectBytes: count,
    /** Objects that rows name and the store did not have: not uploaded yet, removed, or lost. */
    missing: count,
    /** Those of them that letters still need. At most 100 keys. */
    lost: z.array(z.string()),
  }),
  /** For each of ENCRYPTION_KEYS a value that only this key can compute. */
  keys: z.array(z.strictObject({ id: z.string(), check: hex })).min(1),
  /** Of all of the above, by the first of the keys. */
  seal: hex,
});
export type BackupManifest = z.infer<typeof BackupManifest>;

const Newer = z.looseObject({ formatVersion: z.int().gt(formatVersion) });

/** Reads the manifest of a backup. Throws OperatorError when there is none, or none that this version understands. */
export async function readManifest(folder: string): Promise<BackupManifest> {
  const path = join(folder, manifestName);
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new OperatorError(
      `There is no backup in ${folder} (${error.code}): name a folder with a ${manifestName}. A folder whose name ends in .incomplete is no backup.`,
    );
  });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new OperatorError(`${path} is damaged: it is not JSON. Use another backup.`);
  }
  if (Newer.safeParse(value).success) {
    throw new OperatorError(`${path} was written by a newer version of Bluejay. Restore with that version.`);
  }
  const parsed = BackupManifest.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new OperatorError(`${path} is damaged: ${issue?.path.join('.')}: ${issue?.message}. Use another backup.`);
}
