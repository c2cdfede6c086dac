// Level: push
import mongoose from 'mongoose';
import { plusMs } from '#common/clock.ts';
import { createFinding } from '#common/documents/preflight/find-findings.ts';
import { newId } from '#common/ids.ts';
import { Preflight, type PreflightRecord } from '#common/mail-jobs/preflight/preflight.model.ts';
import { startPreflight, waitForResult } from '#common/mail-jobs/preflight/start-preflight.ts';
import { newDue } from '#common/platform/due-work/due-work.ts';
import { describe, expect, openOnce, test } from '#test/support/jest.ts';
import { aPdf, upload } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';

const result = { facts: null, placement: null, findings: [createFinding('not_checked', {})], overlayKey: null };

describe('checks that are not finished', () => {
  // Without workers: no check ends by itself.
  const world = startWorld();
  const customer = openOnce(() => world.customer());

  async function create(owner: { organizationId: string; mode: 'test' | 'live' }): Promise<PreflightRecord> {
    const _id = newId('pf');
    const rest = { scheme: 'window-left', coverPages: 'auto', due: { check: newDue(new Date()) } } as const;
    const { organizationId, mode } = owner;
    const expiresAt = plusMs(new Date(), 3_600_000);
    await Preflight.create({ _id, organizationId, mode, key: _id, expiresAt, ...rest });
    return await Preflight.findById(_id).orFail().lean<PreflightRecord>();
  }

  /** Ends a check as a worker does. */
  const finish = async (filter: object) =>
    await Preflight.updateMany(filter, { $set: { result }, $unset: { 'due.check': 1 } });

  test('an organization has at most 20 in one mode, also by simultaneous requests', async () => {
    const { organizationId, mode } = customer;
    const file = { s3Key: await upload(customer, await aPdf(1)) };
    const filesOf = (count: number) => Array.from({ length: count }, () => file);
    // Letters of the same file, once, twice and so on.
    const start = async (count: number) =>
      await startPreflight(
        { organizationId, mode },
        { files: filesOf(count), serviceType: 'standard' },
        world.services,
        new Date(),
      );
    await Promise.all(Array.from({ length: 17 }, () => create(customer)));
    for (const otherMode of Array.from({ length: 20 }, () => 'live' as const)) {
      await create({ organizationId, mode: otherMode });
    }
    const { _id } = await start(1);
    const ends = await Promise.allSettled([2, 3, 4, 5, 6].map(start));
    const unfinished = await Preflight.countDocuments({ organizationId, mode });
    expect(unfinished).toBeLessThanOrEqual(20);
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(unfinished - 18);

    for (let count = unfinished; count < 20; count += 1) await start(count);
    const { status, body, headers } = await customer.http.post('/v1/preflight', { files: filesOf(10) });
    expect([status, body.code, headers.get('retry-after')]).toEqual([429, 'RATE_LIMITED', '5']);
    expect(body.message).toContain('Wait for their results');
    // An equal request waits for the same check, and one more fits when that has ended.
    expect((await start(1))._id).toBe(_id);
    await finish({ _id });
    expect((await start(10)).result).toBeUndefined();
  });

  test('those that wait for one result share a few queries, and all get it', async () => {
    const row = await create(customer);
    let queries = 0;
    mongoose.set('debug', (collection: string, method: string) => {
      if (collection === 'preflights' && method === 'findOne') queries += 1;
    });
    const waiting = Array.from({ length: 50 }, () => waitForResult(row, 1_500));
    const ended = await Promise.all(waiting);
    mongoose.set('debug', false);
    expect(ended.every((each) => each.result === undefined)).toBe(true);
    expect(queries).toBeGreaterThan(0);
    // After 100, 250, 475, 813, 1,319 and 1,500 ms.
    expect(queries).toBeLessThanOrEqual(6);

    const again = Array.from({ length: 3 }, (_, index) => waitForResult(row, 30_000 + index));
    await finish({ _id: row._id });
    for (const each of await Promise.all(again)) expect(each.result).toEqual(result);
  });

  test('a shared wait ends for each when its own time is over', async () => {
    const row = await create(customer);
    const long = waitForResult(row, 30_000);
    expect((await waitForResult(row, 1)).result).toBeUndefined();
    await finish({ _id: row._id });
    expect((await long).result).toEqual(result);
    expect((await waitForResult(row, 30_000)).result).toEqual(result);
  });
});
