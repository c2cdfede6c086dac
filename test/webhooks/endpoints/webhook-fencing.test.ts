// Level: push
import { plusMs } from '#common/clock.ts';
import { claimDue, finishClaim, leaseMs } from '#common/platform/due-work/due-work.ts';
import { noPauses } from '#common/platform/due-work/pauses.ts';
import { claimDeliveries, findDueDeliveries } from '#common/webhooks/deliveries/claim-deliveries.ts';
import { Delivery, type DeliveryRecord } from '#common/webhooks/deliveries/delivery.model.ts';
import { findForgotten } from '#common/webhooks/deliveries/wake-forgotten.ts';
import { deliveryWork, Endpoint, type EndpointRecord } from '#common/webhooks/endpoints/endpoint.model.ts';
import { describe, eventually, expect, test } from '#test/support/jest.ts';
import { expireLease, startWebhookScene } from '#test/support/webhooks/webhook-scene.ts';

describe('a worker whose lease has expired', () => {
  const scene = startWebhookScene();

  test('cannot change a delivery that another worker has completed meanwhile', async () => {
    const { receiver, clock, dispatcher, webhookId } = scene;
    const { promise: mayAnswer, resolve: letAnswer } = Promise.withResolvers<void>();
    receiver.answerWith(async () => {
      if (receiver.received.length > 1) return 200;
      await mayAnswer;
      return 500;
    });
    await scene.store(1);
    const late = dispatcher.send(webhookId);
    await eventually(() => expect(receiver.received).toHaveLength(1));
    expect(await dispatcher.send(webhookId)).toBe(false);
    clock.advance(10 * 60_000);
    await expireLease(deliveryWork, webhookId);
    expect(await dispatcher.send(webhookId)).toBe(true);
    const delivered = await Delivery.findOne({ webhookId }).orFail().lean<DeliveryRecord>();
    expect(delivered).toMatchObject({ state: 'delivered', lastResult: '200', leaseToken: null });
    const endpoint = await Endpoint.findById(webhookId).orFail().lean();
    letAnswer();
    await late;
    expect(await Delivery.findOne({ webhookId }).lean()).toEqual(delivered);
    expect(await Endpoint.findById(webhookId).lean()).toEqual(endpoint);
    const [first, second] = receiver.received;
    expect(second?.headers['x-service-delivery']).toBe(first?.headers['x-service-delivery']);
    expect(second?.raw).toBe(first?.raw);
  });

  /** Stores due deliveries and returns those that a worker found under its lease. */
  async function findAndStandStill(count: number) {
    const { clock, webhookId, customer } = scene;
    await scene.store(count);
    const claim = await claimDue<EndpointRecord>(deliveryWork, webhookId, clock.now());
    const found = await findDueDeliveries(
      { organizationId: customer.organizationId, endpointId: webhookId, epoch: 0 },
      clock.now(),
    );
    expect(found).toHaveLength(count);
    await expireLease(deliveryWork, webhookId);
    return { ...scene, claim: claim!, found, foundAt: clock.now() };
  }
  const forgotten = async () =>
    (await Array.fromAsync(findForgotten(scene.clock.now(), 0))).map((one) => one.endpointId);

  test('claims nothing that was attempted while it stalled', async () => {
    const { receiver, clock, dispatcher, webhookId, claim, found, foundAt } = await findAndStandStill(3);
    receiver.answerWith(() => 500);
    clock.advance(60_000);
    await dispatcher.send(webhookId);
    expect((await claimDeliveries(claim, found, { now: foundAt, paused: noPauses })).deliveries).toEqual([]);
    expect(await Delivery.countDocuments({ webhookId, state: 'due', attempt: 1 })).toBe(3);
    expect(await forgotten()).toEqual([]);
  });

  test('claims nothing while another worker holds the lease', async () => {
    const { clock, webhookId, claim, found, foundAt } = await findAndStandStill(3);
    const next = await claimDue<EndpointRecord>(deliveryWork, webhookId, clock.now());
    expect(await claimDeliveries(claim, found, { now: foundAt, paused: noPauses })).toMatchObject({
      deliveries: [],
      current: null,
    });
    expect(await Delivery.countDocuments({ webhookId, state: 'due', leaseToken: null })).toBe(3);
    // The other worker has not seen it, and must check again before it releases the endpoint.
    expect(await finishClaim(next!)).toBe(false);
  });

  test('leaves the endpoint due while it holds one of its deliveries', async () => {
    const { receiver, clock, dispatcher, webhookId } = await findAndStandStill(2);
    const [taken] = await Delivery.find({ webhookId }).lean<DeliveryRecord[]>();
    await Delivery.updateOne({ _id: taken!._id }, { nextAttemptAt: plusMs(clock.now(), 60_000) });
    // The stalled worker claims it while its successor posts the other delivery.
    await dispatcher.send(webhookId, {
      async afterRecord() {
        const stamp = { state: 'sending', leaseToken: 'stalled', takenAt: clock.now(), nextAttemptAt: clock.now() };
        await Delivery.updateOne({ _id: taken!._id }, stamp);
      },
    });
    expect(await forgotten()).toEqual([]);
    expect(receiver.received).toHaveLength(1);
    clock.advance(leaseMs);
    expect(await dispatcher.send(webhookId)).toBe(true);
    expect(receiver.received).toHaveLength(2);
    expect(await Delivery.countDocuments({ webhookId, state: 'delivered' })).toBe(2);
  });
});
