// Level: push
import fc from 'fast-check';
import { plusMs, systemClock } from '#common/clock.ts';
import { MailJob, type MailJobRecord, renderWork } from '#common/mail-jobs/model/mail-job.model.ts';
import { Chore, choreWork, planChore } from '#common/platform/due-work/chore.model.ts';
import { claimFound, findDueInBulk } from '#common/platform/due-work/claim-due-in-bulk.ts';
import { claimDue, type DueRow, renewClaim, retryAfterThrow } from '#common/platform/due-work/due-work.ts';
import { readDueAfter } from '#common/platform/due-work/read-due.ts';
import { createLease } from '#common/platform/mongo/lease.model.ts';
import { rowsOf } from '#common/platform/mongo/mongo.ts';
import type { ObjectStore } from '#common/platform/s3/s3.ts';
import { afterEach, beforeEach, describe, eventually, expect, forAny, test } from '#test/support/jest.ts';
import type { Customer } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { expireLease } from '#test/support/webhooks/webhook-scene.ts';
import { startWorkers } from '#workers/process/start-workers.ts';

const now = new Date('2026-06-10T10:00:00.000Z');
const waitMs = (failures: number) => retryAfterThrow(failures, now).getTime() - now.getTime();
const hourMs = 3_600_000;

describe('a letter whose worker is killed while rendering', () => {
  const lines: string[] = [];
  const world = startWorld({
    environment: { SANDBOX_STEP_DELAY_S: '3600' },
    onLogLine: (line) => void lines.push(line),
  });
  let close = async () => {};
  afterEach(() => close());

  const read = async (id: string) => await MailJob.findById(id).orFail().lean<MailJobRecord>();
  /** Sends a letter whose rendering is claimed `times` times by processes that die. */
  async function sendAndKill(customer: Customer, kills: number): Promise<string> {
    const { body } = await customer.send();
    for (let killed = 0; killed < kills; killed += 1) {
      expect(await claimDue(renderWork, body.mailJobId, new Date())).not.toBeNull();
      await expireLease(renderWork, body.mailJobId);
    }
    return body.mailJobId;
  }
  async function startRendering(store: ObjectStore = world.store): Promise<void> {
    const workers = await startWorkers({ ...world.workersOptions, store, names: ['render', 'scanner'] });
    close = () => workers.close();
  }

  test('is printed after five kills and one failure of the store', async () => {
    const customer = await world.customer();
    const mailJobId = await sendAndKill(customer, 5);
    let faults = 0;
    const get: ObjectStore['get'] = async (...args) => {
      if (faults === 1) return await world.store.get(...args);
      faults += 1;
      throw new Error('The store answers too slowly');
    };
    await startRendering({ ...world.store, get });
    const hasEnded = async () => expect((await read(mailJobId)).due.render).toBeUndefined();
    await eventually(hasEnded);
    const { status, printFile } = await read(mailJobId);
    expect([faults, status, printFile?.pageCount]).toEqual([1, 'queued', 1]);
  });

  test('fails and is refunded after ten kills, with a distinct reason', async () => {
    const customer = await world.customer();
    const before = await customer.balanceCents();
    const nine = await sendAndKill(customer, 9);
    const ten = await sendAndKill(customer, 10);
    await startRendering();
    await eventually(async () => expect((await read(ten)).status).toBe('failed'));
    await eventually(async () => expect((await read(nine)).printFile).not.toBeNull());
    const { failure } = await read(ten);
    expect(failure).toMatchObject({ code: 'PRINT_FAILED', message: expect.stringContaining('ended ten times') });
    expect(before - (await customer.balanceCents())).toBe((await read(nine)).amounts.totalCents);
    const told = lines.map((line) => JSON.parse(line)).filter(({ mailJobId }) => mailJobId === ten);
    expect(told).toContainEqual(expect.objectContaining({ level: 'error', unfinished: 10 }));
  });
});

describe('the retry of work that threw', () => {
  test.each([
    [0, 1_000],
    [1, 2_000],
    [2, 4_000],
    [3, 8_000],
    [4, 16_000],
    [5, 32_000],
    [6, 60_000],
    [7, 60_000],
  ])('after %i earlier failures the next run is %i ms later', (failures, expectedMs) => {
    expect(waitMs(failures)).toBe(expectedMs);
  });

  test('the delay grows with each failure and never exceeds a minute', () => {
    forAny([fc.integer({ min: 0, max: 1_000_000 })], (failures) => {
      expect(waitMs(failures)).toBeGreaterThanOrEqual(1_000);
      expect(waitMs(failures)).toBeLessThanOrEqual(60_000);
      expect(waitMs(failures + 1)).toBeGreaterThanOrEqual(waitMs(failures));
    });
  });
});

describe('a dead process whose clock was one hour ahead', () => {
  const world = startWorld({ hasTariffs: false });
  const ttlMs = 300;
  const ahead = () => plusMs(new Date(), hourMs);

  beforeEach(async () => {
    await Chore.deleteMany({});
    await planChore('sweep', plusMs(new Date(), -1_000));
  });

  const claimAlone = async () => (await claimDue(choreWork, 'sweep', ahead(), ttlMs)) !== null;
  const claimInBulk = async () => {
    const found = await findDueInBulk<DueRow>(choreWork, { now: ahead(), limit: 10 });
    return (await claimFound(choreWork, found, { now: ahead(), ttlMs })).length === 1;
  };
  const claimAndRenew = async () => {
    const claim = await claimDue(choreWork, 'sweep', ahead(), ttlMs);
    return claim !== null && (await renewClaim(claim));
  };

  test.each([
    ['claimed work', claimAlone],
    ['claimed work in bulk', claimInBulk],
    ['renewed a claim', claimAndRenew],
  ])('%s: another process gets the work when the lease has expired', async (_what, claim) => {
    expect(await claim()).toBe(true);
    const seen = () => readDueAfter(choreWork, { after: null, until: new Date(), limit: 10 });
    const isSeenFree = [{ id: 'sweep', isLeased: false }];
    await eventually(async () => expect(await seen()).toMatchObject(isSeenFree));
    expect(await claimDue(choreWork, 'sweep', new Date())).not.toBeNull();
  });

  test('held a role: another process gets it when the lease has expired', async () => {
    expect(await createLease('some-role', ttlMs).hold()).toBe(true);
    const next = createLease('some-role', ttlMs);
    await eventually(async () => expect(await next.hold()).toBe(true));
  });

  test('was the scanner: another one finds due work within seconds', async () => {
    const roles = rowsOf<DueRow & { token: string }>('leases');
    const isScanners = { _id: `scanner:${world.workersOptions.prefix}` };
    const clock = { now: () => plusMs(systemClock.now(), hourMs) };
    const first = await startWorkers({ ...world.workersOptions, names: ['scanner'], clock });
    const readHeld = async () => {
      const held = await roles.findOne(isScanners);
      if (!held) throw new Error('Nothing holds the role');
      return held;
    };
    const row = await eventually(readHeld);
    const readHintedAt = async () => (await Chore.findById('sweep').orFail().lean()).due?.hintedAt ?? new Date(0);
    await eventually(async () => expect((await readHintedAt()).getTime()).toBeGreaterThan(Date.now()));
    await first.close();
    // A killed process does not delete its row.
    await roles.insertOne(row);
    // No worker takes the hint of the first scanner, and a queued row is not hinted again.
    const { queues } = world.workersOptions.scannerHints;
    await queues.find(({ name }) => name === choreWork.queue)?.obliterate({ force: true });
    const second = await startWorkers({ ...world.workersOptions, names: ['scanner'] });
    await eventually(async () => expect((await readHintedAt()).getTime()).toBeLessThanOrEqual(Date.now()));
    await second.close();
  });
});
