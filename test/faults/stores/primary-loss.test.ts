import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { afterAll, describeAtFullLevel, eventually, expect, leastOfThree, openOnce, test } from '#test/support/jest.ts';
import { killStartedPrograms, startProductProcess } from '#test/support/processes/process-control.ts';
import { startApis, stopApis } from '#test/support/product/api-fleet.ts';
import { aSender, type Sender } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { startLetterLoad } from '#test/support/stores/letter-load.ts';
import {
  electionTimeoutMs,
  heartbeatMs,
  type MongoReplicas,
  startMongoReplicas,
} from '#test/support/stores/mongo-replicas.ts';
import { expectInvariants } from '#test/support/wallet/invariants.ts';
import { startReceiver } from '#test/support/webhooks/receiver.ts';

// Alone at the full level: it bounds time.

type Primary = Awaited<ReturnType<MongoReplicas['settle']>>;
type Scenario = {
  strike(primary: Primary): Promise<void> | void;
  recover(primary: Primary): Promise<void> | void;
  /** How long the set has no primary, or its clients do not know that they need another one. */
  goneMs: number;
};

/** From then on, to the first accepted letter: clients find the primary, and repeat what was in flight. */
const resumeMs = 2_000;
/**
 * What a further election costs: when both survivors stand at once, neither is elected. MongoDB adds up to 15 % to each
 * timeout, so that this is rare.
 */
const againMs = 1.15 * electionTimeoutMs;
/** A machine that is slower than this without a fault proves nothing. */
const maxCalmMs = 2_000;
/** A client gives up a primary that is silent 3 s after its last answer, which is asked for every 2 s. */
const silenceMs = 5_000;
/**
 * Meanwhile the other secondary has given up the silent primary too, and copies from the new one. It still reports to the
 * silent one what it has, for 30 s, so the new one learns it by heartbeats: each commit takes one. The first request finds
 * that it has failed, and the second one is accepted.
 */
const silentMs = Math.max(electionTimeoutMs, silenceMs) + 2 * heartbeatMs;

const scenarios: Record<string, Scenario> = {
  'is killed': {
    strike: (primary) => primary.kill(),
    recover: (primary) => primary.start(),
    goneMs: electionTimeoutMs,
  },
  'steps down': {
    strike: (primary) => primary.stepDown(),
    recover: (primary) => primary.standAgain(),
    goneMs: 0,
  },
  'hangs, and goes on later': {
    strike: (primary) => primary.freeze(),
    recover: (primary) => primary.wake(),
    goneMs: silentMs,
  },
  'is cut off, and hears late what was sent to it': {
    strike: ({ proxy }) => proxy.set('freeze'),
    recover: ({ proxy }) => proxy.set('pass'),
    goneMs: silentMs,
  },
};

describeAtFullLevel('a replica set whose primary', () => {
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

  /** Sends letters while the primary is lost. Returns the longest pause, as a share of what is allowed. */
  async function lose({ strike, recover, goneMs }: Scenario): Promise<number> {
    const senders = [await aReportedSender(), await aReportedSender()];
    const primary = await replicas.settle();
    const load = await startLetterLoad(fleet.apis, senders);
    // The first letters wait for connections and code that is loaded.
    await load.untilAccepted(20);
    const warmMs = performance.now();
    await load.untilAccepted(20);
    const calmMs = Math.min(load.longestPauseMs(warmMs), maxCalmMs);
    const term = await replicas.readTerm();
    await strike(primary);
    await load.untilAccepted(60);
    const again = Math.max(0, (await replicas.readTerm()) - term - 1);
    await recover(primary);
    await replicas.settle();
    await load.untilAccepted(20);

    const ids = await load.expectTruth();
    const pauseMs = load.longestPauseMs(warmMs);
    await eventually(() => expect(ids.filter((id) => !reportedIds().has(id))).toEqual([]));
    await expectInvariants();
    return pauseMs / (goneMs + again * againMs + Math.max(resumeMs, 4 * calmMs));
  }

  test.each(Object.keys(scenarios))(
    '%s: letters are accepted again in time, and each answer is true',
    async (name) => {
      expect(await leastOfThree(() => lose(scenarios[name] as Scenario), 1)).toBeLessThan(1);
    },
    720_000,
  );

  test('its processes have survived all of this', async () => {
    await stopApis(fleet.apis);
    workers.kill('SIGTERM');
    expect(await workers.ended).toBe(0);
  });
});
