import { plusMs } from '#common/clock.ts';
import { newIdAt } from '#common/ids.ts';
import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import type { ReportName } from '#common/reports/report-kinds.ts';
import { beforeAll, describe, expect, openOnce, standingClock, test } from '#test/support/jest.ts';
import { type Customer, issuePaths, ledgerOf } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { post } from '#test/support/wallet/movements.ts';

const hourMs = 3_600_000;
type Copy = Partial<MailJobRecord> & { at: Date };

describe('GET /v1/reports', () => {
  const clock = standingClock();
  const world = startWorld({ clock });

  const sent = openOnce(async () => {
    const mailJobId = await (await world.customer()).sendAccepted();
    return await MailJob.findById(mailJobId).orFail().lean<MailJobRecord>();
  });
  /** Makes it 2 April 2026. Uploads need the present. */
  beforeAll(async () => {
    today.setTime(clock.now().getTime());
    clock.set(april);
  });
  const april = new Date('2026-04-02T12:00:00.000Z');
  const today = new Date(0);

  /** A customer with one letter on 2 April, paid for, and more with these fields. */
  async function withLetters(copies: readonly Copy[]): Promise<Customer> {
    clock.set(new Date('2026-03-01T12:00:00.000Z'));
    const customer = await world.customer();
    clock.set(april);
    await post(customer, [{ amountCents: -100 }], april);
    const { organizationId } = customer;
    await MailJob.insertMany(
      [{ at: april }, ...copies].map(({ at, ...fields }) => {
        return { ...sent, ...fields, organizationId, _id: newIdAt('mj', at), createdAt: at, due: {} };
      }),
    );
    return customer;
  }
  const failedBy = (code: 'CANCELLED' | 'FILE_UNREADABLE', at: string): Copy => ({
    at: new Date(at),
    status: 'failed',
    failure: { code, message: '=cmd' },
  });
  const timed = (serviceType: 'standard' | 'registered', hours: [number, number | null]): Copy => {
    const at = new Date('2026-03-20T08:00:00.000Z');
    const postedAt = plusMs(at, hours[0] * hourMs);
    const deliveredAt = hours[1] === null ? null : plusMs(postedAt, hours[1] * hourMs);
    return { at, serviceType, status: deliveredAt ? 'delivered' : 'posted', queuedAt: at, postedAt, deliveredAt };
  };

  const customer = openOnce(() =>
    withLetters([
      // The last millisecond of 28 March, and the day of 23 hours after it.
      { at: new Date('2026-03-28T22:59:59.999Z'), status: 'posted' },
      { at: new Date('2026-03-28T23:00:00.000Z'), status: 'printed' },
      { at: new Date('2026-03-29T21:59:59.999Z'), status: 'delivered' },
      { at: new Date('2026-03-29T22:00:00.000Z'), status: 'queued' },
      failedBy('CANCELLED', '2026-03-30T10:00:00.000Z'),
      failedBy('CANCELLED', '2026-03-30T11:00:00.000Z'),
      failedBy('FILE_UNREADABLE', '2026-03-31T10:00:00.000Z'),
      ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((hours) => timed('registered', [hours, hours * 10])),
      timed('standard', [5, null]),
    ]),
  );
  const get = (name: ReportName, query = '', of = customer as Customer) => of.http.get(`/v1/reports/${name}${query}`);

  /** Returns the records of the CSV without their ends. */
  async function readCsv(name: ReportName, query: string): Promise<string[]> {
    const headers = { authorization: `Bearer ${customer.key}`, accept: 'text/csv' };
    const response = await fetch(`${world.url}/v1/reports/${name}${query}`, { headers });
    expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    return (await response.text()).trimEnd().split('\r\n');
  }

  test('letters count by the day of Brussels on which the clocks change, and by status', async () => {
    const { status, body } = await get('letters', '?from=2026-03-28&to=2026-03-30');
    expect(status).toBe(200);
    const none = { queued: 0, printed: 0, posted: 0, delivered: 0, failed: 0 };
    expect(body).toEqual({
      ...{ mode: 'test', timeZone: 'Europe/Brussels', from: '2026-03-28', to: '2026-03-30', interval: 'day' },
      data: [
        { period: '2026-03-28', ...none, posted: 1, total: 1 },
        { period: '2026-03-29', ...none, printed: 1, delivered: 1, total: 2 },
        { period: '2026-03-30', ...none, queued: 1, failed: 2, total: 3 },
      ],
      totals: { queued: 1, printed: 1, posted: 1, delivered: 1, failed: 2, total: 6 },
    });
  });

  test('without days the report ends today and has 30 days, or 12 months', async () => {
    const { body } = await get('letters');
    expect([body.from, body.to, body.data.length, body.totals.total]).toEqual(['2026-03-04', '2026-04-02', 30, 19]);
    const months = (await get('letters', '?interval=month')).body;
    expect([months.from, months.data.length]).toEqual(['2025-05-01', 12]);
    expect(months.data.slice(-2)).toMatchObject([
      { period: '2026-03', total: 18 },
      { period: '2026-04', total: 1 },
    ]);
  });

  test('spend is what the ledger debited and refunded, in the month of the booking', async () => {
    const owner = await world.customer();
    clock.set(new Date('2026-07-01T12:00:00.000Z'));
    for (const [amountCents, at] of [
      [-500, '2026-05-31T21:59:59.999Z'],
      [-250, '2026-05-31T22:00:00.000Z'],
    ] as const) {
      await post(owner, [{ amountCents }], new Date(at));
    }
    const { body } = await get('spend', '?from=2026-05-01&to=2026-06-30', owner);
    clock.set(april);
    const row = (cents: number) => ({ letters: 1, debitedCents: cents, refundedCents: 0, spentCents: cents });
    expect(body.data).toEqual([
      { period: '2026-05', ...row(500) },
      { period: '2026-06', ...row(250) },
    ]);
    expect(body.totals).toEqual({ ...row(750), letters: 2 });
    expect(body).toMatchObject({ currency: 'EUR', interval: 'month' });
  });

  test('a cancelled letter is spent and refunded, and costs nothing in the end', async () => {
    clock.set(today);
    const owner = await world.customer();
    const mailJobId = await owner.sendAccepted();
    await owner.http.post(`/v1/mails/${mailJobId}/simulate`, { to: 'failed' });
    const { body } = await get('spend', '', owner);
    clock.set(april);
    const [, debit] = await ledgerOf(owner);
    const cents = -(debit?.amountCents ?? 0);
    expect(cents).toBeGreaterThan(0);
    expect(body.totals).toEqual({ letters: 1, debitedCents: cents, refundedCents: cents, spentCents: 0 });
  });

  test('failures count by reason, the most frequent first', async () => {
    const { body } = await get('failures');
    expect(body.data).toEqual([
      { reason: 'CANCELLED', letters: 2 },
      { reason: 'FILE_UNREADABLE', letters: 1 },
    ]);
    expect(body.totals).toEqual({ letters: 3 });
  });

  test('delivery times are percentiles of the nearest rank, by service and stretch', async () => {
    const { body } = await get('delivery-times', '?from=2026-03-20&to=2026-03-20');
    const none = { letters: 0, p50Minutes: null, p90Minutes: null, p95Minutes: null };
    const [toPosted, toDelivered] = [{ stretch: 'queued_to_posted' }, { stretch: 'posted_to_delivered' }];
    expect(body.data).toEqual([
      { serviceType: 'standard', ...toPosted, letters: 1, p50Minutes: 300, p90Minutes: 300, p95Minutes: 300 },
      { serviceType: 'standard', ...toDelivered, ...none },
      { serviceType: 'prior', ...toPosted, ...none },
      { serviceType: 'prior', ...toDelivered, ...none },
      { serviceType: 'registered', ...toPosted, letters: 10, p50Minutes: 300, p90Minutes: 540, p95Minutes: 600 },
      { serviceType: 'registered', ...toDelivered, letters: 10, p50Minutes: 3000, p90Minutes: 5400, p95Minutes: 6000 },
    ]);
    expect(body.totals).toEqual({ letters: 11 });
  });

  test.each(['letters', 'spend', 'failures', 'delivery-times'] as const)(
    'the CSV of %s has the numbers of the JSON',
    async (name) => {
      const { body } = await get(name);
      const [head = '', ...records] = await readCsv(name, '');
      const columns = head.split(',').slice(1);
      const cells = (row: Record<string, unknown>) => columns.map((column) => row[column] ?? '').join(',');
      const rows = body.data.map((row: Record<string, unknown>) => `row,${cells(row)}`);
      expect(records).toEqual([...rows, `total,${cells(body.totals)}`]);
      expect(Object.keys({ ...body.data[0], ...body.totals }).sort()).toEqual(columns.toSorted());
    },
  );

  test('the letters of another organization and of the other mode are never included', async () => {
    const other = await withLetters([failedBy('CANCELLED', '2026-03-30T10:00:00.000Z')]);
    const live = await world.customer({ organizationId: customer.organizationId, mode: 'live' });
    expect((await get('letters', '', other)).body.totals.total).toBe(2);
    expect((await get('letters', '', live)).body.totals.total).toBe(0);
    expect((await get('failures', '', other)).body.totals).toEqual({ letters: 1 });
    expect((await get('delivery-times', '', other)).body.totals).toEqual({ letters: 0 });
    expect((await get('spend', '', other)).body.totals.letters).toBe(1);
    expect((await get('letters')).body.totals.total).toBe(19);
  });

  test.each([
    ['?from=2026-03-02&to=2026-03-01', 'to'],
    ['?from=2026-04-03', 'from'],
    ['?from=2025-04-01&to=2026-04-02', 'from'],
    ['?from=1999-12-31', 'from'],
    ['?to=2026-02-30', 'to'],
  ])('the period %s is refused with the path %s', async (query, path) => {
    const answer = await get('letters', query);
    expect([answer.status, issuePaths(answer)]).toEqual([400, [path]]);
  });

  test('a leap year is the longest period', async () => {
    const { body } = await get('letters', '?from=2025-04-02&to=2026-04-02');
    expect(body.data).toHaveLength(366);
  });
});
