// Level: push
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { claimDue } from '#common/platform/due-work/due-work.ts';
import { createPauses } from '#common/platform/due-work/pauses.ts';
import { Batch, type BatchRecord, pressWork } from '#common/production/batches/batch.model.ts';
import { collectDueJobs } from '#common/production/batches/collect-jobs.ts';
import { createProviders, prepareProviders } from '#common/production/submission/create-providers.ts';
import { runBatch } from '#common/production/submission/run-batch.ts';
import { openPapers } from '#test/support/documents/typesetting/use-typesetting.ts';
import { afterAll, byLevel, describe, expect, standingClock, test } from '#test/support/jest.ts';
import { aRequestAddress } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { openFolderPrinter } from '#test/support/production/folder-printer.ts';
import { startPressScene } from '#test/support/production/press-scene.ts';
import { type Strike, strikeAtStep } from '#test/support/production/strike-at-step.ts';
import { findViolations } from '#test/support/wallet/invariants.ts';

const base = await mkdtemp(join(tmpdir(), 'bluejay steps '));
const root = join(base, 'hot folder');
const settings = { hotFolder: root, cupsPrinter: null };
await prepareProviders(settings);

/** Steps between those that are struck. */
const stride = byLevel({ quick: 6, full: 3, long: 1 });
const dayMs = 24 * 3_600_000;

describe('a process that is struck at one of its steps', () => {
  const clock = standingClock(new Date('2027-03-01T08:00:00Z'));
  const world = startWorld({ clock });
  const printRules = [{ zone: null, serviceType: null, provider: 'hot-folder' }] as const;
  const scene = startPressScene(world, clock, { printRules, providers: createProviders(settings, openPapers()) });
  const printer = openFolderPrinter({ root, taken: join(base, 'taken') });
  const two = { recipients: ['Ada', 'Bo'].map((name) => aRequestAddress({ name })) };
  const { signal } = new AbortController();
  afterAll(() => rm(base, { recursive: true, force: true }));

  /** What the struck process has for itself: a read that never ends must not hold up the others. */
  const ofProcess = () => ({ ...scene.deps, pauses: createPauses() });

  /** What a process does, from the moment when it is its turn. */
  const phases = {
    collecting: { bring: async () => {}, act: () => collectDueJobs(ofProcess()) },
    'handing over': { bring: () => scene.collect(), act: runFirst },
    following: {
      async bring() {
        await scene.collect();
        clock.advance(1_000);
        await scene.runBatches();
        await printer.takeAll();
        await printer.reportAll();
        clock.advance(5_000);
      },
      act: runFirst,
    },
  };

  async function runFirst(): Promise<void> {
    clock.advance(1_000);
    const due = await Batch.findOne({ 'due.press.at': { $lte: clock.now() } }).lean<BatchRecord>();
    const claim = await claimDue<BatchRecord>(pressWork, due?._id ?? '', clock.now());
    await runBatch(claim!, ofProcess(), signal);
  }

  /** What other processes and the print system do: the leases lapse, and all goes its way. */
  async function others(): Promise<void> {
    const lapsed = new Date(0);
    await MailJob.updateMany({ 'due.batch.leaseToken': { $ne: null } }, { $set: { 'due.batch.leaseUntil': lapsed } });
    await Batch.updateMany({ 'due.press.leaseToken': { $ne: null } }, { $set: { 'due.press.leaseUntil': lapsed } });
    for (let round = 0; round < 6; round += 1) {
      await printer.takeAll();
      await printer.reportAll();
      await scene.collect();
      clock.advance(61_000);
      await scene.runBatches();
    }
  }

  async function startDay(): Promise<string[]> {
    do clock.set(new Date(clock.now().getTime() + dayMs));
    while ([0, 6].includes(clock.now().getUTCDay()));
    clock.set(new Date(`${clock.now().toISOString().slice(0, 10)}T08:00:00Z`));
    const letters = [await scene.sendRendered(two), await scene.sendRendered(two, 2)];
    clock.set(letters[0]!.closesAt);
    return letters.map(({ _id }) => _id);
  }

  async function expectOnce(ids: readonly string[]): Promise<void> {
    const jobs = await Promise.all(ids.map(scene.read));
    const got = new Map(printer.items.map((item) => [item.itemId, item]));
    for (const { status, items } of jobs) {
      expect(status).toBe(items.every((item) => item.status === 'failed') ? 'failed' : 'printed');
      for (const { itemId, status: now, copySha256 } of items) {
        expect([now, copySha256]).toEqual([got.get(itemId)?.result, got.get(itemId)?.sha256]);
      }
    }
    expect(new Set(printer.items.map(({ itemId }) => itemId)).size).toBe(printer.items.length);
    for (const id of ids) expect(await scene.batchOf(id)).toMatchObject({ state: 'printed', problem: null, due: {} });
    expect(await readdir(join(root, '.incoming'))).toEqual([]);
    expect((await readdir(join(root, 'results'))).sort()).toEqual(['done', 'rejected']);
    expect(await readdir(join(root, 'results/rejected'))).toEqual([]);
  }

  const kinds = ['death', 'pause'] as const;
  /** Where each case begins differs, so what one kind leaves out in a phase is struck by the other. */
  const cases = Object.keys(phases).flatMap((phase, index) =>
    kinds.map((kind, place) => {
      const first = 1 + ((index + place * Math.ceil(stride / 2)) % stride);
      return [phase as keyof typeof phases, kind, first] as const;
    }),
  );

  test.each(cases)('%s: each item is printed once whatever the step of its %s', async (phase, kind, first) => {
    const { bring, act } = phases[phase];
    const strike: Strike = kind === 'death' ? { kind } : { kind, meanwhile: others };
    let struck = 0;
    for (let nth = first, step: string | null = ''; step !== null; nth += stride) {
      const ids = await startDay();
      await bring();
      step = await strikeAtStep(nth, strike, act);
      if (step !== null) struck += 1;
      try {
        await others();
        await expectOnce(ids);
      } catch (error) {
        throw new Error(`Step ${nth}, before ${step}: ${(error as Error).message}`, { cause: error });
      }
    }
    expect(struck).toBeGreaterThan(0);
    // Of all steps together: nothing repairs a violation, and each look reads the whole ledger.
    expect(await findViolations()).toEqual([]);
  });
});
