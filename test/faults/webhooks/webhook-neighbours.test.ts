// Level: ci
import { Delivery } from '#common/webhooks/deliveries/delivery.model.ts';
import { targetRules } from '#common/webhooks/egress/address-rules.ts';
import { createLookup } from '#common/webhooks/egress/resolve-host.ts';
import { createWebhookClient, type WebhookClient } from '#common/webhooks/egress/webhook-client.ts';
import { afterEach, beforeEach, byLevel, describe, eventually, expect, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';
import { type NameServer, startNameServer } from '#test/support/servers/name-server.ts';
import { openReceiver, type Receiver } from '#test/support/webhooks/receiver.ts';
import { anOwner, aWebhookAt, storeEvents } from '#test/support/webhooks/webhook-scene.ts';
import { startWorkers } from '#workers/process/start-workers.ts';

const waiting = byLevel({ quick: 300, full: 2_000, long: 10_000 });
const silentNames = 50;
const healthyCount = 20;
/** Longer than a test: a hanging post never ends, so what waits for its slot or its end never arrives. */
const timeoutMs = 3_600_000;

describe('a healthy endpoint next to hanging ones', () => {
  const world = startWorld({ hasTariffs: false, hasOwnRedis: true });
  let names: NameServer;
  let webhookClient: WebhookClient;
  let receivers: Receiver[] = [];
  let workers: Awaited<ReturnType<typeof startWorkers>>;

  beforeEach(async () => {
    names = await startNameServer(() => 'silent');
    const rules = targetRules({ allowLoopback: true, allowCidrs: [], ports: [443] });
    webhookClient = createWebhookClient(rules, { lookup: createLookup([names.address]), timeoutMs });
    workers = await startWorkers({ ...world.workersOptions, webhookClient });
  });
  afterEach(async () => {
    // Close the receivers first, which ends the hanging posts.
    await Promise.all(receivers.map((receiver) => receiver.close()));
    receivers = [];
    await workers.close();
    await webhookClient.close();
    await names.close();
  });

  async function open(): Promise<Receiver> {
    const receiver = await openReceiver();
    receivers.push(receiver);
    return receiver;
  }
  /** Waits until a healthy endpoint has received some events. */
  async function reachHealthy(): Promise<void> {
    const healthy = await open();
    const customer = anOwner();
    await aWebhookAt(world, customer, healthy.url);
    const ids = await storeEvents(customer, healthyCount, new Date());
    world.hints.notify('fan-out', ids);
    await eventually(() => expect(healthy.received).toHaveLength(healthyCount));
  }

  test('gets its events while a hanging one has ten posts and thousands waiting', async () => {
    const hanging = await open();
    hanging.answerWith(() => new Promise(() => {}));
    const customer = anOwner();
    const webhookId = await aWebhookAt(world, customer, hanging.url);
    await storeEvents(customer, waiting, new Date());
    await eventually(() => expect(hanging.received).toHaveLength(10));
    await eventually(async () => expect(await Delivery.countDocuments({ webhookId })).toBe(waiting));
    await reachHealthy();
    expect(hanging.received).toHaveLength(10);
    const queue = world.hints.queues.find(({ name }) => name === 'webhook-delivery');
    const jobs = (await queue?.getJobs(['wait', 'active', 'delayed', 'prioritized'])) ?? [];
    expect(jobs.filter(({ data }) => data.id === webhookId).length).toBeLessThanOrEqual(1);
  });

  test('gets its events while fifty names do not resolve', async () => {
    for (let index = 0; index < silentNames; index += 1) {
      const customer = anOwner();
      await aWebhookAt(world, customer, `https://n${index}.silent.test/`);
      await storeEvents(customer, 5, new Date());
    }
    await eventually(() => expect(names.questions).toBeGreaterThan(silentNames));
    await reachHealthy();
    await eventually(async () => expect(await Delivery.exists({ lastResult: 'dns' })).not.toBeNull());
  });
});
