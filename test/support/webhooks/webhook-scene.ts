import { Registry } from 'prom-client';
import type { Clock } from '#common/clock.ts';
import { Event, type EventRecord } from '#common/events/event.model.ts';
import { newId } from '#common/ids.ts';
import type { Owner } from '#common/modes.ts';
import { claimDue, type DueSlot, newDue } from '#common/platform/due-work/due-work.ts';
import { createPauses } from '#common/platform/due-work/pauses.ts';
import { rowsOf } from '#common/platform/mongo/mongo.ts';
import { createLog } from '#common/platform/process/log.ts';
import { type Attempt, createAttemptRecorder } from '#common/webhooks/deliveries/attempt-recorder.ts';
import { Delivery, type DeliveryState } from '#common/webhooks/deliveries/delivery.model.ts';
import { createDeliveryMetrics, registerDeliveryGauges } from '#common/webhooks/deliveries/delivery-metrics.ts';
import { targetRules } from '#common/webhooks/egress/address-rules.ts';
import { createWebhookClient, type WebhookClientOptions } from '#common/webhooks/egress/webhook-client.ts';
import { deliveryWork, type EndpointRecord } from '#common/webhooks/endpoints/endpoint.model.ts';
import { fanOutDue } from '#common/webhooks/fan-out/fan-out-due.ts';
import { createWebhook } from '#common/webhooks/registry/create-webhook.ts';
import { sendDueDeliveries } from '#common/webhooks/sending/send-due-deliveries.ts';
import { afterEach, beforeEach, guardMs, type StandingClock, standingClock } from '../jest.ts';
import { startWorld, type World } from '../product/world.ts';
import { openReceiver, type Receiver } from './receiver.ts';

/** An owner of webhooks and events that has no rows of its own. */
export const anOwner = (): Owner => ({ organizationId: newId('org'), mode: 'test' });

/** Allows every URL, and enough webhooks for any test. */
export const anyTarget = { checkTargetUrl: async () => [], maxActiveWebhooks: 100 };

/** Creates a webhook for MAIL_QUEUED without checking its URL. Returns its id, which is also the endpoint's id. */
export async function aWebhookAt(world: World, owner: Owner, url: string): Promise<string> {
  const { keyRing, clock } = world;
  const deps = { keyRing, ...anyTarget };
  const { organizationId, mode } = owner;
  const request = { url, events: ['MAIL_QUEUED' as const] };
  const { record } = await createWebhook({ organizationId, mode }, request, deps, clock.now());
  return record._id;
}

export type EventFields = Partial<Pick<EventRecord, 'webhookUrl' | 'body' | 'at'>>;

/** Stores due events of made-up mail jobs in one insert. Returns the ids of the mail jobs. */
export async function storeEvents(owner: Owner, count: number, at: Date, fields: EventFields = {}): Promise<string[]> {
  const { organizationId, mode } = owner;
  const events = Array.from({ length: count }, (): EventRecord => {
    const subjectId = newId('mj');
    const body = JSON.stringify({ event: 'MAIL_QUEUED', mailJobId: subjectId, externalId: null, status: 'queued' });
    const what = { kind: 'MAIL_QUEUED' as const, subjectId, body, webhookUrl: null, at, ...fields };
    return { _id: newId('evt'), organizationId, mode, ...what, fannedOutAt: null, due: newDue(at) };
  });
  await Event.insertMany(events);
  return events.map(({ subjectId }) => subjectId);
}

export type TestSendOptions = { closing?: AbortSignal; afterRecord?: (attempt: Attempt) => Promise<void> };

const never = new AbortController().signal;

/** Creates a dispatcher that a test drives step by step with its own clock, over real sockets. */
export function createTestDispatcher(world: World, clock: Clock, options: WebhookClientOptions = {}) {
  const registry = new Registry();
  const metrics = createDeliveryMetrics(registry);
  const rules = targetRules({ allowLoopback: true, allowCidrs: [], ports: [443] });
  const webhookClient = createWebhookClient(rules, { timeoutMs: guardMs, ...options });
  const pauses = createPauses(0);
  registerDeliveryGauges(registry, { clock, pauses, scanState: { isScanning: true } });
  const recording = { clock, metrics, random: () => 0, log: createLog('test', 'fatal'), pauses };
  const deps = { ...recording, webhookClient, keyRing: world.keyRing, recorder: createAttemptRecorder(recording) };
  const hinted: string[] = [];
  return {
    metrics,
    metricsText: () => registry.metrics(),
    hinted,
    /** Returns the value of a metric without labels, or of the series with these labels. */
    async read(name: string, labels: Record<string, string> = {}): Promise<number> {
      const { values } = (await registry.getSingleMetric(name)?.get()) ?? { values: [] };
      const matches = (row: { labels: object }) =>
        Object.entries(labels).every(([key, value]) => (row.labels as Record<string, unknown>)[key] === value);
      return values.find(matches)?.value ?? 0;
    },
    async fanOut(): Promise<void> {
      while (await fanOutDue({ ...deps, hint: (ids) => void hinted.push(...ids) }));
    },
    /** Runs one session of an endpoint; false when it is not due or leased. `afterRecord` runs before the next post. */
    async send(endpointId: string, { closing = never, afterRecord }: TestSendOptions = {}) {
      const claim = await claimDue<EndpointRecord>(deliveryWork, endpointId, clock.now());
      const { recorder } = deps;
      const record = async (attempt: Attempt) => {
        await recorder.record(attempt);
        await afterRecord?.(attempt);
      };
      if (claim) await sendDueDeliveries(claim, { ...deps, recorder: { record } }, { closing, signal: never });
      return claim !== null;
    },
    close: () => webhookClient.close(),
  };
}

export type TestDispatcher = ReturnType<typeof createTestDispatcher>;

/** Expires the lease of a due row, as if its holder had died and the lease time had passed. */
export async function expireLease({ collection, path }: DueSlot, id: string): Promise<void> {
  const { matchedCount } = await rowsOf(collection).updateOne(
    { _id: id, [`${path}.leaseToken`]: { $ne: null } },
    { $set: { [`${path}.leaseUntil`]: new Date(0) } },
  );
  if (matchedCount !== 1) throw new Error(`No lease on ${path} of ${collection}/${id}`);
}

/** A webhook in live mode and its receiver. The test drives the dispatcher and the clock. */
export type WebhookScene = {
  world: World;
  receiver: Receiver;
  clock: StandingClock;
  dispatcher: TestDispatcher;
  customer: Owner;
  webhookId: string;
  /** Stores due deliveries. Returns the ids of their mail jobs. */
  store(count: number, fields?: EventFields): Promise<string[]>;
  /** Runs sessions until the webhook is not due. */
  sendAll(): Promise<void>;
  /** Answers 500 to as many of 30 new deliveries as pause the endpoint. */
  pause(): Promise<void>;
  /** Returns how many deliveries of the webhook are in a state. */
  count(state: DeliveryState): Promise<number>;
  /** The same for each state that occurs. */
  counts(): Promise<Partial<Record<DeliveryState, number>>>;
};

/** Creates a new scene for each test of a file, and closes it after the test. Starts a world if it is given none. */
export function startWebhookScene(world = startWorld({ hasTariffs: false })): WebhookScene {
  const scene = {
    world,
    async store(count, fields = {}) {
      const mailJobIds = await storeEvents(scene.customer, count, scene.clock.now(), fields);
      await scene.dispatcher.fanOut();
      return mailJobIds;
    },
    async sendAll() {
      while (await scene.dispatcher.send(scene.webhookId));
    },
    async pause() {
      scene.receiver.answerWith(() => 500);
      await scene.store(30);
      await scene.dispatcher.send(scene.webhookId);
    },
    count: async (state) => await Delivery.countDocuments({ endpointId: scene.webhookId, state }),
    async counts() {
      const ofWebhook = { $match: { endpointId: scene.webhookId } };
      const rows = await Delivery.aggregate([ofWebhook, { $group: { _id: '$state', count: { $sum: 1 } } }]);
      return Object.fromEntries(rows.map(({ _id, count }) => [_id, count]));
    },
  } as WebhookScene;
  beforeEach(async () => {
    scene.receiver = await openReceiver();
    scene.clock = standingClock();
    scene.dispatcher = createTestDispatcher(world, scene.clock);
    scene.customer = { ...anOwner(), mode: 'live' };
    scene.webhookId = await aWebhookAt(world, scene.customer, scene.receiver.url);
  });
  afterEach(async () => {
    await scene.dispatcher.close();
    await scene.receiver.close();
  });
  return scene;
}
