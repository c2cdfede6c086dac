// Level: push
import { plusMs } from '#common/clock.ts';
import { newId } from '#common/ids.ts';
import { beforeAll, byLevel, describe, expect, openOnce, test } from '../support/jest.ts';
import { type Answer, aPostalAddress, aSender, issuePaths, type Sender } from '../support/product/customer.ts';
import { startWorld } from '../support/product/world.ts';
import { comeBack } from '../support/production/come-back.ts';
import { sendRaw } from '../support/send-raw.ts';

type List = {
  path: string;
  /** Maximum page size. */
  maxLimit: number;
  /** A query that a cursor of the plain list does not fit. */
  filter: string;
  /** Queries that match the rows of `make`, and are answered by other indexes. */
  matching?: string[];
  /** Creates a row of the list. */
  make(owner: Sender): Promise<Answer>;
};

/** Every list of the API. */
const lists: List[] = [
  {
    path: '/v1/mails',
    maxLimit: 100,
    filter: 'status=queued',
    matching: ['metadata[colour]=red'],
    make: (owner) => owner.send({ metadata: { colour: 'red' } }),
  },
  {
    path: '/v1/addresses',
    maxLimit: 200,
    filter: 'kind=RECIPIENT',
    make: ({ http }) => http.post('/v1/addresses', { kind: 'RECIPIENT', ...aPostalAddress() }),
  },
  {
    path: '/v1/webhooks',
    maxLimit: 100,
    filter: 'status=disabled',
    make: ({ http }) => http.post('/v1/webhooks', { url: 'https://127.0.0.1/x', events: ['MAIL_FAILED'] }),
  },
  {
    path: '/v1/items',
    maxLimit: 100,
    filter: 'updatedAfter=2020-01-01T00:00:00Z',
    make: async (owner) => {
      const answer = await owner.send();
      await comeBack(answer.body.mailJobId, world);
      return answer;
    },
  },
  { path: '/v1/events', maxLimit: 100, filter: 'event=MAIL_FAILED', make: (owner) => owner.send() },
  {
    path: '/v1/wallet/transactions',
    maxLimit: 100,
    filter: 'kind=refund',
    make: ({ http }) => http.post('/v1/wallet/test-top-up', { cents: 1 }),
  },
];

const rows = lists.map((list) => [list.path, list] as const);
/** Every list that can be filtered by creation time, with a query that matches one row. */
const timedLists = ['/v1/mails?', '/v1/events?', '/v1/wallet/transactions?kind=debit&'];

const world = startWorld();

describe('every list', () => {
  const sender = openOnce(() => aSender(world));
  const live = openOnce(() => world.customer({ organizationId: sender.organizationId, mode: 'live' }));
  const stranger = openOnce(() => world.customer());
  beforeAll(async () => {
    for (const { make } of lists) for (const _ of [1, 2, 3]) expect([200, 201]).toContain((await make(sender)).status);
  });
  const idsOf = ({ body }: Answer): string[] =>
    body.data.map((row: Record<string, string>) => row.id ?? row.transactionId ?? row.mailJobId);
  const cursorOf = async (path: string) => (await sender.http.get(`${path}?limit=1`)).body.nextCursor as string;

  test.each(rows)('%s accepts limits within its range and refuses others with 400', async (path, { maxLimit }) => {
    const { length } = idsOf(await sender.http.get(`${path}?limit=${maxLimit}`));
    expect(length).toBeGreaterThanOrEqual(3);
    for (const limit of ['1', '2', '3', String(maxLimit), ' 2', '0002']) {
      const answer = await sender.http.get(`${path}?limit=${encodeURIComponent(limit)}`);
      expect([limit, answer.status, idsOf(answer).length]).toEqual([limit, 200, Math.min(length, Number(limit))]);
    }
    for (const limit of ['0', '-1', String(maxLimit + 1), '1.5', '1e1', '0x1', '', ' ', 'all', '１', '9'.repeat(400)]) {
      const answer = await sender.http.get(`${path}?limit=${encodeURIComponent(limit)}`);
      expect([limit, answer.status, new Set(issuePaths(answer))]).toEqual([limit, 400, new Set(['limit'])]);
    }
  });

  test.each(rows)('%s refuses repeated parameters with 400, even with equal values', async (path, { filter }) => {
    const [name = ''] = filter.split('=');
    for (const [query, at] of [
      ['limit=1&limit=1', 'limit'],
      ['limit=1&limit=2', 'limit'],
      ['limit=1&%6cimit=1', 'limit'],
      [`${filter}&${filter}`, name],
      ['cursor=a&cursor=a', 'cursor'],
      ['limit[]=1', 'limit[]'],
      [`${name}[$ne]=x`, `${name}[$ne]`],
    ]) {
      const answer = await sender.http.get(`${path}?${query}`);
      expect([query, answer.status, new Set(issuePaths(answer))]).toEqual([query, 400, new Set([at])]);
    }
  });

  test.each(rows)('%s refuses forged, changed and foreign cursors with 400', async (path, { filter }) => {
    const cursor = await cursorOf(path);
    const others = lists.filter((other) => other.path !== path).map((other) => cursorOf(other.path));
    const flipped = (at: number) => cursor.slice(0, at) + (cursor[at] === 'A' ? 'Q' : 'A') + cursor.slice(at + 1);
    const forged = [
      ...(await Promise.all(others)),
      ...[flipped(0), flipped(30), flipped(cursor.length - 1), cursor.slice(1), cursor.slice(0, -4)],
      ...[`${cursor}=`, `${cursor}AAAA`, 'x', 'abc', '%00', 'é', 'x'.repeat(1_025)],
      Buffer.from(newId('mj')).toString('base64url'),
    ];
    for (const each of forged) {
      const answer = await sender.http.get(`${path}?cursor=${each}`);
      expect([each, answer.status, new Set(issuePaths(answer))]).toEqual([each, 400, new Set(['cursor'])]);
    }
    const elsewhere = [
      await sender.http.get(`${path}?cursor=${cursor}&${filter}`),
      await live.http.get(`${path}?cursor=${cursor}`),
      await stranger.http.get(`${path}?cursor=${cursor}`),
    ];
    for (const answer of elsewhere) expect([answer.status, issuePaths(answer)]).toEqual([400, ['cursor']]);
  });

  test.each(rows)('%s has no row of another organization or mode', async (path, { filter, matching = [] }) => {
    const own = idsOf(await sender.http.get(path));
    expect(own.length).toBeGreaterThanOrEqual(3);
    for (const query of matching)
      expect(idsOf(await sender.http.get(`${path}?${query}`)).length).toBeGreaterThanOrEqual(3);
    for (const { http } of [live, stranger]) {
      for (const query of ['', filter, ...matching]) {
        const theirs = idsOf(await http.get(`${path}?${query}`));
        expect(theirs.filter((id) => own.includes(id))).toEqual([]);
      }
    }
  });

  test.each(rows)('%s pages through each row once, newest first, while rows are added', async (path, { make }) => {
    for (const _ of [1, 2, 3, 4]) await make(sender);
    const whole = idsOf(await sender.http.get(`${path}?limit=7`));
    expect(whole).toHaveLength(7);
    for (const limit of byLevel({ quick: [3], full: [1, 2, 3, 7] })) {
      const walked: string[] = [];
      let query = `limit=${limit}`;
      while (!walked.includes(whole[6] ?? '')) {
        const page = await sender.http.get(`${path}?${query}`);
        expect([page.status, page.body.hasMore]).toEqual([200, page.body.nextCursor !== null]);
        walked.push(...idsOf(page));
        query = `limit=${limit}&cursor=${page.body.nextCursor}`;
        await make(sender);
      }
      const known = walked.slice(walked.indexOf(whole[0] ?? ''));
      expect([limit, known.slice(0, 7)]).toEqual([limit, whole]);
      expect(new Set(walked).size).toBe(walked.length);
    }
    expect(whole).toEqual([...whole].sort().reverse());
    const nothing = { data: [], hasMore: false, nextCursor: null };
    expect((await live.http.get(path)).body).toEqual(nothing);
    // A new organization has the top-up of its test wallet.
    const foreign = idsOf(await stranger.http.get(path));
    expect(foreign).toHaveLength(path.startsWith('/v1/wallet') ? 1 : 0);
    expect(whole).not.toEqual(expect.arrayContaining([foreign[0] ?? 'none']));
  });

  const paths = [...lists.map(({ path }) => path), '/v1/wallet'];
  test.each(paths)('HEAD of %s returns the headers of GET without a body', async (path) => {
    const ask = (method: string, key: string) =>
      sendRaw(world.url + path, { method, headers: { authorization: `Bearer ${key}` } });
    for (const [key, status] of [
      [sender.key, 200],
      ['wrong', 401],
    ] as const) {
      const [head, get] = [await ask('HEAD', key), await ask('GET', key)];
      expect([head.status, head.body.length, get.status]).toEqual([status, 0, status]);
      expect(head.headers['content-length']).toBe(get.headers['content-length']);
      expect(head.headers['content-type']).toBe(get.headers['content-type']);
    }
  });
});

describe('lists filtered by time', () => {
  const sender = openOnce(() => aSender(world));
  beforeAll(async () => {
    expect((await sender.send()).status).toBe(201);
  });

  test.each(timedLists)('%s filters exactly by createdAfter and createdBefore', async (list) => {
    const rowsOf = async (query: Record<string, string>) => {
      const { status, body } = await sender.http.get(`${list}${new URLSearchParams(query)}`);
      expect([query, status]).toEqual([query, 200]);
      return body.data;
    };
    const [{ createdAt }] = await rowsOf({});
    const finer = (digits: string) => createdAt.replace('Z', `${digits}Z`);
    const elsewhere = plusMs(new Date(createdAt), 90 * 60_000)
      .toISOString()
      .replace('Z', '+01:30');
    const isAfter: [string, number][] = [
      [createdAt, 1],
      [` ${createdAt} `, 1],
      [elsewhere, 1],
      [finer('000'), 1],
      [finer('0001'), 0],
      [plusMs(new Date(createdAt), 1).toISOString(), 0],
    ];
    for (const [moment, count] of isAfter) {
      expect([moment, (await rowsOf({ createdAfter: moment })).length]).toEqual([moment, count]);
      expect([moment, (await rowsOf({ createdBefore: moment })).length]).toEqual([moment, 1 - count]);
    }
    for (const moment of ['', '2026-03-02', '2026-03-02T09:30:00', '2026-02-30T09:30:00Z', elsewhere]) {
      for (const name of ['createdAfter', 'createdBefore']) {
        // Not URL-encoded: the + is decoded as a space.
        const answer = await sender.http.get(`${list}${name}=${moment}`);
        expect([moment, answer.status, issuePaths(answer)]).toEqual([moment, 400, [name]]);
        expect(answer.body.issues[0].message).toContain('%2B');
      }
    }
  });
});
