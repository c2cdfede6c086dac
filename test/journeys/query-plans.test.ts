import { beforeAll, describe, expect, test } from '@jest/globals';
import mongoose from 'mongoose';
import { plusMs } from '../../common/clock.ts';
import { newId } from '../../common/ids.ts';
import { MailJob, type MailJobRecord } from '../../common/mail-jobs/mail-job.model.ts';
import { removeExpiredUploads } from '../../common/uploads/remove-expired-uploads.ts';
import { Delivery, type DeliveryRecord, deliveryStates } from '../../common/webhooks/delivery.model.ts';
import { Event, type EventRecord } from '../../common/webhooks/event.model.ts';
import { aLetter } from '../support/builders.ts';
import { eventually } from '../support/eventually.ts';
import { openReceiver } from '../support/receiver.ts';
import { startWorld } from '../support/world.ts';

/** One line of MongoDB's profiler. */
type Profiled = {
  ns: string;
  op: string;
  planSummary?: string;
  docsExamined?: number;
  hasSortStage?: boolean;
  command?: Record<string, unknown>;
};

/** Read whole on purpose: the history of migrations, a handful of rows, once at start. */
const readWhole = ['migrations', 'system.profile'];

describe('the queries of the product', () => {
  const world = startWorld({ hasWorkers: true, environment: { SANDBOX_STEP_DELAY_S: '1' } });

  beforeAll(async () => {
    // Every operation of this world's database is written down from here on.
    await mongoose.connection.db?.command({ profile: 2 });
  });

  /** As many letters again: with a handful every index is as good as any other. */
  async function storeCopies(mailJobId: string, count: number): Promise<void> {
    const { externalId: _, ...job } = await MailJob.findById(mailJobId).orFail().lean<MailJobRecord>();
    await MailJob.insertMany(Array.from({ length: count }, () => ({ ...job, _id: newId('mj'), due: {} })));
  }

  /** As many events and deliveries again, most of them taken long ago. */
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
    await Event.insertMany(rows.map(([row]) => row));
    await Delivery.insertMany(rows.map(([, row]) => row));
  }

  test('given a long history, when events and deliveries are looked at, repeated and streamed, then each query walks an index in its order', async () => {
    // given
    const receiver = await openReceiver();
    const customer = await world.customer();
    const { http } = customer;
    const events = ['MAIL_QUEUED', 'MAIL_PRINTED', 'MAIL_POSTED', 'MAIL_DELIVERED', 'MAIL_FAILED'];
    const { id } = (await http.post('/v1/webhooks', { url: receiver.url, events })).body;
    const { mailJobId } = (await http.post('/v1/mails', await aLetter(customer))).body;
    await eventually(() => expect(receiver.received).toHaveLength(3), { withinMs: 15_000 });
    await storeHistory(mailJobId, 1_000);
    await mongoose.connection.db?.command({ profile: 0 });
    await mongoose.connection.collection('system.profile').drop();
    await mongoose.connection.db?.command({ profile: 2 });
    // when
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
      ...deliveryStates.map((state) => `state=${state}`),
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
    await eventually(() => expect(receiver.received.length).toBeGreaterThanOrEqual(25), { withinMs: 15_000 });
    await http.patch(path, { status: 'disabled' });
    // then
    await mongoose.connection.db?.command({ profile: 0 });
    const all = await mongoose.connection.collection<Profiled>('system.profile').find().toArray();
    const scans = all.filter(
      ({ ns, planSummary }) => planSummary?.includes('COLLSCAN') && !ns.endsWith('.system.profile'),
    );
    expect(scans.map(({ ns, command }) => [ns, JSON.stringify(command)])).toEqual([]);
    const lists = all.filter(
      ({ op, ns, command }) => op === 'query' && /\.(events|deliveries)$/.test(ns) && command?.sort !== undefined,
    );
    expect(lists.length).toBeGreaterThan(15);
    // A letter's few, and what waits, may be sorted; everything else is read in order, as far as the page goes.
    const isFew = /subjectId|"eventId"|"state":"(due|sending)"/;
    for (const { command, hasSortStage, docsExamined = 0, planSummary } of lists) {
      const text = JSON.stringify(command?.filter);
      if (!isFew.test(text)) expect([text, planSummary, hasSortStage ?? false]).toEqual([text, planSummary, false]);
      const limit = Number(command?.limit ?? 0);
      expect([text, docsExamined <= Math.max(limit, 100) + 10]).toEqual([text, true]);
    }
    await receiver.close();
  }, 60_000);

  test('given the whole life of letters and every list with every filter, when the plans are looked at, then none scans a collection', async () => {
    const receiver = await openReceiver();
    const customer = await world.customer();
    const { http } = customer;
    const events = ['MAIL_QUEUED', 'MAIL_PRINTED', 'MAIL_POSTED', 'MAIL_DELIVERED', 'MAIL_FAILED'];
    const webhook = await http.post('/v1/webhooks', { url: receiver.url, events });
    const address = { kind: 'SENDER', name: 'Bo', line1: 'Kerkstraat 2', zip: '9000', city: 'Gent', country: 'BE' };
    const entry = await http.post('/v1/addresses', { ...address, isDefault: true });
    const registered = await aLetter(customer, { serviceType: 'registered', externalId: 'plan' });
    const { body: mail } = await http.post('/v1/mails', registered);
    await storeCopies(mail.mailJobId, 500);
    await http.post('/v1/mails', registered);
    const failing = await http.post('/v1/mails', await aLetter(customer), { 'idempotency-key': 'plan' });
    await http.post(`/v1/mails/${failing.body.mailJobId}/simulate`, { to: 'failed' });
    await eventually(() => expect(receiver.received).toHaveLength(6), { withinMs: 15_000 });
    const { body: page } = await http.get('/v1/mails?limit=1');
    const reads = [
      '/v1/mails',
      `/v1/mails?limit=1&cursor=${page.nextCursor}`,
      '/v1/mails?status=delivered',
      '/v1/mails?externalId=plan',
      '/v1/mails?externalId=plan&status=queued',
      `/v1/mails/${mail.mailJobId}`,
      '/v1/webhooks',
      '/v1/webhooks?status=disabled',
      '/v1/addresses',
      '/v1/addresses?kind=SENDER',
      '/v1/addresses?q=gent',
      `/v1/addresses/${entry.body.id}`,
      '/v1/wallet',
    ];
    for (const path of reads) expect(await http.get(path)).toMatchObject({ status: 200 });
    await http.patch(`/v1/addresses/${entry.body.id}`, { isDefault: false });
    await http.delete(`/v1/addresses/${entry.body.id}`);
    await http.delete(`/v1/webhooks/${webhook.body.id}`);
    await removeExpiredUploads(world.store, plusMs(new Date(), 30 * 24 * 60 * 60 * 1000));

    await mongoose.connection.db?.command({ profile: 0 });
    const all = await mongoose.connection.collection<Profiled>('system.profile').find().toArray();
    expect(all.length).toBeGreaterThan(200);
    const scans = all.filter(({ ns, planSummary }) => {
      const collection = ns.slice(ns.indexOf('.') + 1);
      return planSummary?.includes('COLLSCAN') && !readWhole.includes(collection);
    });
    expect(scans.map(({ ns, command }) => [ns, JSON.stringify(command)])).toEqual([]);
    // Any index with the owner in front would hide that these look at all of an owner's letters.
    for (const field of ['externalId', 'idempotencyKey']) {
      // Looked up when a letter is sent; the list's own order may make another index the better one.

      const plans = all.flatMap(({ command, planSummary }) =>
        typeof command?.filter === 'object' && command.filter !== null && field in command.filter && !command.sort
          ? [planSummary]
          : [],
      );
      expect(plans.length).toBeGreaterThan(0);
      for (const plan of plans) expect(plan).toContain(`${field}: 1`);
    }
    await receiver.close();
  }, 40_000);
});
