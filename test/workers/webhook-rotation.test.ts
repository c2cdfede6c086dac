import { beforeEach, describe, expect, test } from '@jest/globals';
import { rotateSecret } from '../../common/webhooks/rotate-secret.ts';
import { Webhook } from '../../common/webhooks/webhook.model.ts';
import { eventually } from '../support/eventually.ts';
import { isSignedBy, type Received } from '../support/receiver.ts';
import { handSender } from '../support/waiting-events.ts';
import { startWebhookScene } from '../support/webhook-scene.ts';
import { startWorld } from '../support/world.ts';

describe('a secret that is rotated while a worker is busy with its webhook', () => {
  const world = startWorld({ hasTariffs: false });
  const scene = startWebhookScene(world);
  let secret = '';
  beforeEach(() => {
    secret = '';
  });

  const rotate = async () => {
    const rotated = await rotateSecret(scene.customer, scene.webhookId, 0, world, scene.clock.now());
    secret = rotated.secret;
  };
  const isNew = (received: Received) => isSignedBy(secret, received);

  test('given a worker between two posts, when the secret has been rotated, then the next post bears the new one alone', async () => {
    await scene.store(1);
    await scene.hand.send(scene.webhookId, {
      async afterRecord() {
        if (secret !== '') return;
        await rotate();
        await scene.store(1);
      },
    });
    expect(scene.receiver.received.map(isNew)).toEqual([false, true]);
  });

  test('given a post that is signed and waits for its connection, when the secret has been rotated, then it is signed anew before it is written', async () => {
    const { promise: mayConnect, resolve: connect } = Promise.withResolvers<string[]>();
    let asked = 0;
    const lookup = () => {
      asked += 1;
      return mayConnect;
    };
    const url = scene.receiver.url.replace('127.0.0.1', 'hooks.localhost');
    await Webhook.updateOne({ _id: scene.webhookId }, { url });
    const hand = handSender(world, scene.clock, { lookup, dnsTimeoutMs: 14_000 });
    await scene.store(1);
    const sending = hand.send(scene.webhookId);
    await eventually(() => expect(asked).toBe(1), { withinMs: 5_000 });
    await rotate();
    connect(['127.0.0.1']);
    await sending;
    expect(scene.receiver.received.map(isNew)).toEqual([true]);
    await hand.close();
  });
});
