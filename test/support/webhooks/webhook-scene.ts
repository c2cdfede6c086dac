import type { Owner } from '#common/modes.ts';
import { Delivery, type DeliveryState } from '#common/webhooks/deliveries/delivery.model.ts';
import { afterEach, beforeEach, standingClock, type StandingClock } from '../jest.ts';
import type { World } from '../product/world.ts';
import { openReceiver, type Receiver } from './receiver.ts';
import {
  anOwner,
  aWebhookAt,
  createTestDispatcher,
  type EventFields,
  storeEvents,
  type TestDispatcher,
} from './test-dispatcher.ts';

/** A webhook in live mode and its receiver. The test drives the dispatcher and the clock. */
export type WebhookScene = {
  receiver: Receiver;
  clock: StandingClock;
  dispatcher: TestDispatcher;
  customer: Owner;
  webhookId: string;
  /** Stores due deliveries. Returns the ids of their mail jobs. */
  store(count: number, fields?: EventFields): Promise<string[]>;
  /** Runs sessions until the webhook is not due. */
  sendAll(): Promise<void>;
  /** Returns how many deliveries of the webhook are in a state. */
  count(state: DeliveryState): Promise<number>;
};

/** Creates a new scene for each test of a file, and closes it after the test. */
export function startWebhookScene(world: World): WebhookScene {
  const scene = {
    async store(count, fields = {}) {
      const mailJobIds = await storeEvents(scene.customer, count, scene.clock.now(), fields);
      await scene.dispatcher.fanOut();
      return mailJobIds;
    },
    async sendAll() {
      while (await scene.dispatcher.send(scene.webhookId));
    },
    count: (state) => Delivery.countDocuments({ endpointId: scene.webhookId, state }),
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
