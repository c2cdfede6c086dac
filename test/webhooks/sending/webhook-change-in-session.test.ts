// Level: push
import { plusMs } from '#common/clock.ts';
import { newId } from '#common/ids.ts';
import { inTransaction } from '#common/platform/mongo/transaction.ts';
import { changeWebhook } from '#common/webhooks/console/change-webhook.ts';
import { rotateSecret } from '#common/webhooks/console/rotate-secret.ts';
import { Delivery, type DeliveryRecord } from '#common/webhooks/deliveries/delivery.model.ts';
import { Endpoint, makeEndpointDue } from '#common/webhooks/endpoints/endpoint.model.ts';
import { Webhook } from '#common/webhooks/registry/webhook.model.ts';
import { afterEach, beforeEach, describe, eventually, expect, test } from '#test/support/jest.ts';
import { isSignedBy, openReceiver, type Received, type Receiver } from '#test/support/webhooks/receiver.ts';
import { anyTarget, createTestDispatcher, startWebhookScene } from '#test/support/webhooks/webhook-scene.ts';

const scene = startWebhookScene();
const { world } = scene;

/** Starts a post that waits for its connection. Returns a function that lets it connect and waits for its end. */
async function sendUnconnected(): Promise<() => Promise<void>> {
  const { promise: mayConnect, resolve: connect } = Promise.withResolvers<string[]>();
  let lookUps = 0;
  const lookup = () => {
    lookUps += 1;
    return mayConnect;
  };
  const url = scene.receiver.url.replace('127.0.0.1', 'hooks.localhost');
  await Webhook.updateOne({ _id: scene.webhookId }, { url });
  const dispatcher = createTestDispatcher(world, scene.clock, { lookup, dnsTimeoutMs: 14_000 });
  await scene.store(1);
  const sending = dispatcher.send(scene.webhookId);
  await eventually(() => expect(lookUps).toBe(1));
  return async () => {
    connect(['127.0.0.1']);
    await sending;
    await dispatcher.close();
  };
}

describe('a webhook that changes during the last post of a session', () => {
  /** Writes what `changeWebhook` does when a webhook is disabled or re-enabled. */
  const change = (status: 'active' | 'disabled', epoch: number) =>
    inTransaction(async (transaction) => {
      await Webhook.updateOne({ _id: scene.webhookId }, { status, epoch }, { session: transaction });
      await makeEndpointDue(transaction, scene.webhookId, scene.clock.now());
    });
  /** Stores a delivery whose next attempt is hours away. */
  async function storeRetry(): Promise<void> {
    await scene.store(1);
    const row = await Delivery.findOne({ webhookId: scene.webhookId }).orFail().lean<DeliveryRecord>();
    const nextAttemptAt = plusMs(scene.clock.now(), 5 * 3_600_000);
    await Delivery.collection.insertOne({ ...row, _id: newId('whd'), eventId: newId('evt'), nextAttemptAt } as never);
  }

  test('when disabled, the worker discards its pending deliveries before it ends the session', async () => {
    await storeRetry();
    await scene.dispatcher.send(scene.webhookId, { afterRecord: () => change('disabled', 1) });
    expect(await scene.counts()).toEqual({ delivered: 1, discarded: 1 });
    expect(await Endpoint.findById(scene.webhookId).lean()).not.toHaveProperty('due');
  });

  test('when re-enabled, the worker sends new deliveries before it ends the session', async () => {
    await storeRetry();
    let changes = 0;
    await scene.dispatcher.send(scene.webhookId, {
      async afterRecord() {
        changes += 1;
        if (changes > 1) return;
        await change('disabled', 1);
        await change('active', 2);
        await scene.store(1);
      },
    });
    expect(await scene.counts()).toEqual({ delivered: 2, discarded: 1 });
  });
});

describe('the rotation of a secret during a session', () => {
  let secret = '';
  beforeEach(() => {
    secret = '';
  });

  const rotate = async () => {
    const rotated = await rotateSecret(scene.customer, scene.webhookId, 0, world, scene.clock.now());
    secret = rotated.secret;
  };
  const isNew = (received: Received) => isSignedBy(secret, received);

  test('makes the next post use only the new secret', async () => {
    await scene.store(1);
    await scene.dispatcher.send(scene.webhookId, {
      async afterRecord() {
        if (secret !== '') return;
        await rotate();
        await scene.store(1);
      },
    });
    expect(scene.receiver.received.map(isNew)).toEqual([false, true]);
  });

  test('makes a post that waits for its connection sign again', async () => {
    const connect = await sendUnconnected();
    await rotate();
    await connect();
    expect(scene.receiver.received.map(isNew)).toEqual([true]);
  });
});

describe("a change of a webhook's URL", () => {
  let next: Receiver;
  beforeEach(async () => {
    next = await openReceiver();
  });
  afterEach(async () => {
    await next.close();
  });

  const move = async (url = next.url) => {
    await changeWebhook(scene.customer, scene.webhookId, { url }, anyTarget, scene.clock.now());
  };
  const healthNow = async () => (await Endpoint.findById(scene.webhookId).orFail().lean()).health;

  test('during a pause sends pending deliveries to the new URL at once', async () => {
    await scene.pause();
    const posted = scene.receiver.received.length;
    const waiting = await Delivery.countDocuments({ webhookId: scene.webhookId, attempt: 0 });
    await move();
    await scene.sendAll();
    expect([scene.receiver.received.length, next.received.length]).toEqual([posted, waiting]);
    expect(waiting).toBeGreaterThanOrEqual(10);
    expect(await healthNow()).toMatchObject({ pauseMs: 0, pausedUntil: null, failingSince: null });
  });

  test('to the same URL does not end a pause', async () => {
    await scene.pause();
    await move(scene.receiver.url);
    expect(await scene.dispatcher.send(scene.webhookId)).toBe(false);
  });

  test('applies to the next post of a running session', async () => {
    await scene.store(1);
    await scene.dispatcher.send(scene.webhookId, {
      async afterRecord() {
        if (next.received.length > 0 || scene.receiver.received.length > 1) return;
        await move();
        await scene.store(1);
      },
    });
    expect([scene.receiver.received.length, next.received.length]).toEqual([1, 1]);
  });

  test('stops a post to the old URL that waits for its connection', async () => {
    const connect = await sendUnconnected();
    await move();
    await connect();
    await scene.sendAll();
    expect([scene.receiver.received.length, next.received.length]).toEqual([0, 1]);
    // The stopped post does not count as an attempt.
    expect(await Delivery.findOne({ webhookId: scene.webhookId }).lean()).toMatchObject({ attempt: 1, url: next.url });
  });

  test.each([
    [500, 0],
    [410, 0],
    [410, 1],
  ])('ignores answers of %i from the old URL, after %i changes before', async (status, earlierCount) => {
    const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<number>();
    scene.receiver.answerWith(() => mayAnswer);
    await scene.store(10);
    for (let count = 0; count < earlierCount; count += 1) await move(`${scene.receiver.url}/earlier`);
    const sending = scene.dispatcher.send(scene.webhookId);
    await eventually(() => expect(scene.receiver.received).toHaveLength(10));
    await move();
    answer(status);
    await sending;
    await scene.store(1);
    await scene.sendAll();
    expect([scene.receiver.received.length, next.received.length]).toEqual([10, 1]);
    expect((await Webhook.findById(scene.webhookId).orFail().lean()).status).toBe('active');
  });
});
