// Level: long
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { afterAll, describe, eventually, expect, openOnce, test } from '#test/support/jest.ts';
import { killStartedPrograms, startProductProcess } from '#test/support/processes/process-control.ts';
import { startApis, stopApis } from '#test/support/product/api-fleet.ts';
import { aSender, type Sender } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { startLetterLoad } from '#test/support/stores/letter-load.ts';
import { type MongoReplicas, startMongoReplicas } from '#test/support/stores/mongo-replicas.ts';
import { expectInvariants } from '#test/support/wallet/invariants.ts';
import { startReceiver } from '#test/support/webhooks/receiver.ts';

type Primary = Awaited<ReturnType<MongoReplicas['settle']>>;
type Fault = (primary: Primary) => unknown;
const faults: [name: string, strike: Fault, recover: Fault][] = [
  ['is killed', (primary) => primary.kill(), (primary) => primary.start()],
  ['steps down', (primary) => primary.stepDown(), (primary) => primary.standAgain()],
  ['hangs, and goes on later', (primary) => primary.freeze(), (primary) => primary.wake()],
  [
    'is cut off, and hears late what was sent to it',
    ({ proxy }) => proxy.set('freeze'),
    ({ proxy }) => proxy.set('pass'),
  ],
];

describe('a replica set whose primary', () => {
  let replicas: MongoReplicas;
  const startStores = async () => {
    replicas = await startMongoReplicas();
    return replicas;
  };
  const world = startWorld({ startStores });
  const receiver = startReceiver();
  afterAll(killStartedPrograms);
  const fleet = openOnce(async () => ({ apis: await startApis(world, 2) }));
  const startWorkers = async (WORKERS: string) =>
    await startProductProcess('workers/main.ts', { ...world.environment, WORKERS, METRICS_PORT: '0' });
  const workers = openOnce(() => startWorkers('fan-out,webhook-delivery,production,lifecycle,cleanup,scanner'));

  /** A customer whose letters are reported to the receiver. */
  async function aReportedSender(): Promise<Sender> {
    const sender = await aSender(world, { balanceCents: 100_000_000 });
    await sender.http.post('/v1/webhooks', { url: receiver.url, events: ['MAIL_QUEUED'] });
    return sender;
  }
  const reportedIds = () => new Set(receiver.received.map(({ body }) => body.mailJobId));

  test('is killed while letters are rendered: all of them are rendered, and the worker goes on', async () => {
    const render = await startWorkers('render');
    const sender = await aSender(world);
    const ids = await Promise.all(Array.from({ length: 12 }, () => sender.sendAccepted()));
    const rendered = () => MailJob.countDocuments({ _id: { $in: ids }, printFile: { $ne: null } });
    await eventually(async () => expect(await rendered()).toBeGreaterThan(0));
    const primary = await replicas.settle();
    await primary.kill();
    await eventually(async () => expect(await rendered()).toBe(ids.length));
    await primary.start();
    await replicas.settle();
    render.kill('SIGTERM');
    expect(await render.ended).toBe(0);
  });

  /** Sends letters while the primary is lost. */
  async function lose(strike: Fault, recover: Fault): Promise<void> {
    const senders = [await aReportedSender(), await aReportedSender()];
    const primary = await replicas.settle();
    const load = await startLetterLoad(fleet.apis, senders);
    await load.untilAccepted(20);
    await strike(primary);
    await load.untilAccepted(60);
    await recover(primary);
    await replicas.settle();
    await load.untilAccepted(20);

    const ids = await load.expectTruth();
    await eventually(() => expect(ids.filter((id) => !reportedIds().has(id))).toEqual([]));
    await expectInvariants();
  }

  test.each(faults)('%s: letters are accepted again meanwhile, and each answer is true', (_name, strike, recover) =>
    lose(strike, recover),
  );

  test('its processes have survived all of this', async () => {
    await stopApis(fleet.apis);
    workers.kill('SIGTERM');
    expect(await workers.ended).toBe(0);
  });
});
