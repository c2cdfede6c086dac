import { randomUUID } from 'node:crypto';
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { readConfig } from '#common/config/config.ts';
import { connectMongo, disconnectMongo } from '#common/platform/mongo/mongo.ts';
import { createObjectStoreClient } from '#common/platform/s3/s3.ts';
import { createKeyRing } from '#common/secrets.ts';
import { Upload } from '#common/uploads/upload.model.ts';
import { sealManifest } from '#scripts/backup/seal-manifest.ts';
import { afterAll, openOnce } from '../jest.ts';
import { address, runCommandLine, useAdmin } from '../wallet/admin.ts';

const { Binary, Decimal128, Double, Int32, Long } = mongoose.mongo;
/** A row with each type of number, which JavaScript would merge. */
export const exactRow = {
  ...{ int: new Int32(1), double: new Double(1), long: Long.fromString('9007199254740993') },
  ...{ decimal: Decimal128.fromString('1.10'), bytes: new Binary(Buffer.from([1, 2])), at: new Date(5), no: null },
};

/** An installation with an organization, an upload and `exactRow`, and a backup of it, for one test file. */
export function useBackup(folder: string) {
  const backups = join(folder, 'backups');
  const { environment, get, inDatabase } = useAdmin();
  const store = createObjectStoreClient(readConfig(environment).s3);
  const key = `u/backup-test/${randomUUID()}`;
  const targets: string[] = [];

  afterAll(async () => {
    for (const uri of targets) {
      await connectMongo(uri, 'backup-test');
      await mongoose.connection.dropDatabase();
      await disconnectMongo();
    }
    await store.delete(key);
    store.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Returns the variables of a new, empty database. */
  function emptyTarget(changes: Record<string, string> = {}) {
    const uri = new URL(environment.MONGODB_URI);
    uri.pathname = `/t-${randomUUID().slice(0, 12)}`;
    targets.push(uri.href);
    return { MONGODB_URI: uri.href, ...changes };
  }

  /** Runs a command with these variables changed. */
  async function run(words: string[], changes: Record<string, string> = {}) {
    return await runCommandLine(words, { environment: { ...environment, ...changes }, workingDir: folder });
  }

  /** Restores into the bucket of the test servers, which other tests use, too. */
  const restore = (path: string, target: Record<string, string>) =>
    run(['backup', 'restore', path, '--into-used-bucket'], target);

  const made = openOnce(async () => {
    await get('migrate');
    await get('org', 'create', '--name', 'A', ...address);
    const bytes = Buffer.from('%PDF-');
    await store.put({ key, bytes, contentType: 'application/pdf' });
    await inDatabase(async () => {
      const about = { organizationId: 'org_1', mode: 'test', filename: 'a.pdf', mimeType: 'application/pdf' } as const;
      const file = { sizeBytes: bytes.length, createdAt: new Date(), usableUntil: new Date(0) };
      await Upload.create({ _id: key, ...about, ...file, etag: null, pageCount: null, neededUntil: null });
      await mongoose.connection.collection('exact_rows').insertOne(exactRow);
    });
    const { code, stdout, stderr } = await run(['backup', 'create', '--to', 'backups', '--json']);
    if (code !== 0) throw new Error(stderr);
    return JSON.parse(stdout);
  });

  /** Returns a copy of the backup, with its objects, that a test may damage. */
  async function copyOfBackup(): Promise<{ path: string; objects: string }> {
    const root = join(folder, randomUUID());
    await cp(backups, root, { recursive: true });
    return { path: join(root, made.folder.slice(backups.length)), objects: join(root, 'objects') };
  }
  async function objectIn(objects: string): Promise<string> {
    const [name = ''] = (await readdir(objects, { recursive: true })).filter((path) => path.includes('-'));
    return join(objects, name);
  }
  async function changeManifest(path: string, change: (manifest: Record<string, unknown>) => void): Promise<void> {
    const manifest = JSON.parse(await readFile(join(path, 'manifest.json'), 'utf8'));
    change(manifest);
    await writeFile(join(path, 'manifest.json'), JSON.stringify(manifest));
  }
  async function resealManifest(path: string, change: (manifest: Record<string, unknown>) => void): Promise<void> {
    await changeManifest(path, (manifest) => {
      const { keys: _, seal: __, ...unsealed } = manifest;
      change(unsealed);
      Object.assign(manifest, sealManifest(unsealed as never, createKeyRing(environment.ENCRYPTION_KEYS.split(','))));
    });
  }

  return {
    ...{ backups, environment, inDatabase, store, key, made },
    ...{ emptyTarget, run, restore, copyOfBackup, objectIn, changeManifest, resealManifest },
  };
}
