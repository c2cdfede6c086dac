// Level: push
import { claimDue, leaseMs } from '#common/platform/due-work/due-work.ts';
import { noPauses } from '#common/platform/due-work/pauses.ts';
import { claimDeliveries, findDueDeliveries } from '#common/webhooks/deliveries/claim-deliveries.ts';
import { Delivery, DeliveryAttempt, type DeliveryRecord } from '#common/webhooks/deliveries/delivery.model.ts';
import { deliveryWork, type EndpointRecord } from '#common/webhooks/endpoints/endpoint.model.ts';
import { describe, expect, test } from '#test/support/jest.ts';
import { expireLease, startWebhookScene } from '#test/support/webhooks/webhook-scene.ts';

describe('attempts interrupted by the death of their worker', () => {
  const scene = startWebhookScene();

  /** Claims a batch and lets the lease expire. Returns the deliveries in posting order. */
  async function claimAndDie(): Promise<DeliveryRecord[]> {
    const claim = await claimDue<EndpointRecord>(deliveryWork, scene.webhookId, scene.clock.now());
    const { organizationId } = scene.customer;
    const backlog = { organizationId, endpointId: scene.webhookId, epoch: 0 };
    const found = await findDueDeliveries(backlog, scene.clock.now());
    const { deliveries } = await claimDeliveries(claim!, found, { now: scene.clock.now(), paused: noPauses });
    scene.clock.advance(leaseMs);
    await expireLease(deliveryWork, scene.webhookId);
    return deliveries;
  }
  const attemptsOf = async ({ _id }: DeliveryRecord) => {
    const attempts = await DeliveryAttempt.find({ deliveryId: _id }).sort({ number: 1 }).lean();
    return attempts.map(({ number, status, errorClass }) => `${number} ${status} ${errorClass}`);
  };
  const numberOf = ({ _id }: DeliveryRecord) =>
    scene.receiver.received
      .filter(({ headers }) => headers['x-service-delivery'] === _id)
      .map(({ headers }) => headers['x-service-attempt']);

  test('up to ten that may have been in flight are logged, and no attempt number repeats', async () => {
    await scene.store(25);
    const takenAt = scene.clock.now();
    const claimed = await claimAndDie();
    expect(claimed).toHaveLength(25);
    await scene.dispatcher.send(scene.webhookId);
    for (const delivery of claimed.slice(0, 10)) {
      expect([numberOf(delivery), await attemptsOf(delivery)]).toEqual([['2'], ['1 null interrupted', '2 200 null']]);
    }
    for (const delivery of claimed.slice(10)) {
      expect([numberOf(delivery), await attemptsOf(delivery)]).toEqual([['1'], ['1 200 null']]);
    }
    const first = await DeliveryAttempt.findById(`${claimed[0]?._id}:1`).lean();
    // It started and ended at some time within the lease.
    expect(first).toMatchObject({ startedAt: takenAt, durationMs: leaseMs });
    expect(await scene.dispatcher.read('deliveries_total', { result: 'retry', error_class: 'interrupted' })).toBe(10);
  });

  test('an answer that was logged before the death stays in the log', async () => {
    await scene.store(1);
    const [delivery] = await claimAndDie();
    const { _id, attempt } = delivery!;
    const log = { startedAt: scene.clock.now(), durationMs: 5, status: 200, errorClass: null, replyHead: '' };
    await DeliveryAttempt.insertMany([{ _id: `${_id}:1`, deliveryId: _id, number: 1, ...log, remoteIp: null }]);
    await scene.dispatcher.send(scene.webhookId);
    expect([attempt, await attemptsOf(delivery!)]).toEqual([0, ['1 200 null', '2 200 null']]);
  });

  test('the first ten in posting order count as attempts, which can lower their priority', async () => {
    await scene.store(12);
    const rows = await Delivery.find({ webhookId: scene.webhookId }).sort({ _id: 1 }).lean<DeliveryRecord[]>();
    const third = rows[0]!;
    await Delivery.updateMany({ webhookId: scene.webhookId }, { attempt: 1 });
    await Delivery.updateOne({ _id: third._id }, { attempt: 2, isLowPriority: true });
    const claimed = await claimAndDie();
    expect(claimed.at(-1)?._id).toBe(third._id);
    await scene.dispatcher.send(scene.webhookId);
    expect(claimed.map(numberOf)).toEqual([...Array(10).fill(['3']), ['2'], ['3']]);
    expect((await Delivery.findById(claimed[0]!._id).lean())?.isLowPriority).toBe(true);
    expect(await attemptsOf(third)).toEqual(['3 200 null']);
  });
});
