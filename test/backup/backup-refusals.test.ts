// Level: push
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { connectMongo, disconnectMongo } from '#common/platform/mongo/mongo.ts';
import { createObjectStoreClient } from '#common/platform/s3/s3.ts';
import { useBackup } from '../support/backup/use-backup.ts';
import { describe, expect, test } from '../support/jest.ts';
import { startEmbeddedObjectStore } from '../support/servers/embedded-object-store.ts';

const key7 = Buffer.alloc(32, 7).toString('base64');
const otherKey = Buffer.alloc(32, 8).toString('base64');
const folder = await mkdtemp(join(tmpdir(), 'bluejay backup '));

describe('backups that do not fit, or are damaged', () => {
  const { made, inDatabase, run, restore, emptyTarget, copyOfBackup, objectIn, changeManifest, resealManifest } =
    useBackup(folder);

  const refusals: [string, RegExp, (path: string, objects: string) => Promise<void>][] = [
    ['a damaged file', /mail_jobs\.bson\.gz is damaged/, (path) => truncate(join(path, 'mail_jobs.bson.gz'), 10)],
    ['a missing file', /wallets\.bson\.gz is missing/, (path) => rm(join(path, 'wallets.bson.gz'))],
    ['a damaged object', /is damaged.*Copy the backup/, async (_, it) => writeFile(await objectIn(it), '%PDF+')],
    ['a missing object', /is missing.*Copy the backup/, async (_, objects) => rm(await objectIn(objects))],
    ['no manifest', /There is no backup in .*ENOENT/, (path) => rm(join(path, 'manifest.json'))],
    ['half a manifest', /manifest\.json is damaged/, (path) => truncate(join(path, 'manifest.json'), 50)],
    [
      'a newer format',
      /written by a newer version/,
      (path) => changeManifest(path, (manifest) => Object.assign(manifest, { formatVersion: 2, extra: true })),
    ],
    [
      'a changed manifest',
      /changed after the backup/,
      (path) => changeManifest(path, (manifest) => Object.assign(manifest, { finishedAt: new Date(0).toISOString() })),
    ],
    [
      'an unknown migration',
      /by another version.*migration 999 \(later\)/,
      (path) =>
        resealManifest(path, (manifest) => Object.assign(manifest, { migrations: [{ number: 999, name: 'later' }] })),
    ],
  ];
  test.each(refusals)('one with %s is refused, and nothing is restored', async (_, message, damage) => {
    const { path, objects } = await copyOfBackup();
    await damage(path, objects);
    const target = emptyTarget();
    const { code, stderr } = await restore(path, target);
    expect([code, stderr]).toEqual([1, expect.stringMatching(message)]);
    await connectMongo(target.MONGODB_URI, 'backup-test');
    const collections = await mongoose.connection.listCollections().finally(disconnectMongo);
    expect(collections).toEqual([]);
  });

  test.each([
    ['another key of the same name', `t:${otherKey}`, 't is another key'],
    ['another key alone', `k2:${otherKey}`, 't is missing'],
  ])('%s in ENCRYPTION_KEYS is refused', async (_, keys, message) => {
    const { code, stderr } = await restore(made.folder, emptyTarget({ ENCRYPTION_KEYS: keys }));
    expect([code, stderr]).toEqual([1, expect.stringContaining(`do not fit this backup: ${message}`)]);
  });

  test('one of a database with the migrations before the baseline is taken', async () => {
    const { path } = await copyOfBackup();
    const migrations = Array.from({ length: 8 }, (_, index) => ({ number: index + 1, name: 'before the baseline' }));
    await resealManifest(path, (manifest) => Object.assign(manifest, { migrations }));
    expect((await run(['backup', 'check', path])).stderr).toBe('');
  });

  test('a further key in ENCRYPTION_KEYS does no harm', async () => {
    const keys = { ENCRYPTION_KEYS: `k2:${otherKey},t:${key7}` };
    expect((await run(['backup', 'check', made.folder], keys)).stderr).toBe('');
  });

  test('a database with rows is refused', async () => {
    const { code, stderr } = await run(['backup', 'restore', made.folder]);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/The database is not empty \(.*organizations/)]);
  });

  test('one of a database that a newer version has migrated is refused, and nothing is restored', async () => {
    // As after "Going back" in upgrading.md: the database knows more migrations than the code.
    type Row = { _id: number; name: string; ranAt: Date };
    const stored = () => mongoose.connection.collection<Row>('migrations');
    await inDatabase(() => stored().insertOne({ _id: 900, name: 'of a newer version', ranAt: new Date() }));
    const created = await run(['backup', 'create', '--to', 'gone-back', '--json']);
    await inDatabase(() => stored().deleteOne({ _id: 900 }));
    const target = emptyTarget();
    const { code, stderr } = await restore(JSON.parse(created.stdout).folder, target);
    expect([code, stderr]).toEqual([1, expect.stringContaining('migration 900 (of a newer version)')]);
    await connectMongo(target.MONGODB_URI, 'backup-test');
    expect(await mongoose.connection.listCollections().finally(disconnectMongo)).toEqual([]);
  });

  test('a bucket with objects is refused unless --into-used-bucket is given', async () => {
    for (const key of ['u/org_1/a', 'p/org_1/a.pdf']) {
      const bytes = Buffer.from('%PDF-');
      const own = await startEmbeddedObjectStore();
      const client = createObjectStoreClient(own.settings);
      try {
        await client.ensureBucket();
        await client.put({ key, bytes, contentType: 'application/pdf' });
        const { endpoint, bucket, accessKeyId, secretAccessKey } = own.settings;
        const access = { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey };
        const target = emptyTarget({
          S3_ENDPOINT: endpoint,
          S3_PUBLIC_ENDPOINT: endpoint,
          S3_BUCKET: bucket,
          ...access,
        });
        const { code, stderr } = await run(['backup', 'restore', made.folder], target);
        expect([code, stderr]).toEqual([1, expect.stringMatching(/bucket is not empty.*--into-used-bucket/)]);
        expect(stderr).toContain(key);
      } finally {
        client.close();
        await own.stop();
      }
    }
  });
});
