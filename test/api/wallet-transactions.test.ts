import { beforeAll, describe, expect, test } from '@jest/globals';
import { newId } from '../../common/ids.ts';
import { standingClock } from '../support/clock.ts';
import type { Customer } from '../support/customer.ts';
import { post } from '../support/movements.ts';
import { aSender, issuePaths, ledgerOf } from '../support/sender.ts';
import { startWorld } from '../support/world.ts';

const path = '/v1/wallet/transactions';
const times = ['2026-01-05T10:00:00.000Z', '2026-01-05T10:00:00.001Z', '2026-02-01T00:00:00.000Z'] as const;

describe('GET /v1/wallet/transactions', () => {
  const clock = standingClock(new Date('2026-01-01T00:00:00.000Z'));
  const world = startWorld({ clock });
  const jobId = newId('mj');
  let customer: Customer;
  beforeAll(async () => {
    customer = await world.customer();
    for (const [index, time] of times.entries()) {
      const letter = { amountCents: -100 - index, kind: 'debit', ...(index === 1 && { mailJobId: jobId }) } as const;
      const back = {
        amountCents: 50,
        kind: 'refund',
        ...(index === 1 && { mailJobId: jobId, itemId: 'mi_1' }),
      } as const;
      await post(customer, [letter, back], new Date(time));
    }
  });

  const amounts = async (query: string): Promise<number[]> => {
    const { status, body } = await customer.http.get(`${path}?${query}`);
    expect([query, status]).toEqual([query, 200]);
    return body.data.map(({ amountCents }: { amountCents: number }) => amountCents);
  };

  test('given a letter, its failure, a top-up and an opening balance, when they are listed, then each tells what it was', async () => {
    // given
    const now = standingClock();
    clock.set(now.now());
    const sender = await aSender(world);
    const { mailJobId, totalCents } = (await sender.send()).body;
    const failed = await sender.http.post(`/v1/mails/${mailJobId}/simulate`, { to: 'failed' });
    expect(failed.status).toBe(200);
    // when
    const { status, body } = await sender.http.get(path);
    // then
    expect([status, body.hasMore, body.nextCursor]).toEqual([200, false, null]);
    const createdAt = now.now().toISOString();
    const rest = { transactionId: expect.stringMatching(/^txn_/), reason: null, currency: 'EUR', createdAt };
    const itemId = expect.stringMatching(/^mi_/);
    expect(body.data).toEqual([
      {
        ...rest,
        seq: 3,
        kind: 'refund',
        amountCents: totalCents,
        balanceAfterCents: 100_000,
        mailJobId,
        itemId,
        reference: null,
      },
      {
        ...rest,
        seq: 2,
        kind: 'debit',
        amountCents: -totalCents,
        balanceAfterCents: 100_000 - totalCents,
        mailJobId,
        itemId: null,
        reference: null,
      },
      {
        ...rest,
        seq: 1,
        kind: 'top_up',
        amountCents: 100_000,
        balanceAfterCents: 100_000,
        mailJobId: null,
        itemId: null,
        reference: 'opening balance',
      },
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
  ])(
    'given the filter %s, when transactions are listed, then exactly those come, newest first',
    async (query, expected) => {
      expect(await amounts(query)).toEqual(expected);
    },
  );

  test.each([
    ['kind=tip', 'kind'],
    ['kind=', 'kind'],
    ['mailJobId=abc', 'mailJobId'],
    ['createdAfter=2026-01-01', 'createdAfter'],
    ['createdAfter=2026-01-05T10:00:00', 'createdAfter'],
    ['createdBefore=2026-02-30T00:00:00Z', 'createdBefore'],
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['cursor=abc', 'cursor'],
  ])('given %s, when transactions are listed, then 400 names it', async (query, name) => {
    const answer = await customer.http.get(`${path}?${query}`);
    expect([answer.status, issuePaths(answer)]).toEqual([400, [name]]);
  });

  test('given pages of every size, when they are walked while new transactions come, then each old one comes once', async () => {
    const seqs = (await ledgerOf(customer)).map(({ seq }) => seq);
    for (const limit of [1, 2, 3, 7]) {
      const seen: number[] = [];
      let cursor = '';
      do {
        const { body } = await customer.http.get(`${path}?limit=${limit}${cursor}`);
        seen.push(...body.data.map(({ seq }: { seq: number }) => seq));
        expect(body.data.length <= limit && body.hasMore === (body.nextCursor !== null)).toBe(true);
        cursor = body.hasMore ? `&cursor=${body.nextCursor}` : '';
        await post(customer, [{ amountCents: 1 }], clock.now());
      } while (cursor !== '');
      expect(seen.slice(seen.indexOf(seqs.length)).toReversed()).toEqual(seqs);
      expect(new Set(seen).size).toBe(seen.length);
    }
  });

  test('given a cursor, when it is used by another wallet or with another filter, then 400', async () => {
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

  test('given a mail job of somebody else, when its transactions are asked for, then none come', async () => {
    const other = await world.customer();
    expect((await other.http.get(`${path}?mailJobId=${jobId}`)).body).toEqual({
      data: [],
      hasMore: false,
      nextCursor: null,
    });
  });

  test('given a process whose clock is behind, when it moves money, then the time of the ledger does not go back', async () => {
    const { http, ...owner } = await world.customer();
    const [early, late] = [new Date('2030-01-01T00:00:00.000Z'), new Date('2030-01-01T00:00:01.000Z')];
    await post(owner, [{ amountCents: 1 }], late);
    await post(owner, [{ amountCents: 2 }], early);
    const { data } = (await http.get(`${path}?createdAfter=${late.toISOString()}`)).body;
    expect(data.map(({ amountCents }: { amountCents: number }) => amountCents)).toEqual([2, 1]);
    expect((await http.get('/v1/wallet')).body.updatedAt).toBe(late.toISOString());
  });
});
