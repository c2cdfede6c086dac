import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { connectMongo, disconnectMongo } from '#common/platform/mongo/mongo.ts';
import { useBackup } from '../support/backup/use-backup.ts';
import { describe, expect, test } from '../support/jest.ts';

const key7 = Buffer.alloc(32, 7).toString('base64');
const otherKey = Buffer.alloc(32, 8).toString('base64');
const folder = await mkdtemp(join(tmpdir(), 'bluejay backup '));

describe('backups that do not fit, or are damaged', () => {
  const { made, run, emptyTarget, copyOfBackup, objectIn, changeManifest, resealManifest } = useBackup(folder);

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
      /of a newer version.*migration 999 \(later\)/,
      (path) =>
        resealManifest(path, (manifest) => Object.assign(manifest, { migrations: [{ number: 999, name: 'later' }] })),
    ],
  ];
  test.each(refusals)('one with %s is refused, and nothing is restored', async (_, message, damage) => {
    const { path, objects } = await copyOfBackup();
    await damage(path, objects);
    const target = emptyTarget();
    const { code, stderr } = await run(['backup', 'restore', path], target);
    expect([code, stderr]).toEqual([1, expect.stringMatching(message)]);
    await connectMongo(target.MONGODB_URI, 'backup-test');
    const collections = await mongoose.connection.listCollections().finally(disconnectMongo);
    expect(collections).toEqual([]);
  });

  test.each([
    ['another key of the same name', `t:${otherKey}`, 't is another key'],
    ['another key alone', `k2:${otherKey}`, 't is missing'],
  ])('%s in ENCRYPTION_KEYS is refused', async (_, keys, message) => {
    const { code, stderr } = await run(['backup', 'restore', made.folder], emptyTarget({ ENCRYPTION_KEYS: keys }));
    expect([code, stderr]).toEqual([1, expect.stringContaining(`do not fit this backup: ${message}`)]);
  });

  test('a further key in ENCRYPTION_KEYS does no harm', async () => {
    const keys = { ENCRYPTION_KEYS: `k2:${otherKey},t:${key7}` };
    expect((await run(['backup', 'check', made.folder], keys)).stderr).toBe('');
  });

  test('a database with rows is refused', async () => {
    const { code, stderr } = await run(['backup', 'restore', made.folder]);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/The database is not empty \(.*organizations/)]);
  });
});
