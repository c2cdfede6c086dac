// Level: push
import { Event } from '#common/events/event.model.ts';
import { markReturned } from '#common/production/returns/mark-returned.ts';
import { describe, eventually, expect, test } from '#test/support/jest.ts';
import { aRequestAddress, aSender } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { comeBack } from '#test/support/production/come-back.ts';
import { isSignedBy, openReceiver, subscribe } from '#test/support/webhooks/receiver.ts';

describe('the webhook ITEM_RETURNED', () => {
  const world = startWorld({ hasWorkers: true, environment: { SANDBOX_STEP_DELAY_S: '3600' } });
  const ofMail = ['MAIL_QUEUED', 'MAIL_PRINTED', 'MAIL_POSTED', 'MAIL_DELIVERED', 'MAIL_FAILED'];

  test('each copy that comes back is reported once, to the webhooks that name the kind', async () => {
    const [sender, stranger, own] = [await aSender(world), await world.customer(), await openReceiver()];
    const named = await subscribe(sender, ['ITEM_RETURNED']);
    const others = [await subscribe(sender, ofMail), await subscribe(stranger, ['ITEM_RETURNED'])];
    const live = await world.customer({ organizationId: sender.organizationId, mode: 'live' });
    others.push(await subscribe(live, ['ITEM_RETURNED']));
    const recipients = [aRequestAddress(), aRequestAddress()];
    const mailJobId = await sender.sendAccepted({ recipients, webhookUrl: own.url, externalId: 'back' });
    const first = await comeBack(mailJobId, world, { reason: 'refused' });
    const second = await comeBack(mailJobId, world, { index: 1 });
    const again = { itemId: first.itemId, reason: 'refused', by: undefined } as const;
    await markReturned(again, { hints: world.hints, at: new Date() });

    await eventually(() => expect(named.receiver.received).toHaveLength(2));
    await eventually(() => expect(own.received).toHaveLength(1));
    const got = named.receiver.received.find(({ body }) => body.itemId === first.itemId);
    expect(got?.body).toEqual({
      event: 'ITEM_RETURNED',
      mailJobId,
      externalId: 'back',
      itemId: first.itemId,
      reason: 'refused',
      returnedAt: first.returned.at.toISOString(),
    });
    expect(got?.headers['x-service-event']).toBe('ITEM_RETURNED');
    expect(got?.headers).not.toHaveProperty('x-service-test');
    expect(got && isSignedBy(named.secret, got)).toBe(true);
    expect(named.receiver.received.map(({ body }) => body.itemId).sort()).toEqual([first.itemId, second.itemId].sort());
    // The letter's own URL gets the kinds of the letter only.
    expect(own.received.map(({ body }) => body.event)).toEqual(['MAIL_QUEUED']);
    await eventually(async () => expect(await Event.countDocuments({ fannedOutAt: null })).toBe(0));
    expect(others.map(({ receiver }) => receiver.received.length)).toEqual([0, 0, 0]);
    await Promise.all([own.close(), named.end(), ...others.map(({ end }) => end())]);
  });

  test('the events and deliveries of a letter include those of its copies', async () => {
    const [sender, stranger] = [await aSender(world), await aSender(world)];
    const { path, receiver, end } = await subscribe(sender, ['ITEM_RETURNED', 'MAIL_QUEUED']);
    const mailJobId = await sender.sendAccepted();
    const { itemId } = await comeBack(mailJobId, world);
    await comeBack(await sender.sendAccepted(), world);
    await eventually(() => expect(receiver.received).toHaveLength(4));

    const events = async (query = '', { http } = sender) => (await http.get(`/v1/events?${query}`)).body.data;
    const shown = await events(`mailJobId=${mailJobId}`);
    expect(shown).toMatchObject([
      { event: 'ITEM_RETURNED', mailJobId, itemId, isTest: false },
      { event: 'MAIL_QUEUED', mailJobId, itemId: null },
    ]);
    expect(await events(`mailJobId=${mailJobId}&event=ITEM_RETURNED`)).toEqual([shown[0]]);
    expect(await events('event=ITEM_RETURNED')).toHaveLength(2);
    expect(await events()).toHaveLength(4);
    expect(await events(`mailJobId=${mailJobId}`, stranger)).toEqual([]);
    const { body } = await sender.http.get(`${path}/deliveries?mailJobId=${mailJobId}`);
    const kinds = body.data.map(({ event, mailJobId }: Record<string, string>) => [event, mailJobId]);
    expect(kinds.sort()).toEqual([
      ['ITEM_RETURNED', mailJobId],
      ['MAIL_QUEUED', mailJobId],
    ]);
    const detail = await sender.http.get(`/v1/events/${shown[0].id}`);
    expect(detail.body).toMatchObject({ itemId, deliveries: [{ event: 'ITEM_RETURNED', mailJobId }] });
    await end();
  });

  test('a webhook can take up the kind and give it up, and a ping of it is a sample', async () => {
    const sender = await world.customer();
    const { path, receiver, end } = await subscribe(sender, ['MAIL_QUEUED']);
    const changed = await sender.http.patch(path, { events: ['ITEM_RETURNED'] });
    expect([changed.status, changed.body.events]).toEqual([200, ['ITEM_RETURNED']]);
    const { body: ping } = await sender.http.post(`${path}/ping`);
    expect(ping).toMatchObject({ event: 'ITEM_RETURNED', mailJobId: expect.stringMatching(/^ping-/) });
    await eventually(() => expect(receiver.received).toHaveLength(1));
    expect(receiver.received[0]?.headers['x-service-test']).toBe('true');
    const { mailJobId } = ping;
    const sample = { event: 'ITEM_RETURNED', mailJobId, externalId: null, itemId: mailJobId, reason: 'other' };
    expect(receiver.received[0]?.body).toMatchObject(sample);
    expect((await sender.http.patch(path, { events: ['MAIL_QUEUED'] })).body.events).toEqual(['MAIL_QUEUED']);
    await end();
  });
});
