// Level: push
import { newId } from '#common/ids.ts';
import { beforeAll, describe, expect, openOnce, standingClock, test } from '#test/support/jest.ts';
import { aSender, issuePaths } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { post } from '#test/support/wallet/movements.ts';

const path = '/v1/wallet/transactions';
const times = ['2026-01-05T10:00:00.000Z', '2026-01-05T10:00:00.001Z', '2026-02-01T00:00:00.000Z'] as const;

describe('GET /v1/wallet/transactions', () => {
  const clock = standingClock(new Date('2026-01-01T00:00:00.000Z'));
  const world = startWorld({ clock });
  const jobId = newId('mj');
  const customer = openOnce(() => world.customer());
  beforeAll(async () => {
    for (const [index, time] of times.entries()) {
      const [ofJob, ofItem] = index === 1 ? [{ mailJobId: jobId }, { itemId: 'mi_1' }] : [{}, {}];
      const letter = { amountCents: -100 - index, kind: 'debit', ...ofJob } as const;
      await post(customer, [letter, { amountCents: 50, kind: 'refund', ...ofJob, ...ofItem }], new Date(time));
    }
  });

  const amounts = async (query: string): Promise<number[]> => {
    const { status, body } = await customer.http.get(`${path}?${query}`);
    expect([query, status]).toEqual([query, 200]);
    return body.data.map(({ amountCents }: { amountCents: number }) => amountCents);
  };

  test('a letter, its refund, a top-up and an opening balance are listed with their details', async () => {
    const now = standingClock();
    clock.set(now.now());
    const sender = await aSender(world);
    const { mailJobId, totalCents } = (await sender.send()).body;
    const failed = await sender.http.post(`/v1/mails/${mailJobId}/simulate`, { to: 'failed' });
    expect(failed.status).toBe(200);
    const { status, body } = await sender.http.get(path);
    expect([status, body.hasMore, body.nextCursor]).toEqual([200, false, null]);
    const createdAt = now.now().toISOString();
    const itemId = expect.stringMatching(/^mi_/);
    const same = { transactionId: expect.stringMatching(/^txn_/), reason: null, currency: 'EUR', createdAt };
    const row = (fields: object) => ({ ...same, mailJobId: null, itemId: null, reference: null, ...fields });
    const debited = { amountCents: -totalCents, balanceAfterCents: 100_000 - totalCents, mailJobId };
    const refunded = { amountCents: totalCents, balanceAfterCents: 100_000, mailJobId, itemId };
    const opened = { amountCents: 100_000, balanceAfterCents: 100_000, reference: 'opening balance' };
    expect(body.data).toEqual([
      row({ seq: 3, kind: 'refund', ...refunded }),
      row({ seq: 2, kind: 'debit', ...debited }),
      row({ seq: 1, kind: 'top_up', ...opened }),
    ]);
  });

  test.each([
    ['kind=debit', [-102, -101, -100]],
    ['kind=refund', [50, 50, 50]],
    ['kind=top_up', [100_000]],
    ['kind=adjustment', []],
    [`mailJobId=${jobId}`, [50, -101]],
    [`mailJobId=${jobId}&kind=refund`, [50]],
    [`mailJobId=${newId('mj')}`, []],
    [`createdAfter=${times[1]}`, [50, -102, 50, -101]],
    [`createdBefore=${times[1]}`, [50, -100, 100_000]],
    [`createdAfter=${times[0]}&createdBefore=${times[1]}`, [50, -100]],
    ['createdAfter=2026-01-05T11:00:00.001%2B01:00&createdBefore=2026-01-05T11:00:00.002%2B01:00', [50, -101]],
    [`createdAfter=${times[2]}&createdBefore=${times[1]}`, []],
    [`createdAfter=2026-02-01T00:00:00.001Z`, []],
    [`kind=refund&createdAfter=${times[1]}&createdBefore=${times[2]}`, [50]],
  ])('the filter %s returns exactly its transactions, newest first', async (query, expected) => {
    expect(await amounts(query)).toEqual(expected);
  });

  test.each([
    ['kind=tip', 'kind'],
    ['kind=', 'kind'],
    ['mailJobId=abc', 'mailJobId'],
  ])('the invalid query %s is 400 and named', async (query, name) => {
    const answer = await customer.http.get(`${path}?${query}`);
    expect([answer.status, issuePaths(answer)]).toEqual([400, [name]]);
  });

  test('a cursor of another wallet or filter is 400', async () => {
    const other = await world.customer();
    const { body } = await customer.http.get(`${path}?limit=1&kind=debit`);
    for (const [client, query] of [
      [other, 'kind=debit'],
      [customer, 'kind=refund'],
      [customer, ''],
      [customer, `kind=debit&createdAfter=${times[0]}`],
    ] as const) {
      const answer = await client.http.get(`${path}?limit=1&${query}&cursor=${body.nextCursor}`);
      expect([query, answer.status, issuePaths(answer)]).toEqual([query, 400, ['cursor']]);
    }
    expect((await customer.http.get(`${path}?limit=1&kind=debit&cursor=${body.nextCursor}`)).status).toBe(200);
  });

  test('a mail job of another organization lists no transactions', async () => {
    const other = await world.customer();
    const { body } = await other.http.get(`${path}?mailJobId=${jobId}`);
    expect(body).toEqual({ data: [], hasMore: false, nextCursor: null });
  });

  test('times in the ledger never decrease, even if a process clock is behind', async () => {
    const { http, ...owner } = await world.customer();
    const [early, late] = [new Date('2030-01-01T00:00:00.000Z'), new Date('2030-01-01T00:00:01.000Z')];
    await post(owner, [{ amountCents: 1 }], late);
    await post(owner, [{ amountCents: 2 }], early);
    const { data } = (await http.get(`${path}?createdAfter=${late.toISOString()}`)).body;
    expect(data.map(({ amountCents }: { amountCents: number }) => amountCents)).toEqual([2, 1]);
    expect((await http.get('/v1/wallet')).body.updatedAt).toBe(late.toISOString());
  });
});
