import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { eventually, expect } from '../jest.ts';
import type { Answer, Customer } from '../product/customer.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** The time of new clocks: a month ahead of the tests, so nothing of their letters is due by the wall clock. */
export const clockStart = new Date(Math.ceil(Date.now() / dayMs) * dayMs + 30 * dayMs).toISOString();

/** Returns a time plus days. */
export function plusDays(time: string, days: number): string {
  return new Date(Date.parse(time) + days * dayMs).toISOString();
}

/** A test clock over HTTP. */
export async function aTestClock({ http }: Pick<Customer, 'http'>, now = clockStart) {
  const { status, body } = await http.post('/v1/sandbox/clocks', { now });
  expect(status).toBe(201);
  const path = `/v1/sandbox/clocks/${body.clockId}`;
  const get = async () => (await http.get(path)).body;
  const start = async (to: string): Promise<Answer> => await http.post(`${path}/advance`, { to });
  const ready = async () => await eventually(async () => expect(await get()).toMatchObject({ status: 'ready' }));
  return {
    id: body.clockId as string,
    path,
    startsAt: now,
    get,
    start,
    ready,
    async advance(to: string) {
      expect((await start(to)).status).toBe(200);
      await ready();
      expect((await get()).now).toBe(to);
    },
  };
}

/** Gives letters a print file that no store has, so an advance does not wait for their rendering. */
export async function pretendRendered(...ids: string[]): Promise<void> {
  const rest = { scheme: 'window-left', placement: 'page' } as const;
  const printFile = {
    s3Key: 'none',
    sha256: 'f'.repeat(64),
    sizeBytes: 1,
    pageCount: 1,
    renderedAt: new Date(),
    ...rest,
  };
  await MailJob.updateMany({ _id: { $in: ids } }, { $set: { printFile, due: {} } });
}
