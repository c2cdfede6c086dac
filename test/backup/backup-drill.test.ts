// Level: ci

import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import mongoose from 'mongoose';
import type { BulkRecord } from '#common/bulk/model/bulk.model.ts';
import type { MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { printFileKey } from '#common/mail-jobs/render/print-file-key.ts';
import { newDue } from '#common/platform/due-work/due-work.ts';
import { createObjectStoreClient } from '#common/platform/s3/s3.ts';
import { createProviders, prepareProviders } from '#common/production/submission/create-providers.ts';
import { openPapers } from '#test/support/documents/typesetting/use-typesetting.ts';
import { insertBulk } from '../support/bulk/a-bulk.ts';
import {
  afterAll,
  beforeAll,
  byLevel,
  describe,
  eventually,
  expect,
  openOnce,
  standingClock,
  test,
} from '../support/jest.ts';
import { killStartedPrograms, runAdmin, startNode, startProductProcess } from '../support/processes/process-control.ts';
import { startWorld } from '../support/product/world.ts';
import { startPressScene } from '../support/production/press-scene.ts';
import { access, startEmbeddedObjectStore } from '../support/servers/embedded-object-store.ts';
import { startOwnMongo } from '../support/servers/own-mongo.ts';
import { addWebhook, isSignedBy, startReceiver } from '../support/webhooks/receiver.ts';

const reconcileProgram = join(import.meta.dirname, '../../scripts/reconcile.ts');
const lettersBefore = byLevel({ quick: 20, full: 60, long: 2_000 });
const senders = 4;

const folder = await mkdtemp(join(tmpdir(), 'bluejay backup '));
const hotFolder = join(folder, 'hot folder');
await prepareProviders({ hotFolder, cupsPrinter: null });

/** Returns the variables of an object store. */
function storeVariables(endpoint: string): Record<string, string> {
  const { bucket, accessKeyId, secretAccessKey } = access;
  const keys = { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey };
  return { S3_ENDPOINT: endpoint, S3_PUBLIC_ENDPOINT: endpoint, S3_BUCKET: bucket, ...keys };
}

async function startStore() {
  const { settings, stop: close } = await startEmbeddedObjectStore();
  const client = createObjectStoreClient(settings);
  await client.ensureBucket();
  return { client, settings, close, variables: storeVariables(settings.endpoint) };
}

describe('a backup made while letters are sent, restored on other servers', () => {
  const environment: Record<string, string> = { HOT_FOLDER: hotFolder };
  const first = openOnce(async () => {
    const store = await startStore();
    Object.assign(environment, store.variables);
    return store;
  });
  const clock = standingClock();
  const world = startWorld({ clock, environment });
  const printRules = [{ zone: null, serviceType: null, provider: 'hot-folder' }] as const;
  const providers = createProviders({ hotFolder, cupsPrinter: null }, openPapers());
  const scene = startPressScene(world, clock, { printRules, providers });
  const receiver = startReceiver();
  const second = openOnce(startStore);
  const mongo = openOnce(startOwnMongo);
  const restored = openOnce(async () => {
    const uri = new URL(mongo.uri);
    uri.pathname = '/restored';
    const client = await new mongoose.mongo.MongoClient(uri.href).connect();
    const variables = {
      ...second.variables,
      MONGODB_URI: uri.href,
      QUEUE_PREFIX: `${world.config.redis.queuePrefix}-r`,
    };
    const environmentOf = { ...world.environment, ...variables };
    const jobs = client.db().collection<MailJobRecord>('mail_jobs');
    return { environment: environmentOf, jobs, db: client.db(), close: () => client.close() };
  });
  afterAll(async () => {
    await killStartedPrograms();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  });

  const accepted = { before: [] as string[], during: [] as string[], after: [] as string[] };
  const drill = {
    secret: '',
    early: '',
    late: '',
    batchId: '',
    list: '',
    pausedList: '',
    testList: '',
    folder: '',
    rows: 0,
    restored: {},
  };

  async function admin(variables: Record<string, string | undefined>, ...words: string[]) {
    const { code, output, stdout } = await runAdmin([...words, '--json'], variables);
    if (code !== 0) throw new Error(`${words.join(' ')}: ${output}`);
    return JSON.parse(stdout);
  }

  /** Sends letters by several senders until the work has ended. */
  async function sendDuring<T>(work: Promise<T>): Promise<T> {
    let hasEnded = false;
    const ending = work.finally(() => {
      hasEnded = true;
    });
    const lane = async () => {
      while (!hasEnded) accepted.during.push(await scene.send());
    };
    await Promise.all([ending, ...Array.from({ length: senders }, lane)]);
    return await ending;
  }

  beforeAll(async () => {
    const { secret } = await addWebhook(scene.customer, { url: receiver.url, events: ['MAIL_QUEUED'] });
    Object.assign(drill, { secret });
    for (let n = 0; n < lettersBefore; n += 1) accepted.before.push(await scene.send());
    drill.early = (await scene.sendRendered())._id;
    const { organizationId } = scene.customer;
    const sending = { state: 'sending', due: { send: newDue(clock.now()) } } as const;
    drill.list = await insertBulk({ organizationId, mode: 'live' }, sending);
    const pause = { code: 'INSUFFICIENT_FUNDS', message: 'Top up.' } as const;
    drill.pausedList = await insertBulk({ organizationId, mode: 'live' }, { state: 'paused', pause });
    drill.testList = await insertBulk({ organizationId, mode: 'test' }, sending);
    const created = await sendDuring(admin(world.environment, 'backup', 'create', '--to', join(folder, 'backups')));
    Object.assign(drill, { folder: created.folder, rows: created.rows });

    // What the backup does not have: a letter that is rendered, and a batch that goes to press.
    accepted.after.push(await scene.send());
    drill.late = (await scene.sendRendered())._id;
    const printFile = printFileKey(scene.customer.organizationId, drill.late);
    await world.store.put({ key: printFile, bytes: Buffer.from('%PDF-'), contentType: 'application/pdf' });
    drill.batchId = (await scene.bringToPress(drill.early)).batchId ?? '';
    await scene.bringToPress(drill.late);

    await mongoose.connection.dropDatabase();
    drill.restored = await admin(restored.environment, 'backup', 'restore', drill.folder);
  });

  test('it has every letter accepted before it began, and none accepted after it ended', async () => {
    const stored = new Set((await restored.jobs.find({}, { projection: { _id: 1 } }).toArray()).map(({ _id }) => _id));
    expect(accepted.before.filter((id) => !stored.has(id))).toEqual([]);
    expect([stored.has(drill.early), stored.has(drill.late)]).toEqual([true, false]);
    expect(accepted.after.filter((id) => stored.has(id))).toEqual([]);
    // Otherwise nothing was sent while the rows were read.
    expect(accepted.during.length).toBeGreaterThan(senders);
  });

  test('confirmed live lists are paused, because their rows would be sent and paid again', async () => {
    const { organizationId } = scene.customer;
    const lists = [drill.list, drill.pausedList];
    expect(drill.restored).toMatchObject({ pausedBulks: lists.map((bulkId) => ({ bulkId, organizationId })) });
    const bulks = restored.db.collection<BulkRecord>('bulks');
    const message = expect.stringContaining('restored from a backup');
    const paused = { state: 'paused', pause: { code: 'REQUESTED', message }, due: {} };
    for (const _id of lists) expect(await bulks.findOne({ _id })).toMatchObject(paused);
    expect((await bulks.findOne({ _id: drill.testList }))?.state).toBe('sending');
  });

  test('no batch goes to the press before an operator resumes it', async () => {
    const pauses = () =>
      restored.db
        .collection('pauses')
        .find({ endedAt: { $exists: false } })
        .toArray();
    const reason = 'restored: run backup compare first';
    expect(await pauses()).toMatchObject([
      { work: 'dispatch', organizationId: null, reason, by: expect.stringMatching(/^cli /) },
    ]);
  });

  test('money, ledger and letters add up', async () => {
    const program = startNode([reconcileProgram], { environment: restored.environment });
    expect([await program.ended, program.output()]).toEqual([0, expect.stringContaining('all of it adds up')]);
  });

  test('the restored bucket has every object that the rows name, with its ETag', async () => {
    const uploads = await restored.db.collection<{ _id: string }>('uploads').find().toArray();
    const jobs = await restored.jobs.find({ 'printFile.s3Key': { $exists: true } }).toArray();
    const keys = [...uploads.map(({ _id }) => _id), ...jobs.map(({ printFile }) => printFile?.s3Key ?? '')];
    expect(keys.length).toBeGreaterThan(1);
    for (const key of keys) {
      const facts = await first.client.head(key);
      expect([key, facts]).toEqual([key, expect.anything()]);
      expect([key, await second.client.head(key)]).toEqual([key, facts]);
    }
  });

  test('what was sent or printed after it is listed', async () => {
    // The first bucket has survived here, and has what was stored since.
    const { lostLetters, press } = await admin({ ...restored.environment, ...first.variables }, 'backup', 'compare');
    const { organizationId } = scene.customer;
    const printFile = printFileKey(organizationId, drill.late);
    expect(lostLetters).toEqual([{ mailJobId: drill.late, organizationId, sentAt: expect.any(String), printFile }]);
    const { batchId } = drill;
    expect(press).toEqual({
      batches: [{ batchId, isKnown: false, itemCount: 2 }],
      printedLetters: [{ mailJobId: drill.early, organizationId, batchId }],
      unknownItems: [{ itemId: expect.stringMatching(/^mi_/), batchId }],
      unknownNumbers: [],
    });
  });

  test('letters printed after it are recorded as printed in one command, and not printed again', async () => {
    expect((await admin(restored.environment, 'backup', 'compare', '--record')).recorded).toBe(1);
    const letter = await restored.jobs.findOne({ _id: drill.early });
    expect([letter?.status, letter?.due.batch]).toEqual(['printed', undefined]);
    const entries = restored.db.collection('audit_entries');
    const entry = { action: 'letter.status-set', subjectId: drill.early, actor: { kind: 'cli' } };
    expect(await entries.findOne({ subjectId: drill.early })).toMatchObject(entry);
    const again = await admin(restored.environment, 'backup', 'compare', '--record');
    expect([again.recorded, again.press.printedLetters]).toEqual([0, []]);
  });

  test('one that takes longer than the database keeps its moment fails, and says what to set', async () => {
    const tooOld = { failCommands: ['find'], errorCode: 239, collection: 'mail_jobs', database: 'restored' };
    await mongo.fail({ ...tooOld, appName: 'bluejay-admin' }, 1);
    const { code, output } = await runAdmin(['backup', 'create', '--to', join(folder, 'late')], restored.environment);
    expect([code, output]).toEqual([1, expect.stringContaining('minSnapshotHistoryWindowInSeconds: 3600')]);
    expect(await readdir(join(folder, 'late'))).toEqual([]);
  });

  test('webhooks that were pending arrive, signed with the secret of before', async () => {
    const ports = { PORT: '0', WEB_PORT: '0', METRICS_PORT: '0', WORKERS: 'fan-out,webhook-delivery,scanner' };
    await startProductProcess('workers/main.ts', { ...restored.environment, ...ports });
    const expected = [...accepted.before, drill.early];
    await eventually(() => {
      const got = new Set(receiver.received.map(({ body }) => body.mailJobId));
      expect(expected.filter((id) => !got.has(id))).toEqual([]);
    });
    expect(receiver.received.every((received) => isSignedBy(drill.secret, received))).toBe(true);
  });
});
