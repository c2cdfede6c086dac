// Level: ci
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { Bulk, type BulkRecord } from '#common/bulk/model/bulk.model.ts';
import { readBackupAgeS } from '#common/operations/backup-age.ts';
import { newDue } from '#common/platform/due-work/due-work.ts';
import { createLease } from '#common/platform/mongo/lease.model.ts';
import { connectMongo, disconnectMongo } from '#common/platform/mongo/mongo.ts';
import { createLog } from '#common/platform/process/log.ts';
import { Upload } from '#common/uploads/upload.model.ts';
import { copyObjects } from '#scripts/backup/copy-objects.ts';
import { holdingBackups } from '#scripts/backup/holding-backups.ts';
import { exactRow, useBackup } from '../support/backup/use-backup.ts';
import { insertBulk } from '../support/bulk/a-bulk.ts';
import { describe, eventually, expect, test } from '../support/jest.ts';

const folder = await mkdtemp(join(tmpdir(), 'bluejay backup '));

describe('backups on the administration command line', () => {
  const { backups, inDatabase, store, key, made, run, restore, emptyTarget, copyOfBackup, objectIn, resealManifest } =
    useBackup(folder);

  test('only their owner can read them', async () => {
    const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);
    expect(await modeOf(made.folder)).toBe('700');
    const files = (await readdir(made.folder)).map((name) => join(made.folder, name));
    for (const path of [...files, await objectIn(join(backups, 'objects'))]) {
      expect([path, await modeOf(path)]).toEqual([path, '600']);
    }
  });

  test('one is checked without restoring it, and restored with every type of value', async () => {
    const target = emptyTarget();
    const indexes = await inDatabase(() => mongoose.connection.collection('organizations').indexes());
    const checked = await run(['backup', 'check', made.folder], target);
    expect([checked.code, checked.stdout]).toEqual([0, expect.stringContaining('1 objects. These keys fit: t.')]);
    await store.delete(key);
    const restored = await restore(made.folder, target);
    expect([restored.code, restored.stderr, restored.stdout]).toEqual([0, '', expect.stringContaining('Restored')]);
    expect((await store.head(key))?.contentType).toBe('application/pdf');
    await connectMongo(target.MONGODB_URI, 'backup-test');
    try {
      const row = await mongoose.connection.collection('exact_rows').findOne({}, { promoteValues: false });
      expect({ ...row, _id: undefined }).toEqual({ ...exactRow, _id: undefined });
      expect(await mongoose.connection.collection('organizations').indexes()).toEqual(indexes);
    } finally {
      await disconnectMongo();
    }
  });

  test('a restore by other tools is settled: open batches, confirmed live lists and dispatch', async () => {
    const target = emptyTarget();
    expect((await run(['migrate'], target)).code).toBe(0);
    const owner = { organizationId: 'org_1', mode: 'live' } as const;
    const pause = { code: 'INSUFFICIENT_FUNDS', message: 'Top up.' } as const;
    const inTarget = async <T>(work: () => Promise<T>) => {
      await connectMongo(target.MONGODB_URI, 'backup-test');
      return await work().finally(disconnectMongo);
    };
    const ids = await inTarget(async () => [
      await insertBulk(owner, { state: 'sending', due: { send: newDue(new Date()) } }),
      // Its owner may have resumed it after the backup.
      await insertBulk(owner, { state: 'paused', pause }),
      await insertBulk({ ...owner, mode: 'test' }, { state: 'paused', pause }),
      await insertBulk(owner, { state: 'ready' }),
    ]);
    const words = ['backup', 'settle', '--json'];
    const outcomes = [await run(words, target), await run(words, target)].map(({ stdout }) => JSON.parse(stdout));
    const pausedBulks = ids.slice(0, 2).map((bulkId) => ({ bulkId, organizationId: 'org_1' }));
    const settled = { closedBatches: 0, pausedBulks };
    expect(outcomes).toEqual([settled, settled]);
    const bulks = await inTarget(() => Bulk.find().sort({ _id: 1 }).lean<BulkRecord[]>());
    const restored = { code: 'REQUESTED', message: expect.stringContaining('restored from a backup') };
    expect(bulks.map((bulk) => [bulk.state, bulk.pause, bulk.due.send])).toEqual([
      ['paused', restored, undefined],
      ['paused', restored, undefined],
      ['paused', pause, undefined],
      ['ready', null, undefined],
    ]);
    expect((await run(['resume', 'dispatch'], target)).code).toBe(0);
  });

  test('a restore while all work is paused pauses dispatch, too, for longer', async () => {
    const target = emptyTarget();
    expect((await run(['migrate'], target)).code).toBe(0);
    const words = [
      ['drain', '--reason', 'upgrade'],
      ['backup', 'settle'],
      ['resume', 'all'],
      ['resume', 'dispatch'],
    ];
    const codes: unknown[] = [];
    for (const each of words) codes.push((await run(each, target)).code);
    expect(codes).toEqual([0, 0, 0, 0]);
  });

  test('a restore that has failed leaves a database that cannot be migrated', async () => {
    const { path } = await copyOfBackup();
    await resealManifest(path, ({ collections }) => {
      const wallets = (collections as { name: string; rows: number }[]).find(({ name }) => name === 'wallets');
      if (wallets) wallets.rows += 1;
    });
    const target = emptyTarget();
    const restored = await restore(path, target);
    expect([restored.code, restored.stderr]).toEqual([
      1,
      expect.stringMatching(/wallets has \d+ rows after the restore/),
    ]);
    const migrated = await run(['migrate'], target);
    expect([migrated.code, migrated.stderr]).toEqual([1, expect.stringContaining('999999 (restore not completed)')]);
  });

  test('a later one copies new objects only, and old ones are removed with what only they had', async () => {
    const root = join(folder, 'kept');
    await cp(backups, root, { recursive: true });
    const stale = join(root, 'objects', 'ab', `${'ab'.repeat(16)}-1`);
    await cp(await objectIn(join(root, 'objects')), stale);
    await utimes(stale, 1, 1);
    // That of a backup that runs, which may just mark an object.
    const running = join(root, '20260504T130000Z.incomplete');
    await mkdir(running);
    const create = async () =>
      JSON.parse((await run(['backup', 'create', '--to', 'kept', '--keep', '1', '--json'])).stdout);
    const { objects, removed } = await create();
    expect(objects).toEqual({ count: 1, copied: 0, missing: 0, lost: [] });
    expect(removed).toEqual({ backups: 1, objects: 0 });
    await rm(running, { recursive: true });
    // A name has the second of its start.
    await eventually(async () => expect((await create()).removed).toEqual({ backups: 1, objects: 1 }));
    const [name = ''] = (await readdir(root)).filter((entry) => entry !== 'objects');
    expect((await run(['backup', 'check', join(root, name)])).stderr).toBe('');
  });

  test('while another one runs, it is refused and leaves nothing', async () => {
    const other = createLease('backups', 60_000);
    await inDatabase(() => other.hold());
    const { code, stderr } = await run(['backup', 'create', '--to', 'second', '--keep', '1']).finally(() =>
      inDatabase(other.release),
    );
    expect([code, stderr]).toEqual([1, expect.stringContaining('Another backup of this installation is running.')]);
    expect(await readdir(folder)).not.toContain('second');
  });

  test('one that was stopped for longer than its lease knows of its successor, and leaves it alone', async () => {
    await inDatabase(async () => {
      const successor = createLease('backups', 60_000);
      const log = createLog('test', 'silent');
      const seen = await holdingBackups(log, async (isStillAlone) => {
        const before = await isStillAlone();
        await mongoose.connection
          .collection<{ _id: string }>('leases')
          .updateOne({ _id: 'backups' }, { $set: { until: new Date(0) } });
        expect(await successor.hold()).toBe(true);
        return [before, await isStillAlone()];
      });
      expect(seen).toEqual([true, false]);
      await expect(holdingBackups(log, async () => {})).rejects.toThrow('Another backup');
      await successor.release();
    });
  });

  test('one of which a letter has lost an object is kept, is not recorded, and exits with 1', async () => {
    const root = join(folder, 'lost');
    await cp(backups, root, { recursive: true });
    const at = new Date(Date.now() + 3_600_000);
    const about = { organizationId: 'org_1', mode: 'test', filename: 'b.pdf', mimeType: 'application/pdf' } as const;
    const file = { sizeBytes: 5, createdAt: new Date(), usableUntil: at, etag: '"1"', pageCount: 1, neededUntil: at };
    await inDatabase(() => Upload.create({ _id: 'u/backup-test/lost', ...about, ...file }));
    const readAge = () => inDatabase(() => readBackupAgeS(new Date(0)));
    const ageBefore = await readAge();
    const { code, stdout } = await run(['backup', 'create', '--to', 'lost', '--keep', '1', '--json']);
    await inDatabase(() => Upload.deleteOne({ _id: 'u/backup-test/lost' }));
    // The alert on the age of backups would be silent.
    expect(await readAge()).toBe(ageBefore);
    expect([code, JSON.parse(stdout)]).toMatchObject([1, { objects: { lost: ['u/backup-test/lost'] }, removed: null }]);
    expect((await readdir(root)).filter((name) => name !== 'objects')).toHaveLength(2);
  });

  test('objects can be left to the tools of the store', async () => {
    const words = ['backup', 'create', '--to', 'rows', '--without-objects', '--keep', '1', '--json'];
    const first = JSON.parse((await run(words)).stdout);
    expect(first.objects).toBeNull();
    await eventually(async () => {
      // A name has the second of its start.
      const { code, stdout } = await run(words);
      expect(code).toBe(0);
      expect(JSON.parse(stdout).removed).toEqual({ backups: 1, objects: 0 });
    });
    // That of a backup with objects, of which they are left out.
    const { path, objects } = await copyOfBackup();
    await rm(objects, { recursive: true });
    const { code, stdout: text } = await run(['backup', 'restore', path, '--without-objects'], emptyTarget());
    expect([code, text]).toEqual([0, expect.not.stringContaining('Objects')]);
  });

  test('collections with any name are restored, and views are left out', async () => {
    const names = ['mail_jobs-old', 'jobsBackup', 'jobsbackup', 'a/b', 'a..b', `x${'é'.repeat(60)}`];
    await inDatabase(async () => {
      for (const name of names) await mongoose.connection.collection(name).insertOne({ name });
      await mongoose.connection.createCollection('a_view', { viewOn: 'jobsBackup', pipeline: [] });
    });
    const created = await run(['backup', 'create', '--to', 'named', '--json']);
    await inDatabase(async () => {
      for (const name of ['a_view', ...names]) await mongoose.connection.dropCollection(name);
    });
    expect([created.code, created.stderr]).toEqual([0, '']);
    const target = emptyTarget();
    const restored = await restore(JSON.parse(created.stdout).folder, target);
    expect([restored.code, restored.stderr]).toEqual([0, '']);
    await connectMongo(target.MONGODB_URI, 'backup-test');
    try {
      for (const name of names) expect(await mongoose.connection.collection(name).findOne()).toMatchObject({ name });
      expect(await mongoose.connection.listCollections()).not.toContainEqual(
        expect.objectContaining({ name: 'a_view' }),
      );
    } finally {
      await disconnectMongo();
    }
  });

  test('the time of a new object is that of this machine, by which unused objects are removed', async () => {
    const [root, bytes] = [await mkdtemp(join(folder, 'times-')), Buffer.from('%PDF-')];
    const etag = '"561318f0d57972e7c62fe701849032af"';
    const facts = { etag, sizeBytes: bytes.length, contentType: null };
    const ofAnotherClock = async ({ path }: { path: string }) => {
      await writeFile(path, bytes);
      await utimes(path, 1, 1);
      return facts;
    };
    async function* objects() {
      yield { key: 'u/a', neededBy: null };
    }
    const objectsFolder = join(root, 'objects');
    const startedMs = Date.now();
    const fake = { head: async () => facts, getToFile: ofAnotherClock } as Partial<typeof store> as typeof store;
    await copyObjects({ objects: objects(), store: fake, folder: root, objectsFolder });
    const path = await objectIn(objectsFolder);
    expect(await readFile(path)).toEqual(bytes);
    expect((await stat(path)).mtimeMs).toBeGreaterThanOrEqual(startedMs - 1);
  });
});
