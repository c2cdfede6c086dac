// Level: ci
import { watch } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { newDue } from '#common/platform/due-work/due-work.ts';
import { Batch, type BatchRecord } from '#common/production/batches/batch.model.ts';
import { prepareHotFolder } from '#common/production/providers/hot-folder/prepare-hot-folder.ts';
import { afterAll, byLevel, describe, eventually, expect, openOnce, test } from '#test/support/jest.ts';
import { aRequestAddress, aSender } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { openFolderPrinter, type PrintedItem, runFolderPrinter } from '#test/support/production/folder-printer.ts';
import { renderAs } from '#test/support/production/press-scene.ts';
import { type FleetFault, startWorkerFleet } from '#test/support/production/worker-fleet.ts';
import { createRandom } from '#test/support/random.ts';
import { findViolations } from '#test/support/wallet/invariants.ts';

const { SEED } = process.env;
const runCount = byLevel({ quick: 1, full: 2, long: 100 });
const seeds = SEED === undefined ? Array.from({ length: runCount }, (_, index) => index + 1) : [Number(SEED)];

const base = await mkdtemp(join(tmpdir(), 'bluejay press '));
const root = join(base, 'hot folder');
await prepareHotFolder(root);

const fleetSize = 3;
const processes = { WORKERS: 'production', WORK_LEASE_S: '2', PRINT_PROVIDERS: 'hot-folder', HOT_FOLDER: root };

/** A letter of a run. `cancelAfterMs` counts from the closing of its batch. */
type PlannedLetter = { color: boolean; recipients: number; pages: number; cancelAfterMs: number | null };
/** A fault strikes a moment after a number of changes in the hot folder, or some time after the batches close. */
type PlannedFault = FleetFault & ({ afterChanges: number } | { afterMs: number }) & { delayMs: number };

function planRun(random: () => number) {
  const below = (limit: number) => Math.floor(random() * limit);
  const letters = Array.from({ length: 6 + below(6) }, (): PlannedLetter => {
    const cancelAfterMs = random() < 0.3 ? below(700) - 500 : null;
    return { color: random() < 0.3, recipients: 1 + below(3), pages: 1 + below(3), cancelAfterMs };
  });
  const faults = Array.from({ length: 2 + below(4) }, (): PlannedFault => {
    const fault = { kind: random() < 0.6 ? 'kill' : 'freeze', member: below(fleetSize) } as const;
    const timing = random() < 0.7 ? { afterChanges: 1 + below(25) } : { afterMs: below(1_500) };
    return { ...fault, ...timing, forMs: 2_200 + below(1_000), delayMs: random() < 0.5 ? 0 : below(40) };
  });
  return { letters, faults };
}

describe('production while its workers are killed and suspended', () => {
  const world = startWorld();
  const sender = openOnce(() => aSender(world, { mode: 'live', balanceCents: 100_000_000 }));
  const fleet = startWorkerFleet(fleetSize, () => ({ ...world.environment, ...processes }));
  afterAll(() => rm(base, { recursive: true, force: true, maxRetries: 5 }));
  const printed: PrintedItem[] = [];

  /** Sends rendered letters. */
  async function send(letters: readonly PlannedLetter[]) {
    const sent = letters.map(async ({ color, recipients, pages, cancelAfterMs }) => {
      const to = Array.from({ length: recipients }, (_, index) => aRequestAddress({ name: `Ada ${index}` }));
      const { status, body } = await sender.send({ color, recipients: to, pages });
      if (status !== 201) throw new Error(`POST /v1/mails answered ${status}: ${JSON.stringify(body)}`);
      const id: string = body.mailJobId;
      await renderAs(world.store, id, { pages, at: new Date() });
      return { id, cancelAfterMs };
    });
    return await Promise.all(sent);
  }

  /** Sends the hints of all due work at once, and lets no batch wait for its next look. */
  async function hurry(cutoffAt: Date, closesAt: Date): Promise<void> {
    const now = new Date();
    if (now < closesAt) return;
    const waiting = { cutoffAt, 'due.press.at': { $gt: now }, 'due.press.leaseToken': null };
    await Batch.updateMany(waiting, { $set: { 'due.press.at': now } });
    const due = await Batch.find({ cutoffAt, 'due.press.at': { $lte: now } }).lean<BatchRecord[]>();
    const letter = await MailJob.findOne({ 'due.batch.at': { $lte: now } }).lean<MailJobRecord>();
    const ids = due.map(({ _id }) => _id);
    world.hints.notify('press', ids);
    if (letter)
      world.hints.notify(
        'batch',
        Array.from({ length: fleetSize }, () => letter._id),
      );
  }

  async function run(seed: number): Promise<void> {
    const held = new AsyncDisposableStack();
    try {
      await runHolding(held, seed);
    } finally {
      await held.disposeAsync();
    }
  }

  async function runHolding(held: AsyncDisposableStack, seed: number): Promise<void> {
    const { random } = createRandom(seed);
    const { letters, faults } = planRun(random);
    const sent = await send(letters);
    const ids = sent.map(({ id }) => id);
    // Later than the last letter is sent, which takes longer on a busy machine.
    const times = { cutoffAt: new Date(Date.now() + 3_600_000), closesAt: new Date(Date.now() + 700) };
    const drop = { dropAt: times.cutoffAt, closesAt: times.closesAt, 'due.batch': newDue(times.closesAt) };
    await MailJob.updateMany({ _id: { $in: ids } }, { $set: drop });
    const closesInMs = () => times.closesAt.getTime() - Date.now();
    const later = (ms: number, work: () => void) => {
      const timer = setTimeout(work, ms);
      held.defer(() => clearTimeout(timer));
    };

    const taken = join(base, `taken-${seed}`);
    const printer = openFolderPrinter({ root, taken }, createRandom(seed));
    const running = runFolderPrinter(printer, createRandom(seed).random);
    held.defer(() => running.close());
    let changes = 0;
    for (const name of ['.incoming', '.published', 'out', 'results', 'results/done']) {
      const watcher = watch(join(root, name), () => {
        changes += 1;
        for (const fault of faults) {
          if ('afterChanges' in fault && fault.afterChanges === changes)
            later(fault.delayMs, () => fleet.strike(fault));
        }
      });
      held.defer(() => watcher.close());
    }
    for (const fault of faults)
      if ('afterMs' in fault) later(Math.max(0, closesInMs() + fault.afterMs), () => fleet.strike(fault));
    const cancels = new Map<string, Promise<number>>();
    for (const { id, cancelAfterMs } of sent) {
      if (cancelAfterMs === null) continue;
      const cancelled = Promise.withResolvers<number>();
      cancels.set(id, cancelled.promise);
      later(Math.max(0, closesInMs() + cancelAfterMs), () => {
        sender.http.post(`/v1/mails/${id}/cancel`).then(({ status }) => cancelled.resolve(status), cancelled.reject);
      });
    }

    const answers = new Map<string, number>();
    for (const [id, status] of cancels) answers.set(id, await status);
    await eventually(async () => {
      await hurry(times.cutoffAt, times.closesAt);
      const jobs = await MailJob.find({ _id: { $in: ids } }).lean<MailJobRecord[]>();
      expect(jobs.filter(({ due }) => due.batch && due.batch.at <= times.closesAt)).toEqual([]);
      // Read after the letters: a batch appears together with them.
      const batches = await Batch.find({ cutoffAt: times.cutoffAt }).lean<BatchRecord[]>();
      const open = batches.filter(({ state }) => !['printed', 'posted'].includes(state));
      expect(open.map(({ _id, state, problem }) => ({ _id, state, problem }))).toEqual([]);
    });
    await fleet.settled();
    printed.push(...printer.items);
    await check(ids, answers, printer.items);
    expect(printer.isQuiet()).toBe(true);
  }

  async function check(
    ids: readonly string[],
    cancels: ReadonlyMap<string, number>,
    items: readonly PrintedItem[],
  ): Promise<void> {
    const jobs = await MailJob.find({ _id: { $in: ids } }).lean<MailJobRecord[]>();
    expect(jobs).toHaveLength(ids.length);
    const got = new Map(items.map((item) => [item.itemId, item]));
    const handedOver = items.map(({ itemId }) => itemId);
    expect(handedOver.filter((id, index) => handedOver.indexOf(id) !== index)).toEqual([]);
    for (const job of jobs) {
      const isCancelled = cancels.get(job._id) === 200;
      for (const item of job.items) {
        const expected = isCancelled
          ? { copy: undefined, status: 'failed', code: 'CANCELLED' }
          : { copy: item.copySha256 ?? 'none', status: got.get(item.itemId)?.result, code: undefined };
        if (expected.status === 'failed' && !isCancelled) Object.assign(expected, { code: 'PRINT_FAILED' });
        const { status, failure } = item;
        expect({
          job: job._id,
          batchId: job.batchId,
          copy: got.get(item.itemId)?.sha256,
          status,
          code: failure?.code,
        }).toEqual({
          job: job._id,
          batchId: isCancelled ? undefined : expect.any(String),
          ...expected,
        });
      }
      expect([200, 409, undefined]).toContain(cancels.get(job._id));
    }
    expect(await findViolations()).toEqual([]);
    const names = async (folder: string) => (await readdir(join(root, folder))).filter((name) => !name.startsWith('.'));
    const left = [...(await readdir(join(root, '.incoming'))), ...(await names('results')), ...(await names('out'))];
    expect([left, await names('results/rejected')]).toEqual([['done', 'rejected'], []]);
  }

  test('each item is handed over once, each result and each refund is recorded once', async () => {
    for (const seed of seeds) {
      await run(seed).catch((error: Error) => {
        throw new Error(`Run with SEED=${seed}: ${error.message}`, { cause: error });
      });
    }
    const ids = printed.map(({ itemId }) => itemId);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
