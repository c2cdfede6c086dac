import { beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '../../common/ids.ts';
import { Event } from '../../common/webhooks/event.model.ts';
import { eventually } from '../support/eventually.ts';
import { openReceiver } from '../support/receiver.ts';
import { aSender, issuePaths, type Sender } from '../support/sender.ts';
import { startWorld } from '../support/world.ts';

describe('the log of events', () => {
  const world = startWorld({ hasWorkers: true, environment: { SANDBOX_STEP_DELAY_S: '3600' } });
  let sender: Sender;
  let letters: string[];
  beforeAll(async () => {
    sender = await aSender(world);
    letters = [];
    for (const to of ['printed', 'failed', 'delivered']) {
      const { mailJobId } = (await sender.send()).body;
      await sender.http.post(`/v1/mails/${mailJobId}/simulate`, { to });
      letters.push(mailJobId);
    }
  });
  type Row = { id: string; event: string; mailJobId: string; createdAt: string };
  async function list(query = ''): Promise<Row[]> {
    const { status, body } = await sender.http.get(`/v1/events${query}`);
    expect([query, status]).toEqual([query, 200]);
    return body.data;
  }
  const kindsOf = (rows: Row[]) => rows.map(({ event }) => event);

  test('given letters, when their events are listed, then newest first, with nothing of another owner', async () => {
    const rows = await list();
    expect(rows.map(({ event, mailJobId }) => [event, mailJobId])).toEqual([
      ['MAIL_DELIVERED', letters[2]],
      ['MAIL_QUEUED', letters[2]],
      ['MAIL_FAILED', letters[1]],
      ['MAIL_QUEUED', letters[1]],
      ['MAIL_PRINTED', letters[0]],
      ['MAIL_QUEUED', letters[0]],
    ]);
    expect(rows[0]).toEqual({
      id: expect.stringMatching(/^evt_[0-9a-z]{26}$/),
      event: 'MAIL_DELIVERED',
      mailJobId: letters[2],
      mode: 'test',
      isTest: false,
      createdAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
    });
    const live = await world.customer({ organizationId: sender.organizationId, mode: 'live' });
    for (const other of [live, await world.customer()]) {
      expect((await other.http.get('/v1/events')).body).toEqual({ data: [], hasMore: false, nextCursor: null });
    }
  });

  test('given filters, when events are listed, then only those that fit all of them come', async () => {
    const all = await list();
    expect(kindsOf(await list('?event=MAIL_FAILED'))).toEqual(['MAIL_FAILED']);
    expect(kindsOf(await list(`?mailJobId=${letters[0]}`))).toEqual(['MAIL_PRINTED', 'MAIL_QUEUED']);
    expect(kindsOf(await list(`?mailJobId=${letters[0]}&event=MAIL_QUEUED`))).toEqual(['MAIL_QUEUED']);
    expect(await list('?mailJobId=nobody')).toEqual([]);
    const [edge = '', wait = ''] = [all[2]?.createdAt, all[4]?.createdAt];
    expect(await list(`?createdAfter=${edge}`)).toEqual(all.filter(({ createdAt }) => createdAt >= edge));
    expect(await list(`?createdBefore=${edge}`)).toEqual(all.filter(({ createdAt }) => createdAt < edge));
    const between = all.filter(({ createdAt }) => createdAt >= wait && createdAt < edge);
    expect(await list(`?createdAfter=${wait}&createdBefore=${edge}`)).toEqual(between);
    for (const query of ['?event=MAIL_LOST', '?createdAfter=yesterday', '?createdBefore=2026-03-02', '?limit=101']) {
      const answer = await sender.http.get(`/v1/events${query}`);
      expect([query, answer.status, issuePaths(answer)]).toEqual([query, 400, [query.slice(1).split('=')[0]]]);
    }
  });

  test('given events of one moment, when they are read page by page, then each comes once, with and without filters', async () => {
    const owner = await world.customer();
    const { organizationId, mode } = owner;
    const at = new Date();
    const rows = Array.from({ length: 7 }, (_, n) => ({
      ...{ _id: newId('evt'), organizationId, mode, kind: n % 2 ? 'MAIL_QUEUED' : 'MAIL_POSTED' },
      ...{ subjectId: newId('mj'), body: '{}', at: n < 5 ? at : new Date(at.getTime() + n), fannedOutAt: at },
    }));
    await Event.insertMany(rows);
    const read = async (filter: string) => {
      const seen: string[] = [];
      let cursor = '';
      do {
        const { status, body } = await owner.http.get(`/v1/events?limit=2${filter}${cursor && `&cursor=${cursor}`}`);
        expect(status).toBe(200);
        seen.push(...body.data.map(({ id }: Row) => id));
        cursor = body.nextCursor ?? '';
      } while (cursor !== '' && seen.length < 20);
      return seen;
    };
    const newestFirst = rows.map(({ _id }) => _id).reverse();
    expect(await read('')).toEqual(newestFirst);
    const posted = rows.filter(({ kind }) => kind === 'MAIL_POSTED').map(({ _id }) => _id);
    expect(await read('&event=MAIL_POSTED')).toEqual(posted.reverse());
    const { nextCursor } = (await owner.http.get('/v1/events?limit=2')).body;
    for (const other of [`event=MAIL_POSTED&cursor=${nextCursor}`, 'cursor=forged']) {
      expect(issuePaths(await owner.http.get(`/v1/events?${other}`))).toEqual(['cursor']);
    }
    expect((await sender.http.get(`/v1/events?limit=2&cursor=${nextCursor}`)).status).toBe(400);
  });

  test('given a webhook and a letter with an address of its own, when their events are read, then with the very body and what became of each delivery', async () => {
    const [hook, own] = [await openReceiver(), await openReceiver()];
    own.answerWith(() => 500);
    const { id: webhookId } = (await sender.http.post('/v1/webhooks', { url: hook.url, events: ['MAIL_QUEUED'] })).body;
    const first = (await sender.send({ externalId: 'Ordre № 1 "é"' })).body.mailJobId;
    const second = (await sender.send({ webhookUrl: own.url })).body.mailJobId;
    const read = async (mailJobId: string) => {
      const [row] = await list(`?mailJobId=${mailJobId}`);
      return (await sender.http.get(`/v1/events/${row?.id}`)).body;
    };
    await eventually(
      async () => {
        expect((await read(first)).deliveries).toMatchObject([{ state: 'delivered' }]);
        expect((await read(second)).deliveries).toMatchObject([{ attemptCount: 1 }]);
      },
      { withinMs: 8_000 },
    );
    const ofHook = await read(first);
    expect(ofHook.body).toBe(hook.received[0]?.raw);
    expect(ofHook.deliveries).toEqual([
      {
        ...{ id: hook.received[0]?.headers['x-service-delivery'], eventId: ofHook.id, event: 'MAIL_QUEUED' },
        ...{ mailJobId: first, webhookId, url: hook.url, state: 'delivered', attemptCount: 1, isManual: false },
        ...{ lastResult: '200', nextAttemptAt: null },
        ...{ createdAt: expect.any(String), updatedAt: expect.any(String) },
      },
    ]);
    const ofOwn = await read(second);
    expect(ofOwn.body).toBe(own.received[0]?.raw);
    expect(ofOwn.deliveries).toMatchObject([{ webhookId: null, url: own.url, state: 'due', lastResult: '500' }]);
    expect(Date.parse(ofOwn.deliveries[0].nextAttemptAt)).toBeGreaterThan(Date.now());
    await Promise.all([hook.close(), own.close()]);
  });

  test('given ids that nobody has or could have, when they are read, then 404', async () => {
    for (const id of [newId('evt'), 'x', newId('mj'), '%FF', 'Stream']) {
      expect(await sender.http.get(`/v1/events/${id}`)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } });
    }
  });
});
