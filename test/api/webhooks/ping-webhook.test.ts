// Level: push
import { describe, expect, openOnce, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';
import { isSignedBy, subscribe } from '#test/support/webhooks/receiver.ts';

describe('POST /v1/webhooks/{id}/ping', () => {
  const world = startWorld({ hasWorkers: true, environment: { SANDBOX_STEP_DELAY_S: '3600' } });
  const sender = openOnce(() => world.customer());

  test('a ping is marked, signed, of a subscribed kind, about no letter, and tried once', async () => {
    const { receiver, secret, path, settled, end } = await subscribe(sender, ['MAIL_FAILED', 'MAIL_POSTED']);
    receiver.answerWith(() => 503);
    const { status, body } = await sender.http.post(`${path}/ping`);
    expect([status, body]).toEqual([
      200,
      {
        deliveryId: expect.stringMatching(/^whd_/),
        eventId: expect.stringMatching(/^evt_/),
        event: 'MAIL_POSTED',
        mailJobId: expect.stringMatching(/^ping-/),
      },
    ]);
    await settled({
      id: body.deliveryId,
      status: 'failed',
      attemptCount: 1,
      isManual: true,
      mailJobId: body.mailJobId,
    });
    const [ping] = receiver.received;
    expect(ping?.headers).toMatchObject({ 'x-service-test': 'true', 'x-service-event': 'MAIL_POSTED' });
    const { postedAt, ...rest } = ping?.body ?? {};
    expect(rest).toEqual({ event: 'MAIL_POSTED', mailJobId: body.mailJobId, externalId: null, status: 'posted' });
    expect(Date.parse(postedAt ?? '')).not.toBeNaN();
    expect(ping && isSignedBy(secret, ping)).toBe(true);
    const event = (await sender.http.get(`/v1/events/${body.eventId}`)).body;
    expect(event).toMatchObject({ isTest: true, body: ping?.raw, deliveries: [{ id: body.deliveryId }] });
    await end();
  });

  test("the delivery of a letter's event has no test mark", async () => {
    const { receiver, settled, end } = await subscribe(sender);
    await sender.send();
    await settled({ status: 'delivered' });
    expect(receiver.received[0]?.headers).not.toHaveProperty('x-service-test');
    await end();
  });
});
