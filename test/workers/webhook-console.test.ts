import { beforeAll, describe, expect, test } from '@jest/globals';
import { plusMs } from '../../common/clock.ts';
import { newId } from '../../common/ids.ts';
import { Delivery, type DeliveryRecord } from '../../common/webhooks/delivery.model.ts';
import { Endpoint } from '../../common/webhooks/endpoint.model.ts';
import { eventually } from '../support/eventually.ts';
import { isSignedBy, openReceiver, type Receiver } from '../support/receiver.ts';
import { aSender, type Sender } from '../support/sender.ts';
import { startWorld } from '../support/world.ts';

describe('deliveries that their owner looks at and repeats', () => {
  const world = startWorld({ hasWorkers: true, environment: { SANDBOX_STEP_DELAY_S: '3600' } });
  let sender: Sender;
  beforeAll(async () => {
    sender = await aSender(world);
  });

  async function subscribe(events = ['MAIL_QUEUED']) {
    const receiver = await openReceiver();
    const { id, secret } = (await sender.http.post('/v1/webhooks', { url: receiver.url, events })).body;
    const path = `/v1/webhooks/${id}`;
    const deliveries = async (query = '') => (await sender.http.get(`${path}/deliveries${query}`)).body.data;
    /** The webhook's one delivery, once it is as expected. */
    const settled = (expected: object) =>
      eventually(
        async () => {
          const [delivery] = await deliveries();
          expect(delivery).toMatchObject(expected);
          return delivery;
        },
        { withinMs: 8_000 },
      );
    const end = async () => {
      await sender.http.delete(path);
      await receiver.close();
    };
    return { receiver, id, secret, path, deliveries, settled, end };
  }
  const numbersOf = ({ received }: Receiver) => received.map(({ headers }) => headers['x-service-attempt']);

  test('given a delivery that failed, when it is sent again by hand, then under its id, as the next attempt, and another failure is final', async () => {
    const { receiver, path, settled, end } = await subscribe();
    receiver.answerWith(() => 500);
    await sender.send();
    const first = await settled({ state: 'due', attemptCount: 1, isManual: false });
    expect(first.attempts).toEqual([
      {
        ...{ number: 1, status: 500, errorClass: null, replyHead: '' },
        ...{ startedAt: expect.any(String), endedAt: expect.any(String) },
      },
    ]);
    expect(first.attempts[0].endedAt >= first.attempts[0].startedAt).toBe(true);
    // One that waits only comes sooner: it keeps the attempts that would follow.
    const sooner = await sender.http.post(`${path}/deliveries/${first.id}/redeliver`);
    expect(sooner).toMatchObject({ status: 200, body: { id: first.id, state: 'due', isManual: false } });
    const second = await settled({ state: 'due', attemptCount: 2, isManual: false });
    expect(Date.parse(second.nextAttemptAt)).toBeGreaterThan(Date.now());
    await Delivery.updateOne({ _id: first.id }, { state: 'failed', nextAttemptAt: null });
    const again = await sender.http.post(`${path}/deliveries/${first.id}/redeliver`);
    expect(again.body).toMatchObject({ state: 'due', isManual: true, attemptCount: 2 });
    await settled({ state: 'failed', attemptCount: 3, isManual: true, nextAttemptAt: null, lastResult: '500' });
    receiver.answerWith(() => 200);
    await sender.http.post(`${path}/deliveries/${first.id}/redeliver`);
    const { attempts } = await settled({ state: 'delivered', attemptCount: 4 });
    expect(attempts.map(({ number, status }: Record<string, number>) => [number, status])).toEqual([
      [4, 200],
      [3, 500],
      [2, 500],
      [1, 500],
    ]);
    // Taken once, it can come once more.
    await sender.http.post(`${path}/deliveries/${first.id}/redeliver`);
    await settled({ state: 'delivered', attemptCount: 5 });
    expect(numbersOf(receiver)).toEqual(['1', '2', '3', '4', '5']);
    expect(new Set(receiver.received.map(({ raw }) => raw)).size).toBe(1);
    expect(new Set(receiver.received.map(({ headers }) => headers['x-service-delivery']))).toEqual(new Set([first.id]));
    await end();
  });

  test('given a ping, when it comes, then it is marked, signed, of a subscribed kind, about no letter, and tried once', async () => {
    const { receiver, secret, path, settled, end } = await subscribe(['MAIL_FAILED', 'MAIL_POSTED']);
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
    await settled({ id: body.deliveryId, state: 'failed', attemptCount: 1, isManual: true, mailJobId: body.mailJobId });
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

  test('given a letter, when it is delivered, then nothing marks it as a test', async () => {
    const { receiver, settled, end } = await subscribe();
    await sender.send();
    await settled({ state: 'delivered' });
    expect(receiver.received[0]?.headers).not.toHaveProperty('x-service-test');
    await end();
  });

  test('given a webhook that is disabled and enabled again, when what it missed is asked for, then all of it comes, once', async () => {
    const { receiver, id, path, settled, deliveries, end } = await subscribe();
    const since = new Date().toISOString();
    receiver.answerWith(() => 500);
    await sender.send();
    const delivery = await settled({ state: 'due', attemptCount: 1 });
    const row = await Delivery.findById(delivery.id).orFail().lean<DeliveryRecord>();
    const lost = Array.from({ length: 30 }, (_, n) => ({
      ...row,
      ...{ _id: newId('whd'), eventId: newId('evt'), nextAttemptAt: null },
      ...{ state: n % 2 ? 'failed' : 'discarded', createdAt: plusMs(row.createdAt, n < 28 ? n : -3_600_000) },
    }));
    await Delivery.insertMany(lost);
    receiver.answerWith(() => 200);
    expect((await sender.http.patch(path, { status: 'disabled' })).body.status).toBe('disabled');
    expect((await deliveries('?state=discarded')).map((each: { id: string }) => each.id)).toContain(delivery.id);
    await sender.http.patch(path, { status: 'active' });
    const { status, body } = await sender.http.post(`${path}/redeliver-failed`, { since });
    // 28 since then, and the one that was discarded when the webhook was disabled.
    expect([status, body]).toEqual([200, { redelivered: 29, hasMore: false }]);
    await eventually(async () => expect(await deliveries('?state=delivered&limit=100')).toHaveLength(29), {
      withinMs: 8_000,
    });
    expect(numbersOf(receiver)).toEqual(['1', ...Array(29).fill('2')]);
    expect((await sender.http.post(`${path}/redeliver-failed`, { since })).body.redelivered).toBe(0);
    expect(await Delivery.countDocuments({ webhookId: id, state: { $in: ['failed', 'discarded'] } })).toBe(2);
    await end();
  });

  test('given a request to send again that was cut off before the workers were told, when it comes again, then what waits is sent', async () => {
    const { receiver, id, path, settled, end } = await subscribe();
    await sender.send();
    await settled({ state: 'delivered' });
    const at = plusMs(new Date(), -1_000);
    const findDue = () => Endpoint.findOne({ _id: id, due: { $exists: true } });
    await eventually(async () => expect(await findDue()).toBeNull(), { withinMs: 8_000 });
    await Delivery.updateOne({ webhookId: id }, { state: 'due', isManual: true, nextAttemptAt: at });
    const again = await sender.http.post(`${path}/redeliver-failed`, { since: at.toISOString() });
    expect(again.body).toEqual({ redelivered: 0, hasMore: false });
    await settled({ state: 'delivered', attemptCount: 2 });
    expect(numbersOf(receiver)).toEqual(['1', '2']);
    await end();
  });

  test('given deliveries that wait, when the webhook gets another url, then they go there', async () => {
    const { receiver, id, path, settled, end } = await subscribe();
    const next = await openReceiver();
    receiver.answerWith(() => 500);
    await sender.send();
    await settled({ state: 'due', attemptCount: 1 });
    await sender.http.patch(path, { url: next.url });
    await Delivery.updateOne({ webhookId: id }, { nextAttemptAt: plusMs(new Date(), -1) });
    await Endpoint.updateOne({ _id: id }, { $set: { 'due.at': plusMs(new Date(), -1) } });
    await settled({ state: 'delivered', attemptCount: 2, url: next.url });
    expect([receiver.received.length, numbersOf(next)]).toEqual([1, ['2']]);
    await next.close();
    await end();
  });

  test('given deliveries of all kinds, when they are listed with filters and by pages, then each comes once, newest first', async () => {
    const { deliveries, path, end } = await subscribe(['MAIL_QUEUED', 'MAIL_PRINTED', 'MAIL_FAILED']);
    const [kept, failed] = [(await sender.send()).body.mailJobId, (await sender.send()).body.mailJobId];
    await sender.http.post(`/v1/mails/${kept}/simulate`, { to: 'printed' });
    await sender.http.post(`/v1/mails/${failed}/simulate`, { to: 'failed' });
    await eventually(async () => expect(await deliveries('?state=delivered')).toHaveLength(4), { withinMs: 8_000 });
    type Row = { id: string; event: string; mailJobId: string; createdAt: string };
    const all: Row[] = await deliveries();
    expect(all.map(({ createdAt }) => createdAt)).toEqual(
      all
        .map(({ createdAt }) => createdAt)
        .sort()
        .reverse(),
    );
    expect((await deliveries(`?mailJobId=${kept}`)).map(({ event }: Row) => event).sort()).toEqual([
      'MAIL_PRINTED',
      'MAIL_QUEUED',
    ]);
    expect(await deliveries('?event=MAIL_FAILED')).toMatchObject([{ mailJobId: failed }]);
    expect(await deliveries(`?event=MAIL_FAILED&mailJobId=${kept}`)).toEqual([]);
    expect(await deliveries('?state=failed')).toEqual([]);
    const seen: Row[] = [];
    let cursor = '';
    do {
      const { body } = await sender.http.get(`${path}/deliveries?limit=3${cursor && `&cursor=${cursor}`}`);
      seen.push(...body.data);
      cursor = body.nextCursor ?? '';
    } while (cursor !== '' && seen.length < 20);
    expect(seen).toEqual(all);
    await end();
  });
});
