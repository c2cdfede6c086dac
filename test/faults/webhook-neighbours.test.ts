import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { targetRules } from '../../common/webhooks/address-rules.ts';
import { Delivery } from '../../common/webhooks/delivery.model.ts';
import { createWebhookSender, type WebhookSender } from '../../common/webhooks/post-signed.ts';
import { createLookup } from '../../common/webhooks/resolve-host.ts';
import { startWorkers } from '../../workers/start-workers.ts';
import { eventually } from '../support/eventually.ts';
import { type NameServer, startNameServer } from '../support/name-server.ts';
import { openReceiver, type Receiver } from '../support/receiver.ts';
import { byLevel } from '../support/test-level.ts';
import { anOwner, aWebhookAt, storeEvents } from '../support/waiting-events.ts';
import { startWorld } from '../support/world.ts';

const waiting = byLevel({ quick: 300, full: 10_000 });
const silentNames = 50;
const healthyCount = 100;
const healthyP95Ms = 2_000;

describe('an endpoint beside others that hang', () => {
  const world = startWorld({ hasTariffs: false, hasOwnRedis: true });
  let names: NameServer;
  let sender: WebhookSender;
  let receivers: Receiver[] = [];
  let workers: Awaited<ReturnType<typeof startWorkers>>;

  beforeEach(async () => {
    names = await startNameServer(() => 'silent');
    const rules = targetRules({ allowLoopback: true, allowCidrs: [], ports: [443] });
    sender = createWebhookSender(rules, { lookup: createLookup([names.address]) });
    workers = await startWorkers({ ...world.workersOptions, sender });
  });
  afterEach(async () => {
    // First: posts that hang end with their receivers.
    await Promise.all(receivers.map((receiver) => receiver.close()));
    receivers = [];
    await workers.close();
    await sender.close();
    await names.close();
  });

  async function open(): Promise<Receiver> {
    const receiver = await openReceiver();
    receivers.push(receiver);
    return receiver;
  }
  /** How long a healthy endpoint's deliveries take from event to receiver, of a hundred the ninety-fifth. */
  async function healthyDelayMs(): Promise<number> {
    const healthy = await open();
    const customer = anOwner();
    await aWebhookAt(world, customer, healthy.url);
    const sentAt = new Map<string, number>();
    for (let round = 0; round < 10; round += 1) {
      const ids = await storeEvents(customer, healthyCount / 10, new Date());
      for (const id of ids) sentAt.set(id, Date.now());
      world.hints.nudge('fan-out', ids);
      await eventually(() => expect(healthy.received).toHaveLength(sentAt.size), { withinMs: 30_000 });
    }
    const delaysMs = healthy.received.map(({ at, body }) => at - (sentAt.get(body.mailJobId ?? '') ?? 0));
    return delaysMs.sort((left, right) => left - right)[Math.floor(delaysMs.length * 0.95)] ?? Infinity;
  }

  test('given an endpoint that hangs with thousands waiting, when a healthy one has events, then they come within 2 s, and the other holds ten posts and one message', async () => {
    const hanging = await open();
    hanging.answerWith(() => new Promise(() => {}));
    const customer = anOwner();
    const webhookId = await aWebhookAt(world, customer, hanging.url);
    await storeEvents(customer, waiting, new Date());
    await eventually(() => expect(hanging.received).toHaveLength(10), { withinMs: 30_000 });
    await eventually(async () => expect(await Delivery.countDocuments({ webhookId })).toBe(waiting), {
      withinMs: 60_000,
    });
    expect(await healthyDelayMs()).toBeLessThan(healthyP95Ms);
    expect(hanging.received).toHaveLength(10);
    const queue = world.hints.queues.find(({ name }) => name === 'webhook-delivery');
    const jobs = (await queue?.getJobs(['wait', 'active', 'delayed', 'prioritized'])) ?? [];
    expect(jobs.filter(({ data }) => data.id === webhookId).length).toBeLessThanOrEqual(1);
  }, 120_000);

  test('given fifty endpoints whose names nobody answers for, when a healthy one has events, then they come within 2 s', async () => {
    for (let index = 0; index < silentNames; index += 1) {
      const customer = anOwner();
      await aWebhookAt(world, customer, `https://n${index}.silent.test/`);
      await storeEvents(customer, 5, new Date());
    }
    await eventually(() => expect(names.questions).toBeGreaterThan(silentNames), { withinMs: 30_000 });
    expect(await healthyDelayMs()).toBeLessThan(healthyP95Ms);
    await eventually(async () => expect(await Delivery.exists({ lastResult: 'dns' })).not.toBeNull(), {
      withinMs: 30_000,
    });
  }, 120_000);
});
