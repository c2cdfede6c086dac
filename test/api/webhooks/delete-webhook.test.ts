// Level: push
import { Delivery, type DeliveryState } from '#common/webhooks/deliveries/delivery.model.ts';
import { describe, eventually, expect, test } from '#test/support/jest.ts';
import { type Answer, aSender } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { addWebhook, openReceiver } from '#test/support/webhooks/receiver.ts';
import { startWorkers } from '#workers/process/start-workers.ts';

const notFound = { status: 404, body: { code: 'NOT_FOUND' } };
const idsOf = ({ body }: Answer): string[] => body.data.map(({ id }: { id: string }) => id);

describe('DELETE /v1/webhooks/{id}', () => {
  const world = startWorld();

  test('a deleted webhook is no longer listed, and deleting it again is 404', async () => {
    const owner = await world.customer();
    const [kept, gone] = [await addWebhook(owner), await addWebhook(owner)];
    const first = await owner.http.delete(gone.path);
    expect([first.status, first.body]).toEqual([200, { id: gone.id, deleted: true }]);
    expect(idsOf(await owner.http.get('/v1/webhooks'))).toEqual([kept.id]);
    expect(idsOf(await owner.http.get('/v1/webhooks?status=disabled'))).toEqual([]);
    expect(await owner.http.delete(gone.path)).toMatchObject(notFound);
    expect(await owner.http.get(gone.path)).toMatchObject(notFound);
  });

  test('a deletion with posts in flight starts no post after the answer', async () => {
    const receiver = await openReceiver();
    const { promise: mayAnswer, resolve: answer } = Promise.withResolvers<number>();
    receiver.answerWith(() => mayAnswer);
    const sender = await aSender(world);
    const { id: webhookId, path } = await addWebhook(sender, { url: receiver.url, events: ['MAIL_QUEUED'] });
    const fanOut = await startWorkers({ ...world.workersOptions, names: ['fan-out', 'scanner'] });
    await Promise.all(Array.from({ length: 30 }, () => sender.send()));
    const count = (state: DeliveryState) => Delivery.countDocuments({ webhookId, state });
    await eventually(async () => expect(await count('due')).toBe(30));
    // The worker claims all thirty in one batch, and ten of them hang.
    const sending = await startWorkers({ ...world.workersOptions, names: ['webhook-delivery'] });
    await eventually(() => expect(receiver.received).toHaveLength(10));
    expect(await count('sending')).toBe(30);
    const deleted = await sender.http.delete(path);
    const answeredAt = Date.now();
    answer(200);
    expect(deleted).toMatchObject({ status: 200, body: { id: webhookId, deleted: true } });
    await eventually(async () => expect((await count('due')) + (await count('sending'))).toBe(0));
    expect(receiver.received.filter(({ at }) => at > answeredAt)).toEqual([]);
    expect([await count('delivered'), await count('discarded')]).toEqual([10, 20]);
    expect((await sender.http.delete(path)).status).toBe(404);
    await Promise.all([fanOut.close(), sending.close(), receiver.close()]);
  });
});
