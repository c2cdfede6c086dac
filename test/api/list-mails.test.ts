import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Answer } from '../support/client.ts';
import { aSender, issuePaths, type Sender } from '../support/sender.ts';
import { startWorld } from '../support/world.ts';

type Summary = { mailJobId: string; status: string; createdAt: string };
const idsOf = ({ body }: Answer): string[] => body.data.map(({ mailJobId }: Summary) => mailJobId);

describe('GET /v1/mails', () => {
  const world = startWorld();
  /** Has 25 jobs, sent one after the other; the newest comes first here. */
  let sender: Sender;
  let sent: string[];
  beforeAll(async () => {
    sender = await aSender(world);
    sent = [];
    for (let n = 0; n < 25; n += 1) sent.unshift((await sender.send({ externalId: `letter-${n}` })).body.mailJobId);
    for (const id of sent.slice(0, 3)) await sender.http.post(`/v1/mails/${id}/simulate`, { to: 'posted' });
    await sender.http.post(`/v1/mails/${sent[3]}/simulate`, { to: 'failed' });
  });
  const list = (query = '', from = sender) => from.http.get(`/v1/mails${query}`);

  /** All pages of a list, by its own cursors. */
  async function walk(query: string, onPage: () => Promise<void> = async () => {}): Promise<string[][]> {
    const pages: string[][] = [];
    let cursor = '';
    do {
      const answer = await list(`?${query}${cursor && `&cursor=${cursor}`}`);
      expect(answer.status).toBe(200);
      expect(answer.body.hasMore).toBe(answer.body.nextCursor !== null);
      pages.push(idsOf(answer));
      cursor = answer.body.nextCursor ?? '';
      await onPage();
    } while (cursor !== '' && pages.length < 100);
    return pages;
  }

  test('given jobs, when they are listed, then they come newest first, twenty at a time, as summaries', async () => {
    const answer = await list();
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body).sort()).toEqual(['data', 'hasMore', 'nextCursor']);
    expect(idsOf(answer)).toEqual(sent.slice(0, 20));
    expect(answer.body.data[10]).toEqual({
      mailJobId: sent[10],
      externalId: 'letter-14',
      status: 'queued',
      mode: 'test',
      zone: 'NATIONAL',
      serviceType: 'standard',
      pages: 1,
      color: false,
      acknowledgmentReceipt: false,
      recipientCount: 1,
      currency: 'EUR',
      totalCents: 221,
      scheduledDropAt: null,
      dropAt: expect.any(String),
      metadata: {},
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    });
  });

  test.each([
    [1, 25],
    [7, 4],
    [24, 2],
    [25, 1],
    [100, 1],
  ])(
    'given a limit of %d, when all pages are read, then there are %d, with each job once',
    async (limit, pageCount) => {
      const pages = await walk(`limit=${limit}`);
      expect(pages).toHaveLength(pageCount);
      expect(pages.flat()).toEqual(sent);
    },
  );

  test('given a reader between two pages, when new jobs arrive, then the pages after it are those of before', async () => {
    const busy = await aSender(world);
    const first: string[] = [];
    for (let n = 0; n < 6; n += 1) first.unshift((await busy.send()).body.mailJobId);
    const pages = [await list('?limit=2', busy)];
    while (pages.at(-1)?.body.hasMore) {
      await Promise.all([busy.send(), busy.send(), busy.send()]);
      pages.push(await list(`?limit=2&cursor=${pages.at(-1)?.body.nextCursor}`, busy));
    }
    expect(pages.flatMap(idsOf)).toEqual(first);
  });

  test('given filters, when jobs are listed, then only those that fit all of them come', async () => {
    expect(idsOf(await list('?status=posted'))).toEqual(sent.slice(0, 3));
    expect(idsOf(await list('?status=failed'))).toEqual(sent.slice(3, 4));
    expect((await walk('status=queued&limit=10')).flat()).toEqual(sent.slice(4));
    expect(idsOf(await list('?status=delivered'))).toEqual([]);
    expect(idsOf(await list('?externalId=letter-24'))).toEqual(sent.slice(0, 1));
    expect(idsOf(await list('?externalId=%20letter-24%20'))).toEqual(sent.slice(0, 1));
    expect(idsOf(await list('?externalId=letter-24&status=posted'))).toEqual(sent.slice(0, 1));
    expect(idsOf(await list('?externalId=letter-24&status=queued'))).toEqual([]);
    expect(idsOf(await list('?externalId=letter-2'))).toEqual(sent.slice(22, 23));
    expect((await list('?externalId=letter')).body).toEqual({ data: [], hasMore: false, nextCursor: null });
  });

  test.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=', 'limit'],
    ['limit=abc', 'limit'],
    ['limit=1.5', 'limit'],
    ['limit=-1', 'limit'],
    ['limit=1e1', 'limit'],
    ['limit=0x10', 'limit'],
    ['limit=5&limit=5', 'limit'],
    ['status=sent', 'status'],
    ['status=', 'status'],
    ['status=queued&status=posted', 'status'],
    ['status[$ne]=queued', 'status[$ne]'],
    ['externalId=', 'externalId'],
    ['externalId=%20', 'externalId'],
    [`externalId=${'x'.repeat(256)}`, 'externalId'],
    ['externalId=a%00b', 'externalId'],
    ['cursor=', 'cursor'],
    ['page=2', 'page'],
    ['__proto__=1', '__proto__'],
    ['constructor=1', 'constructor'],
  ])('given the query %s, when jobs are listed, then 400 names %s', async (query, path) => {
    const answer = await list(`?${query}`);
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
    expect(new Set(issuePaths(answer))).toEqual(new Set([path]));
  });

  test('given a cursor that was made up or changed, when it is sent, then 400 at cursor', async () => {
    const cursor: string = (await list('?limit=5')).body.nextCursor;
    const flipped = (at: number) => cursor.slice(0, at) + (cursor[at] === 'A' ? 'B' : 'A') + cursor.slice(at + 1);
    const forged = ['abc', sent[3] as string, cursor.slice(0, -4), `${cursor}AAAA`, flipped(0), flipped(30), 'é'];
    for (const each of [...forged, Buffer.from(sent[3] as string).toString('base64url'), '%00', 'x'.repeat(1_025)]) {
      const answer = await list(`?cursor=${each.startsWith('%') ? each : encodeURIComponent(each)}`);
      expect([each, answer.status, answer.body.code]).toEqual([each, 400, 'VALIDATION_ERROR']);
      expect(new Set(issuePaths(answer))).toEqual(new Set(['cursor']));
    }
  });

  test('given a cursor of another list, when it is sent here, then 400 at cursor; another limit is no other list', async () => {
    // given
    const cursor = (await list('?limit=5')).body.nextCursor;
    const ofStatus = (await list('?limit=2&status=queued')).body.nextCursor;
    const { organizationId } = sender;
    const stranger = await aSender(world);
    const live = await aSender(world, { organizationId, mode: 'live' });
    const secondKey = { ...sender, ...(await world.customer({ organizationId })) };
    for (const n of [1, 2])
      await sender.http.post('/v1/webhooks', { url: `https://127.0.0.1/${n}`, events: ['MAIL_FAILED'] });
    const ofWebhooks = (await sender.http.get('/v1/webhooks?limit=1')).body.nextCursor;
    // when
    const refused = [
      await list(`?cursor=${cursor}`, stranger),
      await list(`?cursor=${cursor}`, live),
      await list(`?cursor=${cursor}&status=queued`),
      await list(`?cursor=${cursor}&externalId=letter-1`),
      await list(`?cursor=${ofStatus}`),
      await list(`?cursor=${ofStatus}&status=posted`),
      await list(`?cursor=${ofWebhooks}`),
    ];
    // then
    for (const answer of refused) expect([answer.status, issuePaths(answer)]).toEqual([400, ['cursor']]);
    expect(ofWebhooks).not.toBeNull();
    expect(idsOf(await list(`?cursor=${cursor}&limit=2`))).toEqual(sent.slice(5, 7));
    expect(idsOf(await list(`?cursor=${cursor}&limit=2`, secondKey))).toEqual(sent.slice(5, 7));
  });

  test('given jobs of one organization and mode, when others list theirs, then they see none of them', async () => {
    const live = await world.customer({ organizationId: sender.organizationId, mode: 'live' });
    for (const other of [await world.customer(), live]) {
      expect((await other.http.get('/v1/mails?externalId=letter-1')).body.data).toEqual([]);
      expect((await other.http.get('/v1/mails')).body).toEqual({ data: [], hasMore: false, nextCursor: null });
    }
  });
});
