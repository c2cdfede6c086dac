// Level: push
import { revokeApiKey } from '#common/access/api-keys.ts';
import { plusMs } from '#common/clock.ts';
import { Event } from '#common/events/event.model.ts';
import { newId } from '#common/ids.ts';
import { createMailJob } from '#common/mail-jobs/create/create-mail-job.ts';
import { MailRequest } from '#common/mail-jobs/model/mail-request.schema.ts';
import { afterEach, describe, eventually, expect, test } from '#test/support/jest.ts';
import { anApplication } from '#test/support/product/application.ts';
import { aSender, type Customer, issuePaths } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { type EventSource, openEventSource } from '#test/support/webhooks/event-source.ts';

describe('the event stream', () => {
  const world = startWorld();
  const open: EventSource[] = [];
  afterEach(() => {
    for (const source of open.splice(0)) source.close();
  });
  async function connect({ key }: Customer, query = '', headers = {}): Promise<EventSource> {
    const source = await openEventSource(`${world.url}/v1/events/stream${query}`, key, headers);
    open.push(source);
    if (source.status === 200) await eventually(() => expect(source.received).not.toEqual([]));
    return source;
  }
  const eventsOf = ({ received }: EventSource) => received.filter(({ event }) => event !== undefined);
  /** Stores an event of a letter with the given stamp. */
  async function store({ organizationId, mode }: Customer, at: Date, subjectId: string = newId('mj')): Promise<string> {
    const _id = newId('evt');
    const body = JSON.stringify({ event: 'MAIL_QUEUED', mailJobId: subjectId });
    await Event.insertMany([{ _id, organizationId, mode, kind: 'MAIL_QUEUED', subjectId, body, at, fannedOutAt: at }]);
    return _id;
  }

  test('sends each event once, in order, with the body of its deliveries', async () => {
    const sender = await aSender(world);
    const stranger = await aSender(world);
    const source = await connect(sender);
    expect(source.status).toBe(200);
    expect(Object.fromEntries(source.headers)).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-request-id': expect.any(String),
      ratelimit: expect.any(String),
    });
    expect(source.received).toEqual([{ retry: '2000', id: expect.stringMatching(/^evt_/) }]);
    await stranger.send();
    const { mailJobId } = (await sender.send({ externalId: 'Ordre № 1 "é"\u2028' })).body;
    await sender.http.post(`/v1/mails/${mailJobId}/simulate`, { to: 'failed' });
    await eventually(() => expect(eventsOf(source)).toHaveLength(2));
    const stored = await Event.find({ subjectId: mailJobId }).sort({ at: 1 }).lean();
    expect(eventsOf(source)).toEqual(stored.map(({ _id, kind, body }) => ({ id: _id, event: kind, data: body })));
  });

  test('resumes 10 s before the last event, by parameter or by header', async () => {
    const customer = await world.customer();
    const now = new Date();
    const at = (s: number) => store(customer, plusMs(now, s * 1_000));
    const [, edge, near, last, missed] = [await at(-20.001), await at(-20), await at(-12), await at(-10), await at(-9)];
    const expected = [edge, near, last, missed];
    for (const source of [
      await connect(customer, `?after=${last}`),
      await connect(customer, '', { 'last-event-id': last }),
      await connect(customer, `?after=${last}`, { 'last-event-id': missed }),
    ]) {
      await eventually(() => expect(eventsOf(source).map(({ id }) => id)).toEqual(expected));
    }
    const news = await at(0);
    for (const source of open) {
      await eventually(() => expect(eventsOf(source).map(({ id }) => id)).toEqual([...expected, news]));
    }
  });

  test('resumes from a position before any event', async () => {
    const customer = await world.customer();
    const first = await connect(customer);
    const position = first.received[0]?.id;
    first.close();
    // Answered although there is nothing to replay.
    const quiet = await openEventSource(`${world.url}/v1/events/stream?after=${position}`, customer.key);
    open.push(quiet);
    await eventually(() => expect(quiet.text()).toBe(': still here\n\n'));
    const missed = await store(customer, new Date());
    const second = await connect(customer, `?after=${position}`);
    await eventually(() => expect(eventsOf(second).map(({ id }) => id)).toEqual([missed]));
  });

  test('has the event of a letter whose commit was delayed, open or resumed', async () => {
    const sender = await aSender(world);
    const source = await connect(sender);
    await sender.send();
    await eventually(() => expect(eventsOf(source)).toHaveLength(1));
    const after = eventsOf(source)[0]?.id;
    const requestedAt = plusMs(new Date(), -60_000);
    const request = MailRequest.parse(await sender.letter());
    const order = { body: request, idempotencyKey: null, owner: sender, credential: { id: sender.keyId, scopes: [] } };
    const { job } = await createMailJob(order, world.services, requestedAt);
    expect(job.queuedAt).toEqual(requestedAt);
    const late = await Event.findOne({ subjectId: job._id }).orFail().lean();
    expect(JSON.parse(late.body).queuedAt).toBe(requestedAt.toISOString());
    await eventually(() => expect(eventsOf(source).map(({ id }) => id)).toEqual([after, late._id]));
    const resumed = await connect(sender, `?after=${after}`);
    await eventually(() => expect(eventsOf(resumed).map(({ id }) => id)).toEqual([after, late._id]));
  });

  test('has no events of other organizations or modes, no older events and no pings', async () => {
    const customer = await world.customer();
    const live = await world.customer({ organizationId: customer.organizationId, mode: 'live' });
    const foreign = await store(live, new Date());
    await store(customer, plusMs(new Date(), -5_000));
    const source = await connect(customer);
    await store(live, new Date());
    await store(await world.customer(), new Date());
    await store(customer, new Date(), 'ping-1');
    const own = await store(customer, new Date());
    await eventually(() => expect(eventsOf(source).map(({ id }) => id)).toEqual([own]));
    // The id of another owner's event only reveals the time in it.
    const resumed = await connect(customer, `?after=${foreign}`);
    await eventually(() => expect(eventsOf(resumed)).toHaveLength(2));
    for (const after of ['x', newId('mj'), `${own.slice(0, -1)}l`]) {
      const refused = await customer.http.get(`/v1/events/stream?after=${after}`);
      expect([refused.status, issuePaths(refused)]).toEqual([400, ['after']]);
    }
  });

  test('ends when its access token or API key is revoked', async () => {
    const customer = await world.customer();
    const app = await anApplication(world);
    const { access_token } = await app.authorize({ organizationId: customer.organizationId });
    const sources = [await connect({ ...customer, key: access_token }), await connect(customer)];
    await app.revoke({ token: access_token });
    await revokeApiKey(customer.keyId, world.revocations, new Date());
    for (const source of sources) await eventually(() => expect(source.hasEnded()).toBe(true));
  });

  test('answers 429 to the eleventh stream of an owner until one is closed', async () => {
    const customer = await world.customer();
    const live = await world.customer({ organizationId: customer.organizationId, mode: 'live' });
    for (let n = 0; n < 10; n += 1) expect((await connect(customer)).status).toBe(200);
    const refused = await customer.http.get('/v1/events/stream');
    expect(refused).toMatchObject({ status: 429, body: { code: 'RATE_LIMITED' } });
    expect(refused.headers.get('retry-after')).toBe('5');
    expect((await connect(live)).status).toBe(200);
    open[0]?.close();
    await eventually(async () => expect((await connect(customer)).status).toBe(200));
    // HEAD does not count as a stream.
    open[1]?.close();
    for (let n = 0; n < 5; n += 1) {
      await eventually(async () => expect((await customer.http.request('HEAD', '/v1/events/stream')).status).toBe(200));
    }
  });
});
