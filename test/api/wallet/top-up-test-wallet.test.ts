// Level: push
import { LedgerEntry } from '#common/wallet/ledger/ledger-entry.model.ts';
import { topUpTestWallet } from '#common/wallet/top-up-test-wallet.ts';
import { describe, expect, test } from '#test/support/jest.ts';
import { type Customer, issuePaths, ledgerOf } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';

const path = '/v1/wallet/test-top-up';

describe('POST /v1/wallet/test-top-up', () => {
  const world = startWorld();
  const topUp = ({ http }: Customer, cents: unknown, key?: string) =>
    http.post(path, { cents }, key === undefined ? {} : { 'idempotency-key': key });

  test('a test top-up returns the wallet and adds a ledger entry', async () => {
    const customer = await world.customer();
    const { status, body } = await topUp(customer, 2_500);
    const { body: wallet } = await customer.http.get('/v1/wallet');
    expect([status, body]).toEqual([200, { ...wallet, balanceCents: 102_500, transactionId: expect.any(String) }]);
    expect((await ledgerOf(customer)).at(-1)).toMatchObject({
      _id: body.transactionId,
      kind: 'top_up',
      amountCents: 2_500,
      balanceAfterCents: 102_500,
    });
    const again = await topUp(customer, 2_500);
    expect([again.body.balanceCents, again.body.transactionId === body.transactionId]).toEqual([105_000, false]);
  });

  test('1 to 10,000,000 cents are 200, any other amount is 400', async () => {
    const customer = await world.customer();
    for (const cents of [1, 10_000_000]) expect([cents, (await topUp(customer, cents)).status]).toEqual([cents, 200]);
    const before = await customer.balanceCents();
    for (const cents of [0, -1, 10_000_001, 1.5, '5', null, true, undefined]) {
      const answer = await topUp(customer, cents);
      expect([cents, answer.status, issuePaths(answer)]).toEqual([cents, 400, ['cents']]);
    }
    expect(await customer.balanceCents()).toBe(before);
  });

  test('a top-up to the exact limit is 200, a cent more is 409, a repeat is still 200', async () => {
    const customer = await world.customer({ balanceCents: 99_999_990 });
    expect((await topUp(customer, 11)).body.code).toBe('LIMIT_REACHED');
    const full = await topUp(customer, 10, 'to-the-limit');
    expect([full.status, full.body.balanceCents]).toEqual([200, 100_000_000]);
    expect((await topUp(customer, 1)).status).toBe(409);
    expect((await topUp(customer, 10, 'to-the-limit')).body).toEqual(full.body);
  });

  test('concurrent top-ups never exceed the limit', async () => {
    const customer = await world.customer({ balanceCents: 99_999_997 });
    const answers = await Promise.all(Array.from({ length: 10 }, () => topUp(customer, 1)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 200, ...Array(7).fill(409)]);
    expect(await customer.balanceCents()).toBe(100_000_000);
  });

  test('ten concurrent repeats of an Idempotency-Key top up once, another amount is 409', async () => {
    const customer = await world.customer();
    const answers = await Promise.all(Array.from({ length: 10 }, () => topUp(customer, 500, 'once')));
    expect(new Set(answers.map(({ status, body }) => `${status} ${body.transactionId}`)).size).toBe(1);
    expect(await customer.balanceCents()).toBe(100_500);
    const other = await topUp(customer, 501, 'once');
    expect([other.status, other.body.code]).toEqual([409, 'IDEMPOTENCY_MISMATCH']);
    // The same key of another organization is a different key.
    const stranger = await world.customer();
    expect((await topUp(stranger, 501, 'once')).status).toBe(200);
    expect(issuePaths(await topUp(customer, 500, ''))).toEqual(['idempotency-key']);
    expect(issuePaths(await topUp(customer, 500, 'k'.repeat(256)))).toEqual(['idempotency-key']);
  });

  test('several processes with one Idempotency-Key and room for one top-up return one entry', async () => {
    // Often enough that one of them reads the entry of another one before the database calls it durable.
    for (let round = 0; round < 20; round += 1) {
      const customer = await world.customer({ balanceCents: 99_999_990 });
      const wanted = { cents: 10, idempotencyKey: 'the-last' };
      const answers = await Promise.all(Array.from({ length: 8 }, () => topUpTestWallet(customer, wanted, new Date())));
      expect(new Set(answers.map(({ transactionId }) => transactionId)).size).toBe(1);
      expect(await customer.balanceCents()).toBe(100_000_000);
    }
  });

  test('a live key is 403 and changes no wallet', async () => {
    const live = await world.customer({ mode: 'live' });
    expect(await topUp(live, 5)).toMatchObject({ status: 403, body: { code: 'FORBIDDEN' } });
    await expect(topUpTestWallet(live, { cents: 5, idempotencyKey: null }, new Date())).rejects.toThrow();
    expect(await live.balanceCents()).toBe(0);
    expect(await LedgerEntry.countDocuments({ walletId: `${live.organizationId}:live` })).toBe(0);
  });
});
