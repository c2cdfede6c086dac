// Level: push
import { dayAt } from '#common/calendar.ts';
import { entryKinds } from '#common/wallet/ledger/ledger-entry.model.ts';
import { walletIdOf } from '#common/wallet/ledger/move-money.ts';
import { StatementView } from '#common/wallet/statements/statement.view.ts';
import { readStatementSummary } from '#common/wallet/statements/statement-summary.ts';
import { describe, expect, standingClock, test } from '#test/support/jest.ts';
import { aSender, type Customer, ledgerOf } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { sendRaw } from '#test/support/send-raw.ts';
import { post } from '#test/support/wallet/movements.ts';

const path = (month: string) => `/v1/wallet/statements/${month}`;
type Line = { kind: string; amountCents: number; balanceAfterCents: number };

describe('GET /v1/wallet/statements/{month}', () => {
  const clock = standingClock(new Date('2026-01-20T12:00:00.000Z'));
  const world = startWorld({ clock });

  /** Returns the statement after checking it against its schema and its totals. */
  async function statement(customer: Customer, month: string): Promise<StatementView> {
    const { status, body } = await customer.http.get(path(month));
    expect([month, status]).toEqual([month, 200]);
    expect(StatementView.parse(body)).toEqual(body);
    const lines: Line[] = body.lines;
    expect(lines.reduce((sum, line) => sum + line.amountCents, body.openingBalanceCents)).toBe(
      body.closingBalanceCents,
    );
    expect(lines.at(-1)?.balanceAfterCents ?? body.openingBalanceCents).toBe(body.closingBalanceCents);
    expect(await summary(customer, month)).toEqual({
      ...body,
      lines: lines.slice(0, 2),
      lineCount: lines.length,
      sumsCents: Object.fromEntries(
        entryKinds.map((kind) => {
          const ofKind = lines.filter((line) => line.kind === kind);
          return [kind, ofKind.reduce((sum, { amountCents }) => sum + amountCents, 0)];
        }),
      ),
    });
    return body;
  }
  /** Returns the summary shown in the account area, which the database totals. */
  const summary = (customer: Customer, month: string) =>
    readStatementSummary(customer, month, clock.now(), { maxLines: 2 });

  test('months are those of Brussels, and each month opens with the last closing balance', async () => {
    clock.set(new Date('2026-01-20T12:00:00.000Z'));
    const customer = await world.customer();
    const edges = [
      '2026-02-28T22:59:59.999Z',
      '2026-02-28T23:00:00.000Z',
      '2026-03-31T21:59:59.999Z',
      '2026-03-31T22:00:00.000Z',
    ];
    for (const [index, edge] of edges.entries())
      await post(customer, [{ amountCents: -(10 ** index) }], new Date(edge));
    clock.set(new Date('2026-06-02T00:00:00.000Z'));
    const months = [];
    for (const month of ['2025-12', '2026-01', '2026-02', '2026-03', '2026-04', '2026-05', '2026-06']) {
      months.push(await statement(customer, month));
    }
    expect(months.map(({ lines }) => lines.map(({ amountCents }) => amountCents))).toEqual([
      [],
      [100_000],
      [-1],
      [-10, -100],
      [-1_000],
      [],
      [],
    ]);
    expect(months.map(({ openingBalanceCents }) => openingBalanceCents).slice(1)).toEqual(
      months.map(({ closingBalanceCents }) => closingBalanceCents).slice(0, -1),
    );
    expect(months[3]).toMatchObject({
      month: '2026-03',
      mode: 'test',
      currency: 'EUR',
      startsAt: '2026-02-28T23:00:00.000Z',
      endsAt: '2026-03-31T22:00:00.000Z',
      isFinal: true,
      openingBalanceCents: 99_999,
      vat: [],
      closingBalanceCents: 99_889,
    });
    expect(months.map(({ isFinal }) => isFinal)).toEqual([true, true, true, true, true, true, false]);
  });

  test('a month is 404 before it starts and final a minute after it ends', async () => {
    const { http } = await world.customer();
    const ask = async (time: string) => {
      clock.set(new Date(time));
      const { status, body } = await http.get(path('2027-04'));
      return status === 200 ? body.isFinal : [status, body.code];
    };
    expect(await ask('2027-03-31T21:59:59.999Z')).toEqual([404, 'NOT_FOUND']);
    expect(await ask('2027-03-31T22:00:00.000Z')).toBe(false);
    expect(await ask('2027-04-30T22:00:59.999Z')).toBe(false);
    expect(await ask('2027-04-30T22:01:00.000Z')).toBe(true);
    const noMonths = ['2026-13', '2026-00', '2026-1', '26-01', '1999-12', '2026-01-01', 'now'];
    for (const month of [...noMonths, '2026-01%20', '%FF', '2026%2F01']) {
      const answer = await http.get(path(month));
      expect([month, answer.status, answer.body.code]).toEqual([month, 404, 'NOT_FOUND']);
    }
  });

  test('VAT of two rates and a refund adds up with the ledger', async () => {
    clock.set(new Date());
    const sender = await aSender(world);
    const three = Array.from({ length: 3 }, (_, n) => ({ ...recipient, name: `Ada ${n}` }));
    const kept = (await sender.send({ recipients: three, serviceType: 'registered', pages: 1 })).body;
    const { mailJobId } = (await sender.send({ recipients: three })).body;
    await sender.http.post(`/v1/mails/${mailJobId}/simulate`, { to: 'failed' });
    const month = dayAt(new Date()).toPlainYearMonth().toString();
    const read = await statement(sender, month);
    const expected = kept.amounts.vat.map((rate: { netCents: number; vatCents: number }) => ({
      ...rate,
      grossCents: rate.netCents + rate.vatCents,
    }));
    expect(read.vat).toEqual(expected);
    expect(read.vat).toHaveLength(2);
  });

  test('a month of several batches is complete and in order, as JSON and CSV', async () => {
    clock.set(new Date('2026-08-01T12:00:00.000Z'));
    const customer = await world.customer();
    const vat = (cents: number) => [{ percent: 21, netCents: -cents, vatCents: -1 }];
    const debits = Array.from({ length: 2_001 }, (_, n) => ({ amountCents: -(n % 7) - 1, vat: vat(n % 7) }));
    await post(customer, debits, clock.now());
    const { lines, vat: rates } = await statement(customer, '2026-08');
    expect(lines.map(({ seq }) => seq)).toEqual((await ledgerOf(customer)).map(({ seq }) => seq));
    const netCents = debits.reduce((sum, { vat: [part] }) => sum - (part?.netCents ?? 0), 0);
    expect(rates).toEqual([{ percent: 21, netCents, vatCents: 2_001, grossCents: netCents + 2_001 }]);
    const csv = await raw(customer, '?format=csv');
    expect(csv.body.toString().match(/^line,/gm)).toHaveLength(2_002);
  });

  const raw = (customer: Customer, query: string, headers: Record<string, string> = {}, method = 'GET') =>
    sendRaw(`${world.url}${path('2026-08')}${query}`, {
      method,
      headers: { authorization: `Bearer ${customer.key}`, ...headers },
    });

  test('in CSV, references that look like formulas are text and numbers are numbers', async () => {
    clock.set(new Date('2026-08-03T12:00:00.000Z'));
    const customer = await world.customer({ mode: 'live' });
    const walletId = walletIdOf(customer);
    const topUp = { amountCents: 500, key: `top_up:${walletId}:=1+1,"x"` };
    const adjustment = {
      amountCents: -20,
      kind: 'adjustment',
      key: `adjustment:${walletId}:case 1`,
      reason: '@late; -5',
    } as const;
    await post(customer, [topUp, adjustment], clock.now());
    const [first, second] = await ledgerOf(customer);
    const { status, headers, body } = await raw(customer, '?format=csv');
    expect(status).toBe(200);
    expect(headers['content-type']).toBe('text/csv; charset=utf-8');
    expect(headers['content-disposition']).toBe('attachment; filename=statement-2026-08-live.csv');
    expect(body.toString().split('\r\n')).toEqual([
      'record,createdAt,seq,transactionId,kind,amountCents,balanceCents,mailJobId,itemId,reference,reason,vatPercent,netCents,vatCents,grossCents',
      'opening,2026-07-31T22:00:00.000Z,,,,,0,,,,,,,,',
      `line,2026-08-03T12:00:00.000Z,1,${first?._id},top_up,500,500,,,"'=1+1,""x""",,,,,`,
      `line,2026-08-03T12:00:00.000Z,2,${second?._id},adjustment,-20,480,,,case 1,"'@late;' -5",,,,`,
      'closing,2026-08-03T12:00:00.000Z,,,,,480,,,,,,,,',
      '',
    ]);
  });

  test('the Accept header selects CSV or JSON, and the format parameter overrides it', async () => {
    const customer = await world.customer();
    const cases: [string, string | undefined, string][] = [
      ['', undefined, 'application/json'],
      ['', '*/*', 'application/json'],
      ['', 'text/csv', 'text/csv'],
      ['', 'text/csv, application/json;q=0.9', 'text/csv'],
      ['', 'application/json, text/csv;q=0.9', 'application/json'],
      ['', 'image/png', 'application/json'],
      ['?format=json', 'text/csv', 'application/json'],
      ['?format=csv', 'application/json', 'text/csv'],
    ];
    for (const [query, accept, type] of cases) {
      for (const method of ['GET', 'HEAD']) {
        const { status, headers, body } = await raw(customer, query, accept === undefined ? {} : { accept }, method);
        expect([accept, status, headers['content-type']]).toEqual([accept, 200, `${type}; charset=utf-8`]);
        expect([headers.vary, body.length > 0]).toEqual(['Accept', method === 'GET']);
      }
    }
    expect((await raw(customer, '?format=pdf')).status).toBe(400);
  });
});

const recipient = { line1: 'Rue Haute 1', zip: '1000', city: 'Bruxelles', country: 'BE' };
