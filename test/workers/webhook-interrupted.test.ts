import { describe, expect, test } from '@jest/globals';
import { claimDue, leaseMs } from '../../common/platform/due-work.ts';
import {
  Delivery,
  DeliveryAttempt,
  type DeliveryAttemptRecord,
  type DeliveryRecord,
} from '../../common/webhooks/delivery.model.ts';
import { findBatch, takeBatch } from '../../common/webhooks/delivery-batch.ts';
import { deliveryWork, type EndpointRecord } from '../../common/webhooks/endpoint.model.ts';
import { startWebhookScene } from '../support/webhook-scene.ts';
import { startWorld } from '../support/world.ts';

describe('attempts whose worker died before their end', () => {
  const world = startWorld({ hasTariffs: false });
  const scene = startWebhookScene(world);

  /** As a worker does before it posts; returns what it took, in the order in which it would post. */
  async function takeAndDie(): Promise<DeliveryRecord[]> {
    const claim = await claimDue<EndpointRecord>(deliveryWork, scene.webhookId, scene.clock.now());
    const found = await findBatch(scene.webhookId, scene.clock.now());
    const { deliveries } = await takeBatch(claim!, found, scene.clock.now());
    scene.clock.advance(leaseMs);
    return deliveries;
  }
  const attemptsOf = async ({ _id }: DeliveryRecord) => {
    const attempts = await DeliveryAttempt.find({ deliveryId: _id })
      .sort({ number: 1 })
      .lean<DeliveryAttemptRecord[]>();
    return attempts.map(({ number, status, errorClass }) => [number, status, errorClass]);
  };
  const numberOf = ({ _id }: DeliveryRecord) =>
    scene.receiver.received
      .filter(({ headers }) => headers['x-service-delivery'] === _id)
      .map(({ headers }) => headers['x-service-attempt']);

  test('given 25 deliveries that a worker had taken, when it has died, then the ten that may have been under way are on record, and no number comes twice', async () => {
    await scene.store(25);
    const takenAt = scene.clock.now();
    const taken = await takeAndDie();
    expect(taken).toHaveLength(25);
    await scene.hand.send(scene.webhookId);
    for (const delivery of taken.slice(0, 10)) {
      expect([numberOf(delivery), await attemptsOf(delivery)]).toEqual([
        ['2'],
        [
          [1, null, 'interrupted'],
          [2, 200, null],
        ],
      ]);
    }
    for (const delivery of taken.slice(10)) {
      expect([numberOf(delivery), await attemptsOf(delivery)]).toEqual([['1'], [[1, 200, null]]]);
    }
    const first = await DeliveryAttempt.findById(`${taken[0]?._id}:1`).lean();
    // It began and ended somewhere in between.
    expect(first).toMatchObject({ startedAt: takenAt, durationMs: leaseMs });
    expect(await scene.hand.read('deliveries_total', { result: 'retry', error_class: 'interrupted' })).toBe(10);
  });

  test('given an attempt that was logged, and its worker died before the delivery was told, when it is sent again, then its answer stays on record', async () => {
    await scene.store(1);
    const [delivery] = await takeAndDie();
    const { _id, attempt } = delivery!;
    const log = { startedAt: scene.clock.now(), durationMs: 5, status: 200, errorClass: null, replyHead: '' };
    await DeliveryAttempt.insertMany([{ _id: `${_id}:1`, deliveryId: _id, number: 1, ...log, remoteIp: null }]);
    await scene.hand.send(scene.webhookId);
    expect([attempt, await attemptsOf(delivery!)]).toEqual([
      0,
      [
        [1, 200, null],
        [2, 200, null],
      ],
    ]);
  });

  test('given second attempts and a third one in a batch, when its worker has died, then the first in its order count, and are late ones now', async () => {
    await scene.store(12);
    const rows = await Delivery.find({ webhookId: scene.webhookId }).sort({ _id: 1 }).lean<DeliveryRecord[]>();
    const third = rows[0]!;
    await Delivery.updateMany({ webhookId: scene.webhookId }, { attempt: 1 });
    await Delivery.updateOne({ _id: third._id }, { attempt: 2, isLate: true });
    const taken = await takeAndDie();
    expect(taken.at(-1)?._id).toBe(third._id);
    await scene.hand.send(scene.webhookId);
    expect(taken.map(numberOf)).toEqual([...Array(10).fill(['3']), ['2'], ['3']]);
    expect((await Delivery.findById(taken[0]!._id).lean())?.isLate).toBe(true);
    expect(await attemptsOf(third)).toEqual([[3, 200, null]]);
  });
});
