// Level: push
import { plusMs } from '#common/clock.ts';
import { fanOutWork } from '#common/events/event.model.ts';
import { newId } from '#common/ids.ts';
import { Chore, choreWork, planChore } from '#common/platform/due-work/chore.model.ts';
import { claimFound, findDueInBulk } from '#common/platform/due-work/claim-due-in-bulk.ts';
import {
  claimDue,
  type DueRow,
  finishClaim,
  markHinted,
  newDue,
  releaseClaim,
  reloadClaim,
  renewClaim,
  returnClaim,
} from '#common/platform/due-work/due-work.ts';
import { noPauses } from '#common/platform/due-work/pauses.ts';
import { rowsOf } from '#common/platform/mongo/mongo.ts';
import { beforeEach, describe, expect, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';
import { expireLease } from '#test/support/webhooks/webhook-scene.ts';
import { createSlotScan } from '#workers/scanner/scan-slot.ts';

describe('due work', () => {
  const world = startWorld();
  const now = new Date('2026-03-02T10:00:00.000Z');
  const hourMs = 3_600_000;
  const id = 'sweep';
  const emptyQueue = () =>
    world.workersOptions.scannerHints.queues.find(({ name }) => name === 'cleanup')?.obliterate({ force: true });
  /** Returns the rows that one scan sends hints for. */
  async function hinted(at = now, hintsLostAt = new Date(0)): Promise<string[]> {
    const hints = world.workersOptions.scannerHints;
    await emptyQueue();
    await createSlotScan(choreWork, hints)({ now: at, hintsLostAt, paused: noPauses });
    return await hints.listQueued('cleanup', 10);
  }

  beforeEach(async () => {
    await Chore.deleteMany({});
    await planChore(id, now);
  });

  test('of twenty concurrent claims of due work, one succeeds', async () => {
    const claims = await Promise.all(Array.from({ length: 20 }, () => claimDue(choreWork, id, now)));
    expect(claims.filter((claim) => claim !== null)).toHaveLength(1);
  });

  test('work cannot be claimed a millisecond before it is due', async () => {
    expect(await claimDue(choreWork, id, plusMs(now, -1))).toBeNull();
    expect(await claimDue(choreWork, id, now)).not.toBeNull();
  });

  test('the work of a dead worker can be claimed after its lease', async () => {
    await claimDue(choreWork, id, now);
    expect(await claimDue(choreWork, id, plusMs(now, hourMs))).toBeNull();
    await expireLease(choreWork, id);
    expect(await claimDue(choreWork, id, now)).toMatchObject({ failures: 0, unfinished: 1 });
  });

  test('throws and unfinished claims are counted separately, returned claims not at all', async () => {
    const claim = async () => (await claimDue(choreWork, id, now))!;
    await releaseClaim(await claim(), now);
    await returnClaim(await claim(), now);
    await claim();
    await expireLease(choreWork, id);
    await releaseClaim(await claim(), now);
    expect(await claim()).toMatchObject({ failures: 2, unfinished: 1 });
    await expireLease(choreWork, id);
    const [inBulk] = await claimFound(choreWork, await findDueInBulk(choreWork, { now, limit: 1 }), { now });
    expect(inBulk).toMatchObject({ failures: 2, unfinished: 2 });
    await finishClaim(inBulk!, { nextAt: now });
    expect(await claim()).toMatchObject({ failures: 0, unfinished: 0 });
  });

  test('a renewed lease lasts beyond its first end', async () => {
    const claim = await claimDue(choreWork, id, now);
    await expireLease(choreWork, id);
    expect(await renewClaim(claim!)).toBe(true);
    expect(await claimDue(choreWork, id, plusMs(now, hourMs))).toBeNull();
  });

  test('a worker that lost its lease can neither renew nor finish', async () => {
    const late = await claimDue(choreWork, id, now);
    await expireLease(choreWork, id);
    const second = await claimDue(choreWork, id, now);
    expect(await renewClaim(late!)).toBe(false);
    expect(await finishClaim(late!)).toBe(false);
    await releaseClaim(late!, now);
    expect(await reloadClaim(second!)).not.toBeNull();
    expect(await finishClaim(second!)).toBe(true);
  });

  test('work rescheduled during its run stays due after the stale finish', async () => {
    const claim = await claimDue(choreWork, id, now);
    await Chore.updateOne({ _id: id }, { $inc: { 'due.version': 1 } });
    expect(await finishClaim(claim!)).toBe(false);
    const current = await reloadClaim(claim!);
    expect(await finishClaim(current!)).toBe(true);
    expect(await Chore.findById(id).lean()).not.toHaveProperty('due');
  });

  test('work finished with a next time is due then, with reset counters', async () => {
    const claim = await claimDue(choreWork, id, now);
    await finishClaim(claim!, { nextAt: plusMs(now, 60_000) });
    expect(await claimDue(choreWork, id, plusMs(now, 59_999))).toBeNull();
    expect(await claimDue(choreWork, id, plusMs(now, 60_000))).toMatchObject({ failures: 0, unfinished: 0 });
  });

  test.each([
    ['due in ten seconds', 10_000, true],
    ['due in ten seconds and a millisecond', 10_001, false],
    ['long overdue', -3_600_000, true],
  ])('work that is %s is hinted only within the horizon', async (_what, inMs, isFound) => {
    await Chore.updateOne({ _id: id }, { $set: { 'due.at': plusMs(now, inMs) } });
    expect(await hinted()).toEqual(isFound ? [id] : []);
  });

  test('a hint is repeated after ten seconds, or when Redis lost its data, not before', async () => {
    expect(await hinted()).toEqual([id]);
    expect(await hinted(plusMs(now, 9_999))).toEqual([]);
    expect(await hinted(plusMs(now, 1_000), now)).toEqual([id]);
    expect(await hinted(plusMs(now, 10_999))).toEqual([]);
    expect(await hinted(plusMs(now, 11_000))).toEqual([id]);
    await markHinted(choreWork, [id], null);
    expect(await hinted(plusMs(now, 11_000))).toEqual([id]);
  });

  test('leased work is hinted only after its lease', async () => {
    await claimDue(choreWork, id, now);
    expect(await hinted(plusMs(now, hourMs))).toEqual([]);
    await expireLease(choreWork, id);
    expect(await hinted()).toEqual([id]);
  });

  test('work whose hint is still queued is not hinted again', async () => {
    expect(await hinted()).toEqual([id]);
    const hints = world.workersOptions.scannerHints;
    await createSlotScan(choreWork, hints)({ now: plusMs(now, hourMs), hintsLostAt: new Date(0), paused: noPauses });
    expect(await hints.listQueued('cleanup', 10)).toEqual([id]);
  });

  test('a scanner whose clock is set back by an hour hints work due by the new time', async () => {
    const hints = world.workersOptions.scannerHints;
    const events = rowsOf<DueRow>(fanOutWork.collection);
    const event = (at: Date) => ({ _id: newId('evt'), subjectId: newId('mj'), due: newDue(at) });
    const store = (count: number, at: Date) => events.insertMany(Array.from({ length: count }, () => event(at)));
    const scan = createSlotScan(fanOutWork, hints);
    await store(1_500, now);
    // This scan ends after its first page, among the rows that are due now.
    await scan({ now, hintsLostAt: new Date(0), paused: noPauses });
    const { insertedIds } = await store(1, plusMs(now, -2 * hourMs));
    await scan({ now: plusMs(now, -hourMs), hintsLostAt: new Date(0), paused: noPauses });
    expect(await hints.listQueued(fanOutWork.queue, 10)).toContain(insertedIds[0]);
    await events.deleteMany({});
    await hints.queues.find(({ name }) => name === fanOutWork.queue)?.obliterate({ force: true });
  });
});
