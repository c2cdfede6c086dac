// Level: push
import type { RowRef } from '#common/ids.ts';
import { type MailJobRecord, stepWork } from '#common/mail-jobs/model/mail-job.model.ts';
import { claimDue, newDue, renewClaim } from '#common/platform/due-work/due-work.ts';
import { rowsOf } from '#common/platform/mongo/mongo.ts';
import { afterEach, describe, eventually, expect, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';
import { startWorker } from '#workers/worker.ts';

describe('a hint about a letter', () => {
  const world = startWorld();
  let worker: ReturnType<typeof startWorker> | undefined;
  afterEach(() => worker?.close());

  test('names its organization; one of the previous version, by id alone, is understood too', async () => {
    const named: RowRef[] = [];
    const handle = async (row: RowRef) => void named.push(row);
    worker = startWorker({ queue: 'lifecycle', concurrency: 1, handle }, world.workersOptions);
    const letter = { id: 'mj_1', organizationId: 'org_1' };
    await world.hints.add([
      { queue: 'lifecycle', ...letter, delayMs: 0 },
      { queue: 'lifecycle', id: 'mj_2', delayMs: 0 },
    ]);
    await eventually(() => expect(named).toHaveLength(2));
    expect(named).toEqual([letter, 'mj_2']);
  });

  test('is due while it waits, and when its delay is over although no worker moves it', async () => {
    const { hints } = world;
    const add = (id: string, delayMs: number) => hints.add([{ queue: 'sandbox-clock', id, delayMs }]);
    expect(await hints.hasDue('sandbox-clock')).toBe(false);
    await add('clk_later', 60_000);
    expect(await hints.hasDue('sandbox-clock')).toBe(false);
    await add('clk_soon', 50);
    await eventually(async () => expect(await hints.hasDue('sandbox-clock')).toBe(true));
    await add('clk_now', 0);
    expect(await hints.hasDue('sandbox-clock')).toBe(true);
  });

  test('lets a worker claim the letter by organization and id, or by id alone', async () => {
    const customer = await world.customer();
    const [first, second] = [await customer.sendAccepted(), await customer.sendAccepted()];
    const now = new Date();
    await rowsOf<MailJobRecord>('mail_jobs').updateMany({}, { $set: { 'due.step': newDue(now) } });
    const { organizationId } = customer;
    expect(await claimDue(stepWork, { id: first, organizationId: 'org_other' }, now)).toBeNull();
    const byBoth = await claimDue<MailJobRecord>(stepWork, { id: first, organizationId }, now);
    const byId = await claimDue<MailJobRecord>(stepWork, second, now);
    for (const claim of [byBoth, byId]) expect(await renewClaim(claim!)).toBe(true);
  });
});
