// Level: push
import { eventually, expect, openOnce, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';
import { openReceiver } from '#test/support/webhooks/receiver.ts';

const world = startWorld({ hasWorkers: true, environment: { SANDBOX_STEP_DELAY_S: '3600' } });
const sender = openOnce(() => world.customer());

test('GET /v1/events/{id} shows an event with its exact body and the state of each delivery', async () => {
  const [hook, own] = [await openReceiver(), await openReceiver()];
  // After a 503 the second attempt comes a minute later.
  own.answerWith(() => 503);
  const { id: webhookId } = (await sender.http.post('/v1/webhooks', { url: hook.url, events: ['MAIL_QUEUED'] })).body;
  const first = (await sender.send({ externalId: 'Ordre № 1 "é"' })).body.mailJobId;
  const second = (await sender.send({ webhookUrl: own.url })).body.mailJobId;
  const read = async (mailJobId: string) => {
    const [row] = (await sender.http.get(`/v1/events?mailJobId=${mailJobId}`)).body.data;
    return (await sender.http.get(`/v1/events/${row.id}`)).body;
  };
  const areSent = async () => {
    expect((await read(first)).deliveries).toMatchObject([{ status: 'delivered' }]);
    expect((await read(second)).deliveries).toMatchObject([{ attemptCount: 1 }]);
  };
  await eventually(areSent);
  const ofHook = await read(first);
  expect(ofHook.body).toBe(hook.received[0]?.raw);
  expect(ofHook.deliveries).toEqual([
    {
      ...{ id: hook.received[0]?.headers['x-service-delivery'], eventId: ofHook.id, event: 'MAIL_QUEUED' },
      ...{ mailJobId: first, webhookId, url: hook.url, status: 'delivered', attemptCount: 1, isManual: false },
      ...{ lastResult: '200', nextAttemptAt: null },
      ...{ createdAt: expect.any(String), updatedAt: expect.any(String) },
    },
  ]);
  const ofOwn = await read(second);
  expect(ofOwn.body).toBe(own.received[0]?.raw);
  expect(ofOwn.deliveries).toMatchObject([{ webhookId: null, url: own.url, status: 'due', lastResult: '503' }]);
  expect(Date.parse(ofOwn.deliveries[0].nextAttemptAt)).toBeGreaterThan(Date.now());
  await Promise.all([hook.close(), own.close()]);
});
