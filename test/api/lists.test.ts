import { beforeAll, describe, expect, test } from '@jest/globals';
import { aPostalAddress } from '../support/builders.ts';
import type { Answer } from '../support/client.ts';
import type { Customer } from '../support/customer.ts';
import { sendRaw } from '../support/send-raw.ts';
import { aSender, issuePaths, type Sender } from '../support/sender.ts';
import { startWorld } from '../support/world.ts';

type List = {
  path: string;
  /** The largest number of rows in a page. */
  maxLimit: number;
  /** A query that is another list, and what makes a row of this one. */
  filter: string;
  make(owner: Sender): Promise<Answer>;
};

/** Every list of the API. */
const lists: List[] = [
  {
    path: '/v1/mails',
    maxLimit: 100,
    filter: 'status=queued',
    make: (owner) => owner.send(),
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
];
const rows = lists.map((list) => [list.path, list] as const);

describe('every list', () => {
  const world = startWorld();
  let sender: Sender;
  let live: Customer;
  let stranger: Customer;
  beforeAll(async () => {
    sender = await aSender(world);
    live = await world.customer({ organizationId: sender.organizationId, mode: 'live' });
    stranger = await world.customer();
    for (const { make } of lists) for (const _ of [1, 2, 3]) expect((await make(sender)).status).toBe(201);
  });
  const idsOf = ({ body }: Answer): string[] =>
    body.data.map(({ id, mailJobId = id }: { id?: string; mailJobId?: string }) => mailJobId);
  const cursorOf = async (path: string) => (await sender.http.get(`${path}?limit=1`)).body.nextCursor as string;

  test.each(rows)(
    'given a limit at its edges, when %s is asked, then the inside is taken and the outside 400',
    async (path, { maxLimit }) => {
      for (const limit of ['1', '2', '3', String(maxLimit), ' 2', '0002']) {
        const answer = await sender.http.get(`${path}?limit=${encodeURIComponent(limit)}`);
        expect([limit, answer.status, idsOf(answer).length]).toEqual([limit, 200, Math.min(3, Number(limit))]);
      }
      for (const limit of [
        '0',
        '-1',
        String(maxLimit + 1),
        '1.5',
        '1e1',
        '0x1',
        '',
        ' ',
        'all',
        '１',
        '9'.repeat(400),
      ]) {
        const answer = await sender.http.get(`${path}?limit=${encodeURIComponent(limit)}`);
        expect([limit, answer.status, new Set(issuePaths(answer))]).toEqual([limit, 400, new Set(['limit'])]);
      }
    },
  );

  test.each(rows)(
    'given a parameter twice, when %s is asked, then 400 names it, even when both say the same',
    async (path, { filter }) => {
      const [name = ''] = filter.split('=');
      for (const [query, at] of [
        ['limit=1&limit=1', 'limit'],
        ['limit=1&%6cimit=1', 'limit'],
        [`${filter}&${filter}`, name],
        ['cursor=a&cursor=a', 'cursor'],
        ['limit[]=1', 'limit[]'],
        [`${name}[$ne]=x`, `${name}[$ne]`],
      ]) {
        const answer = await sender.http.get(`${path}?${query}`);
        expect([query, answer.status, new Set(issuePaths(answer))]).toEqual([query, 400, new Set([at])]);
      }
    },
  );

  test.each(rows)(
    'given a cursor that was made up, changed or made for another list, when %s is asked, then 400 at cursor',
    async (path, { filter }) => {
      const cursor = await cursorOf(path);
      const others = lists.filter((other) => other.path !== path).map((other) => cursorOf(other.path));
      const changed = cursor.slice(0, -1) + (cursor.endsWith('A') ? 'Q' : 'A');
      const forged = [
        ...(await Promise.all(others)),
        changed,
        `${cursor}=`,
        cursor.slice(1),
        'x',
        '%00',
        'x'.repeat(1_025),
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
    },
  );

  test.each(rows)(
    'given pages of one, when %s is walked while rows are made and read by others, then each comes once, newest first',
    async (path, { make }) => {
      const whole = idsOf(await sender.http.get(`${path}?limit=3`));
      const walked: string[] = [];
      let query = 'limit=1';
      for (const _ of whole) {
        const page = await sender.http.get(`${path}?${query}`);
        walked.push(...idsOf(page));
        query = `limit=1&cursor=${page.body.nextCursor}`;
        await make(sender);
      }
      expect(walked).toEqual(whole);
      expect(whole).toEqual([...whole].sort().reverse());
      const nothing = { data: [], hasMore: false, nextCursor: null };
      for (const { http } of [live, stranger]) expect((await http.get(path)).body).toEqual(nothing);
    },
  );

  test.each([...lists.map(({ path }) => path), '/v1/wallet'])(
    'given HEAD, when %s is asked, then the headers of GET come alone',
    async (path) => {
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
    },
  );
});
