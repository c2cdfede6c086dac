// Level: push
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { reconcile } from '#common/operations/reconcile.ts';
import { claimDue } from '#common/platform/due-work/due-work.ts';
import { Batch, type BatchRecord, pressWork } from '#common/production/batches/batch.model.ts';
import { markBatch, printAgain } from '#common/production/operator/mark-batch.ts';
import { setLetterStatus } from '#common/production/operator/set-letter-status.ts';
import { runBatch } from '#common/production/submission/run-batch.ts';
import { beforeEach, describe, expect, standingClock, test } from '#test/support/jest.ts';
import { aRequestAddress, eventKindsOf, ledgerOf } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { aPress, Crash, pressSteps } from '#test/support/production/a-press.ts';
import { startPressScene } from '#test/support/production/press-scene.ts';

describe('the way of a batch', () => {
  const clock = standingClock(new Date('2027-03-01T08:00:00Z'));
  const world = startWorld({ clock });
  const press = aPress();
  const printRules = [{ zone: null, serviceType: null, provider: 'cups' }] as const;
  const scene = startPressScene(world, clock, { printRules, providers: { cups: press.provider } });
  const three = { recipients: ['Ada', 'Bo', 'Cy'].map((name) => aRequestAddress({ name })) };
  beforeEach(() => {
    Object.assign(press.settings, { crashAt: null, isDown: false, isBlind: false });
    press.printed.length = 0;
    press.results.length = 0;
    // The next working day at nine: each test has batches of its own.
    do clock.advance(24 * 3_600_000);
    while ([0, 6].includes(clock.now().getUTCDay()));
    clock.set(new Date(`${clock.now().toISOString().slice(0, 10)}T08:00:00Z`));
  });

  const violations = async () => {
    const found: unknown[] = [];
    await reconcile({ report: (violation) => found.push(violation) });
    return found;
  };
  const statusesOf = async (id: string) => {
    const { status, items } = await scene.read(id);
    return [status, ...items.map((item) => item.status)];
  };
  /** Lets the lease of a dead worker end, and its batch be due. */
  async function expire(batchId: string): Promise<void> {
    const past = new Date(0);
    await Batch.updateOne({ _id: batchId }, { $set: { 'due.press.leaseUntil': past, 'due.press.at': past } });
  }
  async function poll(): Promise<void> {
    clock.advance(5_000);
    await scene.runBatches();
  }

  test('a closed batch is handed over once, and its results move the items', async () => {
    const { _id, items } = await scene.sendRendered(three);
    await scene.bringToPress(_id);
    const { _id: batchId, state, submittedAt } = await scene.batchOf(_id);
    expect([state, submittedAt === null]).toEqual(['at_press', false]);
    expect(press.printed.map(({ itemId }) => itemId)).toEqual(items.map(({ itemId }) => itemId));
    const { items: sent } = await scene.read(_id);
    expect(press.printed.map(({ sha256 }) => sha256)).toEqual(sent.map(({ copySha256 }) => copySha256));

    const [first, second, third] = items.map(({ itemId }) => itemId) as [string, string, string];
    press.results.push({ itemId: first, result: 'printed' }, { itemId: 'mi_other', result: 'printed' });
    await poll();
    expect(await statusesOf(_id)).toEqual(['queued', 'printed', 'queued', 'queued']);
    press.results.push(
      { itemId: first, result: 'printed' },
      { itemId: second, result: 'failed', reason: 'The paper tore.' },
      { itemId: third, result: 'printed' },
    );
    await poll();
    expect(await statusesOf(_id)).toEqual(['printed', 'printed', 'failed', 'printed']);
    expect((await scene.read(_id)).items[1]?.failure).toEqual({ code: 'PRINT_FAILED', message: 'The paper tore.' });
    expect((await scene.batchOf(_id)).state).toBe('printed');
    expect(press.results).toEqual([]);

    await markBatch(batchId, 'posted', undefined, { hints: world.hints, at: clock.now() });
    await scene.runBatches();
    expect(await statusesOf(_id)).toEqual(['posted', 'posted', 'failed', 'posted']);
    expect((await scene.batchOf(_id)).state).toBe('posted');
    expect(await eventKindsOf(_id)).toEqual(['MAIL_QUEUED', 'MAIL_PRINTED', 'MAIL_POSTED']);
    const refunds = (await ledgerOf(scene.customer)).filter(
      (entry) => entry.mailJobId === _id && entry.kind === 'refund',
    );
    expect(refunds.map(({ itemId }) => itemId)).toEqual([second]);
    expect(press.printed).toHaveLength(3);
    expect(await violations()).toEqual([]);
  });

  test('a batch stays open while letters of its cutoff are being collected', async () => {
    const { _id, closesAt } = await scene.sendRendered();
    const { _id: slow } = await scene.sendRendered();
    const held = { 'due.batch.leaseToken': 'other', 'due.batch.leaseUntil': new Date('2100-01-01') };
    await MailJob.updateOne({ _id: slow }, { $set: held });
    await scene.bringToPress(_id);
    expect((await scene.batchOf(_id)).state).toBe('open');
    await MailJob.updateOne({ _id: slow }, { $set: { 'due.batch.leaseUntil': new Date(0) } });
    await scene.bringToPress(slow);
    expect(await scene.batchOf(_id)).toMatchObject({ state: 'at_press', itemCount: 2 });
    // A worker that never returns does not hold the batch for ever.
    const { _id: other } = await scene.sendRendered({ color: true });
    const { _id: lost } = await scene.sendRendered({ color: true });
    await MailJob.updateOne({ _id: lost }, { $set: held });
    await scene.bringToPress(other);
    clock.set(new Date((await scene.read(other)).closesAt.getTime() + 121_000));
    await scene.runBatches();
    expect((await scene.batchOf(other)).state).toBe('at_press');
    expect(closesAt < clock.now()).toBe(true);
    await MailJob.updateOne({ _id: lost }, { $unset: { 'due.batch': '' } });
  });

  test('a press that is down gets the batch later, and the operator sees why it waits', async () => {
    press.settings.isDown = true;
    const { _id } = await scene.sendRendered();
    await scene.bringToPress(_id);
    expect(await scene.batchOf(_id)).toMatchObject({
      state: 'closed',
      problem: 'The press is switched off. Switch it on.',
    });
    press.settings.isDown = false;
    clock.advance(60_000);
    await scene.runBatches();
    expect(await scene.batchOf(_id)).toMatchObject({ state: 'at_press', problem: null });
    expect(press.printed).toHaveLength(1);
  });

  test.each(pressSteps)('a worker that dies at %s leaves a batch that is printed exactly once', async (step) => {
    press.settings.crashAt = step;
    const { _id } = await scene.sendRendered(three);
    clock.set((await scene.read(_id)).closesAt);
    await scene.collect();
    clock.advance(1_000);
    const { batchId = '' } = await scene.read(_id);
    const claim = await claimDue<BatchRecord>(pressWork, batchId, clock.now());
    const { signal } = new AbortController();
    // Locating would resolve the doubt at once: a dead worker does not get that far.
    const locate = async () => {
      throw new Crash('locate');
    };
    const dying = { ...scene.deps, providers: { ...scene.deps.providers, cups: { ...press.provider, locate } } };
    await expect(runBatch(claim!, dying, signal)).rejects.toThrow(Crash);
    expect((await scene.batchOf(_id)).state).toBe(step === 'prepare' ? 'closed' : 'submitting');
    await expire(batchId);
    await scene.runBatches();
    expect((await scene.batchOf(_id)).state).toBe('at_press');
    expect(press.printed.map(({ itemId }) => itemId).sort()).toEqual(
      (await scene.read(_id)).items.map(({ itemId }) => itemId).sort(),
    );
  });

  test.each(['printed', 'again'] as const)('a batch in doubt waits for the operator, who says: %s', async (said) => {
    press.settings.crashAt = said === 'printed' ? 'after' : 'before';
    press.settings.isBlind = true;
    const { _id } = await scene.sendRendered();
    await scene.bringToPress(_id);
    const { _id: batchId, state, problem } = await scene.batchOf(_id);
    expect([state, problem]).toEqual(['needs_operator', expect.stringContaining('Look at the press')]);
    clock.advance(3_600_000);
    await scene.runBatches();
    expect(await scene.batchOf(_id)).toMatchObject({ state: 'needs_operator', due: {} });
    const now = { hints: world.hints, at: clock.now() };
    if (said === 'again') {
      press.settings.isBlind = false;
      await printAgain(batchId, undefined, now);
      await expect(printAgain(batchId, undefined, now)).rejects.toMatchObject({ code: 'CONFLICT' });
      await scene.runBatches();
      expect((await scene.batchOf(_id)).state).toBe('at_press');
    } else {
      await markBatch(batchId, 'printed', undefined, now);
      await scene.runBatches();
      expect([(await scene.batchOf(_id)).state, (await scene.read(_id)).status]).toEqual(['printed', 'printed']);
    }
    expect(press.printed).toHaveLength(1);
  });

  test('a batch whose letters all failed before it was handed over is not printed', async () => {
    const { _id } = await scene.sendRendered();
    clock.set((await scene.read(_id)).closesAt);
    await scene.collect();
    await setLetterStatus(
      { mailJobId: _id, target: 'failed', reason: 'Lost' },
      { hints: world.hints, at: clock.now() },
    );
    clock.advance(1_000);
    await scene.runBatches();
    expect([(await scene.batchOf(_id)).state, press.printed]).toEqual(['posted', []]);
  });
});

describe('the simulated press', () => {
  const clock = standingClock(new Date('2027-03-01T08:00:00Z'));
  const world = startWorld({ clock });
  const printRules = [{ zone: null, serviceType: null, provider: 'simulated' }] as const;
  const scene = startPressScene(world, clock, { printRules });

  test('prints at once, and posts at the cutoff', async () => {
    const { _id } = await scene.sendRendered();
    await scene.bringToPress(_id);
    clock.advance(5_000);
    await scene.runBatches();
    expect([(await scene.batchOf(_id)).state, (await scene.read(_id)).status]).toEqual(['printed', 'printed']);
    clock.set((await scene.batchOf(_id)).cutoffAt);
    await scene.runBatches();
    expect([(await scene.batchOf(_id)).state, (await scene.read(_id)).status]).toEqual(['posted', 'posted']);
  });
});
