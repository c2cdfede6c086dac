import { afterEach, beforeEach } from '@jest/globals';
import type { Owner } from '../../common/modes.ts';
import { type StandingClock, standingClock } from './clock.ts';
import { openReceiver, type Receiver } from './receiver.ts';
import { anOwner, aWebhookAt, type EventFields, type HandSender, handSender, storeEvents } from './waiting-events.ts';
import type { World } from './world.ts';

/** A live webhook at a receiver, whose deliveries a test sends by hand and by a clock that stands. */
export type WebhookScene = {
  receiver: Receiver;
  clock: StandingClock;
  hand: HandSender;
  customer: Owner;
  webhookId: string;
  /** So many deliveries more, due now; the ids of their letters. */
  store(count: number, fields?: EventFields): Promise<string[]>;
};

/** Such a scene for each test of a file, and nothing left of it after the test. */
export function startWebhookScene(world: World): WebhookScene {
  const scene = {
    async store(count, fields = {}) {
      const mailJobIds = await storeEvents(scene.customer, count, scene.clock.now(), fields);
      await scene.hand.fanOut();
      return mailJobIds;
    },
  } as WebhookScene;
  beforeEach(async () => {
    scene.receiver = await openReceiver();
    scene.clock = standingClock();
    scene.hand = handSender(world, scene.clock);
    scene.customer = { ...anOwner(), mode: 'live' };
    scene.webhookId = await aWebhookAt(world, scene.customer, scene.receiver.url);
  });
  afterEach(async () => {
    await scene.hand.close();
    await scene.receiver.close();
  });
  return scene;
}
