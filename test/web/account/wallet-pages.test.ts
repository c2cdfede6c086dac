// Level: push
import { readWallet } from '#common/wallet/wallets.ts';
import { describe, expect, test } from '#test/support/jest.ts';
import { formsOf, startWebHost } from '#test/support/web/web-host.ts';

const path = '/account/wallet';
const topUp = `${path}/test-top-up`;

describe('the pages of the wallet', () => {
  const { world, host } = startWebHost();

  const testBalance = async (organizationId: string) =>
    (await readWallet({ organizationId, mode: 'test' })).balanceCents;

  /** A visitor whose organization has sent a letter that was refunded. */
  async function aSender() {
    const customer = await world.customer({ balanceCents: 5_000 });
    const { body } = await customer.send();
    await customer.send();
    await customer.http.post(`/v1/mails/${body.mailJobId}/simulate`, { to: 'failed' });
    const visitor = await host.signedIn({ organizationId: customer.organizationId });
    return { customer, visitor, mailJobId: body.mailJobId as string };
  }

  test('a top-up form that is submitted twice tops up once', async () => {
    const visitor = await host.signedIn();
    const { organizationId } = visitor.user;
    const before = await testBalance(organizationId);
    const form = formsOf((await visitor.get(path)).text).find(({ action }) => action.endsWith(topUp));
    const fields = { ...form?.hidden, amount: '12,5' };
    for (const answer of [await visitor.post(topUp, fields), await visitor.post(topUp, fields)]) {
      expect([answer.status, answer.location]).toEqual([303, `/en${path}?mode=test&notice=testWalletFilled`]);
    }
    expect(await testBalance(organizationId)).toBe(before + 1_250);
    expect((await visitor.get(`${path}?mode=test`)).text).toContain('€12.50');
  });

  const noAmounts = ['', '0', '-5', '1.234', 'abc', '100000.01'];
  test.each(noAmounts)('the amount "%s" is refused with an error at its field', async (amount) => {
    const visitor = await host.signedIn();
    const before = await testBalance(visitor.user.organizationId);
    const { status, text } = await visitor.send(path, topUp, { amount });
    expect(status).toBe(400);
    expect(text).toContain('id="account-wallet-test-top-up-amount-error"');
    expect(await testBalance(visitor.user.organizationId)).toBe(before);
  });

  test('a threshold can be set, changed and removed, for one wallet at a time', async () => {
    const visitor = await host.signedIn();
    const { organizationId } = visitor.user;
    const low = 'Below your threshold';
    const save = (amount: string) => visitor.send(path, `${path}/test/threshold`, { amount });
    const wrong = await save('12.345');
    expect([wrong.status, wrong.text.match(/amount-error"/g)?.length]).toEqual([400, 2]);
    expect((await save('5000.50')).status).toBe(303);
    expect(await readWallet({ organizationId, mode: 'test' })).toMatchObject({ lowBalanceCents: 500_050 });
    const { text } = await visitor.get(path);
    expect(text.split(low)).toHaveLength(2);
    expect(text).toContain('value="5000.50"');
    expect((await save('')).status).toBe(303);
    expect((await visitor.get(path)).text).not.toContain(low);
  });

  test('transactions are filtered by wallet and kind, and invisible to other organizations', async () => {
    const { visitor, mailJobId } = await aSender();
    const of = async (query: string) => (await visitor.get(`${path}?${query}`)).text.split('<tr').length - 2;
    expect(await of('mode=test&kind=debit')).toBe(2);
    expect(await of('mode=test&kind=refund')).toBe(1);
    expect(await of('mode=test')).toBeGreaterThan(3);
    expect((await visitor.get(`${path}?mode=live`)).text).toContain('No transactions');
    const stranger = await host.signedIn();
    expect((await stranger.get(`${path}?mode=test`)).text).not.toContain(mailJobId);
    expect((await visitor.get(`${path}?mode=nonsense&kind=nonsense`)).status).toBe(200);
  });

  test('page, CSV and JSON of a statement add up to the balance', async () => {
    const { customer, visitor } = await aSender();
    const statements = await visitor.get(`${path}/statements?mode=test`);
    const [, sheet = ''] = /href="\/en(\/account\/wallet\/statements\/test\/\d{4}-\d{2})"/.exec(statements.text) ?? [];
    const json = await visitor.get(`${sheet}?format=json`);
    expect(json.headers.get('content-type')).toContain('application/json');
    const statement = JSON.parse(json.text);
    const sum = statement.lines.reduce((cents: number, line: { amountCents: number }) => cents + line.amountCents, 0);
    expect(statement.openingBalanceCents + sum).toBe(statement.closingBalanceCents);
    expect(statement.closingBalanceCents).toBe(await customer.balanceCents());

    const csv = await visitor.get(`${sheet}?format=csv`);
    expect(csv.headers.get('content-disposition')).toMatch(
      /^attachment; filename="?statement-\d{4}-\d{2}-test\.csv"?$/,
    );
    expect(csv.text.split('\r\n').filter((line) => line.startsWith('line,'))).toHaveLength(statement.lines.length);

    const { text } = await visitor.get(sheet);
    const sums = [...text.matchAll(/<dd class="number">(-?)€([\d,.]+)<\/dd>/g)].map(
      ([, sign, amount = '']) => Math.round(Number(amount.replaceAll(',', '')) * 100) * (sign === '-' ? -1 : 1),
    );
    const closing = sums.pop();
    expect(closing).toBe(statement.closingBalanceCents);
    expect(sums.reduce((left, right) => left + right, 0)).toBe(closing);
    for (const { mailJobId } of statement.lines) expect(text).toContain(mailJobId ?? 'Top-up');
  });

  test('invalid and future months are 404 in every format', async () => {
    const visitor = await host.signedIn();
    for (const month of ['2099-12', '2026-13', 'nonsense']) {
      for (const format of ['', '?format=csv', '?format=json']) {
        const answer = await visitor.get(`${path}/statements/live/${month}${format}`);
        expect([month, format, answer.status]).toEqual([month, format, 404]);
      }
    }
    expect((await visitor.get(`${path}/statements/both/2026-01`)).status).toBe(404);
  });
});
