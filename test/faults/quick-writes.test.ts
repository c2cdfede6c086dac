import { describe, expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import { insertQuickly, isSafeSince } from '../../common/platform/quick-writes.ts';
import { Delivery } from '../../common/webhooks/delivery.model.ts';
import { Event } from '../../common/webhooks/event.model.ts';
import { eventually } from '../support/eventually.ts';
import type { Fault } from '../support/own-mongo.ts';
import { startWebhookScene } from '../support/webhook-scene.ts';
import { startWorld } from '../support/world.ts';

const collection = 'quick_rows';
const unsafe = { writeConcernError: { code: 64, errmsg: 'waiting for replication timed out' } };

describe('writes that do not wait for the journal', () => {
  const world = startWorld({ hasTariffs: false, hasOwnMongo: true });
  const scene = startWebhookScene(world);

  const fail = async (fault: Omit<Fault, 'appName' | 'database'>) => {
    const { appName } = mongoose.connection.getClient().options;
    await world.ownMongo?.fail({ ...fault, appName: appName ?? '', database: mongoose.connection.name }, 1);
  };

  test('given rows of which one is there already, when they are inserted, then the others are stored and safe; any other refusal is an error', async () => {
    await insertQuickly(collection, [{ _id: 'a' }]);
    const { reign, refused } = await insertQuickly(collection, [{ _id: 'a' }, { _id: 'b' }]);
    expect(reign).not.toBeNull();
    expect([...refused]).toEqual(['a']);
    expect(await isSafeSince(reign, collection)).toBe(true);
    expect(await mongoose.connection.collection(collection).countDocuments()).toBe(2);
    await expect(insertQuickly(collection, [{ _id: ['no', 'id'] as unknown as string }])).rejects.toThrow();
    expect(await isSafeSince(null, collection)).toBe(false);
  });

  test('given a primary that was elected anew since, when it is asked, then what the former one took does not count as safe', async () => {
    const { reign } = await insertQuickly(collection, [{ _id: 'c' }]);
    const admin = mongoose.connection.getClient().db('admin');
    await admin.command({ replSetStepDown: 1, force: true });
    const next = await eventually(
      async () => {
        await admin.command({ replSetFreeze: 0 }).catch(() => {});
        return (await insertQuickly(collection, [{ _id: 'd' }])).reign;
      },
      { withinMs: 30_000 },
    );
    expect(next).not.toBe(reign);
    expect([await isSafeSince(reign, collection), await isSafeSince(next, collection)]).toEqual([false, true]);
  }, 60_000);

  test('given a majority that does not answer in time, when it is asked, then nothing counts as safe', async () => {
    const { reign } = await insertQuickly(collection, [{ _id: 'e' }]);
    await fail({ failCommands: ['update'], collection, ...unsafe });
    expect(await isSafeSince(reign, collection)).toBe(false);
    expect(await isSafeSince(reign, collection)).toBe(true);
  });

  test('given a single event whose deliveries are not safe in time, when it is fanned out, then that is done again, and it comes once', async () => {
    await fail({ failCommands: ['update'], collection: 'deliveries', ...unsafe });
    const [mailJobId = ''] = await scene.store(1);
    expect(await world.ownMongo?.stopFailing()).toBeGreaterThanOrEqual(1);
    expect(await Delivery.countDocuments({ mailJobId })).toBe(1);
    // Told in a hurry, and once more when it was stored for good.
    expect(scene.hand.told).toEqual([scene.webhookId, scene.webhookId]);
    const event = await Event.findOne({ subjectId: mailJobId }).orFail().lean();
    expect([event.fannedOutAt, event.due]).toEqual([scene.clock.now(), undefined]);
    await scene.hand.send(scene.webhookId);
    expect(scene.receiver.received.map(({ body }) => body.mailJobId)).toEqual([mailJobId]);
  });

  test('given a single event whose first insert is refused, when it is fanned out, then it is delivered all the same', async () => {
    await fail({ failCommands: ['insert'], collection: 'deliveries', errorCode: 13 });
    const [mailJobId = ''] = await scene.store(1);
    expect(await world.ownMongo?.stopFailing()).toBeGreaterThanOrEqual(1);
    await scene.hand.send(scene.webhookId);
    expect(scene.receiver.received.map(({ body }) => body.mailJobId)).toEqual([mailJobId]);
  });
});
