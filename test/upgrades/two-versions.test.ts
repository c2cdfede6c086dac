// Level: long
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { reconcile } from '#common/operations/reconcile.ts';
import { replacedIndexes } from '#common/schema/drop-replaced-indexes.ts';
import { migrations } from '#common/schema/migrations.ts';
import { Delivery } from '#common/webhooks/deliveries/delivery.model.ts';
import { findFreePort } from '#scripts/local-servers/ports.ts';
import { afterEach, describe, eventually, expect, openOnce, testWith } from '../support/jest.ts';
import {
  killStartedPrograms,
  type Program,
  runAdmin,
  startNode,
  startProductProcess,
} from '../support/processes/process-control.ts';
import { aSender, type Customer, createClient } from '../support/product/customer.ts';
import { startWorld } from '../support/product/world.ts';
import { hasPreviousVersion, openPreviousVersion, previousCommit } from '../support/upgrades/previous-version.ts';
import { startReceiver } from '../support/webhooks/receiver.ts';

const test = testWith(`commit ${previousCommit.slice(0, 7)} in this clone`, hasPreviousVersion());
const letterCount = 5;

/** The database has the migrations of this version, as the upgrade guide says. */
describe('the previous version beside this one', () => {
  const world = startWorld({ environment: { SANDBOX_STEP_DELAY_S: '1', PRINT_PROVIDERS: 'manual' } });
  const receiver = startReceiver();
  const previous = openOnce(async () => {
    return hasPreviousVersion() ? await openPreviousVersion() : { folder: '', close: async () => {} };
  });
  afterEach(killStartedPrograms);

  const folderOf = (version: 'old' | 'new') => (version === 'old' ? previous.folder : undefined);
  const startWorkers = (version: 'old' | 'new') =>
    startProductProcess('workers/main.ts', { ...world.environment, METRICS_PORT: '0' }, folderOf(version));
  /** Returns a customer of an API of this version. */
  async function useApi(version: 'old' | 'new', customer: Customer): Promise<Customer['http']> {
    const port = String(await findFreePort());
    const ports = { PORT: port, WEB_PORT: '0', METRICS_PORT: '0' };
    await startProductProcess('api/server.ts', { ...world.environment, ...ports }, folderOf(version));
    return createClient(`http://127.0.0.1:${port}`, customer.key);
  }
  async function stop(program: Program): Promise<void> {
    program.kill('SIGTERM');
    expect(await program.ended).toBe(0);
  }

  test('a database of the old version is migrated while it runs, and both versions start on it', async () => {
    const name = `t-${randomUUID().slice(0, 12)}`;
    const uri = new URL(world.environment.MONGODB_URI ?? '');
    uri.pathname = `/${name}`;
    const ports = { PORT: '0', WEB_PORT: '0', METRICS_PORT: '0' };
    const environment = { ...world.environment, ...ports, MONGODB_URI: uri.href, QUEUE_PREFIX: name };
    const database = mongoose.connection.getClient().db(name);
    const numbersRun = async () => (await database.collection('migrations').find().toArray()).map(({ _id }) => _id);
    const latest = migrations.map(({ number }) => number);

    const migrateOld = startNode([join(previous.folder, 'scripts/admin.ts'), 'migrate'], {
      cwd: previous.folder,
      environment,
    });
    expect([await migrateOld.ended, migrateOld.output()]).toEqual([0, expect.any(String)]);
    const before = await numbersRun();
    expect(latest).toEqual(expect.arrayContaining(before));
    const running = await startProductProcess('workers/main.ts', environment, previous.folder);

    const { code, output } = await runAdmin(['migrate'], environment);
    expect([code, output]).toEqual([0, expect.any(String)]);
    expect((await numbersRun()).toSorted()).toEqual(latest.toSorted());
    for (const { collection, key } of replacedIndexes) {
      const keys = (await database.collection(collection).indexes()).map((index) => index.key);
      expect(keys).not.toContainEqual(key);
    }
    await stop(running);
    for (const folder of [undefined, previous.folder]) {
      for (const entry of ['api/server.ts', 'workers/main.ts'] as const) {
        await stop(await startProductProcess(entry, environment, folder));
      }
    }
    await database.dropDatabase();
  });

  test.each([
    ['new', 'old', 'new'],
    ['old', 'new', 'old'],
  ] as const)(
    'with the %s API, letters of %s workers are posted, also those that %s ones take over',
    async (api, first, second) => {
      const sender = await aSender(world);
      const http = await useApi(api, sender);
      const events = ['MAIL_QUEUED', 'MAIL_PRINTED', 'MAIL_POSTED'];
      const webhook = await http.post('/v1/webhooks', { url: `${receiver.url}/${api}`, events });
      expect(webhook.status).toBe(201);
      const send = async () => {
        const { status, body } = await http.post('/v1/mails', await sender.letter());
        expect(status).toBe(201);
        return body.mailJobId as string;
      };
      const ids: string[] = [];
      const workers = await startWorkers(first);
      for (let n = 0; n < letterCount; n += 1) ids.push(await send());
      await eventually(async () => expect((await http.get(`/v1/mails/${ids[0]}`)).body.status).not.toBe('queued'));
      for (let n = 0; n < letterCount; n += 1) ids.push(await send());
      // Some of the last letters are being rendered now.
      await stop(workers);
      const others = await startWorkers(second);
      const posted = { _id: { $in: ids }, status: 'posted' } as const;
      await eventually(async () => expect(await MailJob.countDocuments(posted)).toBe(ids.length));
      const delivered = { mailJobId: { $in: ids }, state: 'delivered' } as const;
      const expected = events.length * ids.length;
      await eventually(async () => expect(await Delivery.countDocuments(delivered)).toBe(expected));
      for (const event of events) {
        const arrived = receiver.received.filter(({ body }) => body.event === event).map(({ body }) => body.mailJobId);
        expect(new Set(arrived)).toEqual(new Set([...arrived, ...ids]));
      }
      await stop(others);
      const { violationCount } = await reconcile({ report: () => {}, signal: new AbortController().signal });
      expect(violationCount).toBe(0);
    },
    300_000,
  );
});
