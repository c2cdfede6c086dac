// Level: ci
import { plusMs } from '#common/clock.ts';
import { Event, type EventRecord } from '#common/events/event.model.ts';
import { newId } from '#common/ids.ts';
import { rowsOf } from '#common/platform/mongo/mongo.ts';
import { Delivery, type DeliveryRecord, deliveryStates } from '#common/webhooks/deliveries/delivery.model.ts';
import { eventually, expect, test } from '#test/support/jest.ts';
import { aLetter } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { type Profiled, startProfiling, stopProfiling } from '#test/support/servers/profiler.ts';
import { openReceiver } from '#test/support/webhooks/receiver.ts';

const world = startWorld({ hasWorkers: true, environment: { SANDBOX_STEP_DELAY_S: '1' } });

/** Stores as many events and deliveries again, most of them processed long ago. */
async function storeHistory(mailJobId: string, count: number): Promise<void> {
  const event = await Event.findOne({ subjectId: mailJobId }).orFail().lean<EventRecord>();
  const delivery = await Delivery.findOne({ mailJobId }).orFail().lean<DeliveryRecord>();
  const rows = Array.from({ length: count }, (_, n) => {
    const [id, at] = [newId('evt'), plusMs(event.at, -n * 60_000)];
    const state = n % 50 === 0 ? ('failed' as const) : ('delivered' as const);
    return [
      { ...event, _id: id, subjectId: newId('mj'), at },
      { ...delivery, _id: newId('whd'), eventId: id, state, nextAttemptAt: null, createdAt: at },
    ] as const;
  });
  await rowsOf<EventRecord>(Event).insertMany(rows.map(([row]) => row));
  await rowsOf<DeliveryRecord>(Delivery).insertMany(rows.map(([, row]) => row));
}

test('every query of the webhook console over a long history uses an index in its order', async () => {
  const receiver = await openReceiver();
  const customer = await world.customer();
  const { http } = customer;
  const events = ['MAIL_QUEUED', 'MAIL_PRINTED', 'MAIL_POSTED', 'MAIL_DELIVERED', 'MAIL_FAILED', 'ITEM_RETURNED'];
  const { id } = (await http.post('/v1/webhooks', { url: receiver.url, events })).body;
  const { mailJobId } = (await http.post('/v1/mails', await aLetter(customer))).body;
  await eventually(() => expect(receiver.received).toHaveLength(3));
  await storeHistory(mailJobId, 1_000);
  await startProfiling();

  const path = `/v1/webhooks/${id}`;
  const read = async (each: string) => {
    const { status, body } = await http.get(each);
    expect([each, status]).toEqual([each, 200]);
    return body;
  };
  const at = new Date().toISOString();
  const page = await read('/v1/events?limit=5');
  const detail = await read(`/v1/events/${page.data[0].id}`);
  for (const query of [
    `limit=5&cursor=${page.nextCursor}`,
    'event=MAIL_POSTED',
    `mailJobId=${mailJobId}`,
    `createdAfter=2020-01-01T00:00:00Z&createdBefore=${at}`,
  ]) {
    await read(`/v1/events?${query}`);
  }
  const deliveries = await read(`${path}/deliveries?limit=5`);
  for (const query of [
    `limit=5&cursor=${deliveries.nextCursor}`,
    'event=MAIL_POSTED',
    `mailJobId=${mailJobId}`,
    ...deliveryStates.map((state) => `status=${state}`),
  ]) {
    await read(`${path}/deliveries?${query}`);
  }
  await http.get('/v1/events/stream');
  await http.get(`/v1/events/stream?after=${page.data[4].id}`);
  await http.patch(path, { description: 'x' });
  await http.post(`${path}/rotate-secret`, { overlapHours: 1 });
  await http.post(`${path}/deliveries/${detail.deliveries[0].id}/redeliver`);
  await http.post(`${path}/redeliver-failed`, { since: plusMs(new Date(), -13 * 24 * 60 * 60 * 1000).toISOString() });
  await http.post(`${path}/ping`);
  const waiting = () => Delivery.countDocuments({ endpointId: id, state: { $in: ['due', 'sending'] } });
  await eventually(async () => expect(await waiting()).toBe(0));
  expect(receiver.received.length).toBeGreaterThanOrEqual(24);
  await http.patch(path, { status: 'disabled' });

  const all = await stopProfiling();
  // A change stream scans the oplog from its position.
  const isChangeStream = ({ originatingCommand }: Profiled) => originatingCommand?.pipeline?.[0]?.$changeStream;
  const scans = all.filter(
    (each) => each.planSummary?.includes('COLLSCAN') && !each.ns.endsWith('.system.profile') && !isChangeStream(each),
  );
  expect(scans.map(({ ns, command }) => [ns, JSON.stringify(command)])).toEqual([]);
  const lists = all.filter(
    ({ op, ns, command }) => op === 'query' && /\.(events|deliveries)$/.test(ns) && command?.sort !== undefined,
  );
  expect(lists.length).toBeGreaterThan(15);
  // The few rows of a letter and waiting deliveries may be sorted. All else is read in index order, page by page.
  const isFew = /subjectId|"eventId"|"state":"(due|sending)"/;
  for (const { command, hasSortStage, docsExamined = 0, planSummary } of lists) {
    const text = JSON.stringify(command?.filter);
    if (!isFew.test(text)) expect([text, planSummary, hasSortStage ?? false]).toEqual([text, planSummary, false]);
    const limit = Number(command?.limit ?? 0);
    expect([text, docsExamined <= Math.max(limit, 100) + 10]).toEqual([text, true]);
  }
  await receiver.close();
});
