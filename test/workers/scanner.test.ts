// Level: push
import mongoose from 'mongoose';
import { type Clock, plusMs, systemClock } from '#common/clock.ts';
import { newId } from '#common/ids.ts';
import { renderWork, stepWork } from '#common/mail-jobs/model/mail-job.model.ts';
import { type DueSlot, newDue } from '#common/platform/due-work/due-work.ts';
import { noPauses } from '#common/platform/due-work/pauses.ts';
import { deliveryWork } from '#common/webhooks/endpoints/endpoint.model.ts';
import { createSlotScan } from '#workers/scanner/scan-slot.ts';
import { startScanner } from '#workers/scanner/scanner.ts';
import { startWorker } from '#workers/worker.ts';
import { afterEach, describe, eventually, expect, test } from '../support/jest.ts';
import { startWorld } from '../support/product/world.ts';

/** More rows of one organization than may be in the queue at once. */
const backlog = 1_200;

describe('due work of one organization beside a long backlog of another', () => {
  const world = startWorld({ hasTariffs: false });
  const opened: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close();
    for (const queue of world.workersOptions.scannerHints.queues) await queue.obliterate({ force: true });
  });

  const rowsOf = ({ collection }: DueSlot) => mongoose.connection.collection<{ _id: string }>(collection);

  /** Stores rows with only an organization and a due time, 500 at the same moment. */
  async function store(slot: DueSlot, organizationId: string, count: number, at: Date): Promise<string[]> {
    const rows = Array.from({ length: count }, (_, index) => {
      const due = newDue(plusMs(at, Math.floor(index / 500)));
      return { _id: newId('whd'), organizationId, ...nest(slot.path, due) };
    });
    await rowsOf(slot).insertMany(rows);
    return rows.map(({ _id }) => _id);
  }
  function scan(slot: DueSlot, clock: Clock): void {
    const { scannerHints: hints, bulkRedis: redis } = world.workersOptions;
    opened.push(startScanner({ ...world.workersOptions, slots: [slot], hints, redis, clock }));
  }
  const queued = (slot: DueSlot) =>
    world.workersOptions.scannerHints.queues
      .find(({ name }) => name === slot.queue)
      ?.getJobCountByTypes('waiting', 'delayed');

  test.each([
    ['endpoints', deliveryWork],
    ['letters to be rendered', renderWork],
    ['steps of letters', stepWork],
  ])('%s: one row is hinted beside 1,200 older ones that no worker takes', async (_what, slot) => {
    const at = systemClock.now();
    await store(slot, 'greedy', backlog, plusMs(at, -60_000));
    scan(slot, systemClock);
    await eventually(async () => expect(await queued(slot)).toBeGreaterThanOrEqual(1_000));
    const [id = ''] = await store(slot, 'modest', 1, at);
    const isHinted = { _id: id, [`${slot.path}.hintedAt`]: { $ne: null } };
    await eventually(async () => expect(await rowsOf(slot).findOne(isHinted)).not.toBeNull());
    // Half of the queue is reserved for others.
    expect(await queued(slot)).toBeLessThanOrEqual(1_001);
  });

  test('rows that fall due within the same quarter of a second are hinted at the same time', async () => {
    const now = new Date('2026-03-02T10:00:00.000Z');
    await rowsOf(stepWork).deleteMany({});
    for (const dueMs of [-60_000, 0, 1_010, 1_190, 1_210]) await store(stepWork, 'a', 1, plusMs(now, dueMs));
    const { scannerHints } = world.workersOptions;
    await createSlotScan(stepWork, scannerHints)({ now, hintsLostAt: new Date(0), paused: noPauses });
    const messages = await scannerHints.queues.find(({ name }) => name === stepWork.queue)?.getJobs();
    const delaysMs = messages?.map(({ delay }) => delay).toSorted((left, right) => left - right);
    expect(delaysMs).toEqual([0, 0, 1_250, 1_250, 1_500]);
  });

  test('a kind without due work is left out once, and then scanned at each tick', async () => {
    const now = new Date('2026-03-02T10:00:00.000Z');
    const tick = { now, hintsLostAt: new Date(0), paused: noPauses };
    await rowsOf(stepWork).deleteMany({});
    const { scannerHints } = world.workersOptions;
    const scanOnce = createSlotScan(stepWork, scannerHints);
    const counts: (number | undefined)[] = [];
    for (const stored of [0, 1, 0, 1]) {
      if (stored > 0) await store(stepWork, 'a', stored, now);
      await scanOnce(tick);
      counts.push(await queued(stepWork));
    }
    expect(counts).toEqual([0, 0, 1, 2]);
  });

  test('all of 1,200 endpoints are eventually hinted although the hints have no effect', async () => {
    const start = systemClock.now();
    // A hint counts as lost after 10 s, which this clock passes in 1 s.
    const clock = { now: () => plusMs(start, (systemClock.now().getTime() - start.getTime()) * 10) };
    await rowsOf(deliveryWork).deleteMany({});
    await store(deliveryWork, 'greedy', backlog, plusMs(start, -60_000));
    opened.push(
      startWorker({ queue: 'webhook-delivery', concurrency: 20, handle: async () => {} }, world.workersOptions),
    );
    scan(deliveryWork, clock);
    const left = () => rowsOf(deliveryWork).countDocuments({ 'due.hintedAt': null });
    await eventually(async () => expect(await left()).toBe(0));
  });
});

/** Returns `{ due: { step: value } }` for `due.step`. */
function nest(path: string, value: object): object {
  return path.split('.').reduceRight<object>((inner, key) => ({ [key]: inner }), value);
}
