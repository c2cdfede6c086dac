import { plusMs } from '#common/clock.ts';
import { newIdAt } from '#common/ids.ts';
import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import type { ReportName } from '#common/reports/report-kinds.ts';
import { beforeAll, expect, openOnce, standingClock } from '../jest.ts';
import type { Customer } from '../product/customer.ts';
import { startWorld } from '../product/world.ts';
import { post } from '../wallet/movements.ts';

const hourMs = 3_600_000;
export type Copy = Partial<MailJobRecord> & { at: Date };
type Report = { data: Record<string, unknown>[]; totals: Record<string, unknown> };

/** Starts a world on 2 April 2026 with a customer who has 19 letters of that day and the month before. */
export function startReportScene() {
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

  /** Checks that the CSV of a report has the numbers of its JSON, in the same order. */
  async function expectSameCsv(name: ReportName, query = ''): Promise<void> {
    const body: Report = (await get(name, query)).body;
    const [head = '', ...records] = await readCsv(name, query);
    const columns = head.split(',').slice(1);
    const cells = (row: Record<string, unknown>) => columns.map((column) => row[column] ?? '').join(',');
    expect(body.data.length).toBeGreaterThan(0);
    expect(records).toEqual([...body.data.map((row) => `row,${cells(row)}`), `total,${cells(body.totals)}`]);
    expect(Object.keys({ ...body.data[0], ...body.totals }).sort()).toEqual(columns.toSorted());
  }

  return { clock, world, april, today, customer, get, withLetters, failedBy, expectSameCsv };
}
