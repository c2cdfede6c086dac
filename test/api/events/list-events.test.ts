// Level: push
import { Event } from '#common/events/event.model.ts';
import { newId } from '#common/ids.ts';
import { beforeAll, describe, expect, openOnce, test } from '#test/support/jest.ts';
import { aSender, issuePaths } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';

describe('GET /v1/events', () => {
  const world = startWorld();
  const sender = openOnce(() => aSender(world));
  const letters: string[] = [];
  beforeAll(async () => {
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

  test('has the events of an owner, newest first', async () => {
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
      itemId: null,
      mode: 'test',
      isTest: false,
      createdAt: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/),
    });
  });

  test('contains only events that match all filters', async () => {
    const all = await list();
    expect(kindsOf(await list('?event=MAIL_FAILED'))).toEqual(['MAIL_FAILED']);
    expect(kindsOf(await list(`?mailJobId=${letters[0]}`))).toEqual(['MAIL_PRINTED', 'MAIL_QUEUED']);
    expect(kindsOf(await list(`?mailJobId=${letters[0]}&event=MAIL_QUEUED`))).toEqual(['MAIL_QUEUED']);
    expect(await list('?mailJobId=unknown')).toEqual([]);
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

  test('pages through events of the same time without gaps or repeats', async () => {
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
  });
});
