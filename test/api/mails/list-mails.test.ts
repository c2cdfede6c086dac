import { beforeAll, describe, expect, test } from '#test/support/jest.ts';
import { openOnce } from '#test/support/open-once.ts';
import type { Answer } from '#test/support/product/client.ts';
import { startWorld } from '#test/support/product/world.ts';
import { aSender, issuePaths } from '#test/support/webhooks/sender.ts';

type Summary = { mailJobId: string; status: string; createdAt: string };
const idsOf = ({ body }: Answer): string[] => body.data.map(({ mailJobId }: Summary) => mailJobId);

describe('GET /v1/mails', () => {
  const world = startWorld();
  /** Has 25 jobs, sent one after the other. `sent` has the newest first. */
  const sender = openOnce(() => aSender(world));
  let sent: string[];
  beforeAll(async () => {
    sent = [];
    for (let n = 0; n < 25; n += 1) sent.unshift((await sender.send({ externalId: `letter-${n}` })).body.mailJobId);
    for (const id of sent.slice(0, 3)) await sender.http.post(`/v1/mails/${id}/simulate`, { to: 'posted' });
    await sender.http.post(`/v1/mails/${sent[3]}/simulate`, { to: 'failed' });
  });
  const list = (query = '', from = sender) => from.http.get(`/v1/mails${query}`);

  /** Reads all pages of a list by following its cursors. */
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

  test('returns summaries, newest first, twenty per page', async () => {
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
  ])('a limit of %d gives %d pages with each job once', async (limit, pageCount) => {
    const pages = await walk(`limit=${limit}`);
    expect(pages).toHaveLength(pageCount);
    expect(pages.flat()).toEqual(sent);
  });

  test('returns only jobs that match all filters', async () => {
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
    ['status=sent', 'status'],
    ['status=', 'status'],
    ['status=queued&status=posted', 'status'],
    ['externalId=', 'externalId'],
    ['externalId=%20', 'externalId'],
    [`externalId=${'x'.repeat(256)}`, 'externalId'],
    ['externalId=a%00b', 'externalId'],
    ['cursor=', 'cursor'],
    ['page=2', 'page'],
    ['__proto__=1', '__proto__'],
    ['constructor=1', 'constructor'],
  ])('the query %s is refused, and 400 names %s', async (query, path) => {
    const answer = await list(`?${query}`);
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_ERROR' } });
    expect(new Set(issuePaths(answer))).toEqual(new Set([path]));
  });

  test('the limit may change between pages, and another key of the owner may read on', async () => {
    const cursor = (await list('?limit=5')).body.nextCursor;
    const secondKey = { ...sender, ...(await world.customer({ organizationId: sender.organizationId })) };
    for (const from of [sender, secondKey])
      expect(idsOf(await list(`?cursor=${cursor}&limit=2`, from))).toEqual(sent.slice(5, 7));
  });

  test('jobs of other organizations or modes are not listed', async () => {
    const live = await world.customer({ organizationId: sender.organizationId, mode: 'live' });
    for (const other of [await world.customer(), live]) {
      expect((await other.http.get('/v1/mails?externalId=letter-1')).body.data).toEqual([]);
      expect((await other.http.get('/v1/mails')).body).toEqual({ data: [], hasMore: false, nextCursor: null });
    }
  });
});
