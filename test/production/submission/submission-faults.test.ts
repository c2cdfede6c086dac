// Level: push
import { claimDue } from '#common/platform/due-work/due-work.ts';
import { Batch, type BatchRecord, pressWork } from '#common/production/batches/batch.model.ts';
import { setLetterStatus } from '#common/production/operator/set-letter-status.ts';
import { PressUnavailableError } from '#common/production/providers/press-provider.ts';
import { pollMs } from '#common/production/submission/press-steps.ts';
import { runBatch } from '#common/production/submission/run-batch.ts';
import { beforeEach, describe, expect, standingClock, test } from '#test/support/jest.ts';
import { aRequestAddress } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { aPress, Crash } from '#test/support/production/a-press.ts';
import { startPressScene } from '#test/support/production/press-scene.ts';
import { onCommand } from '#test/support/races/on-command.ts';
import { findViolations } from '#test/support/wallet/invariants.ts';

const clock = standingClock(new Date('2027-03-01T08:00:00Z'));
const world = startWorld({ clock });
const two = { recipients: ['Ada', 'Bo'].map((name) => aRequestAddress({ name })) };
const { signal } = new AbortController();

/** The next working day at nine: each test has batches of its own, and no others are due. */
beforeEach(async () => {
  await Batch.updateMany({}, { $unset: { 'due.press': '' } });
  do clock.advance(24 * 3_600_000);
  while ([0, 6].includes(clock.now().getUTCDay()));
  clock.set(new Date(`${clock.now().toISOString().slice(0, 10)}T08:00:00Z`));
});

/** Ends all leases, so that another process continues. */
async function lapse(): Promise<void> {
  const past = new Date(0);
  await Batch.updateMany({ 'due.press': { $exists: true } }, { $set: { 'due.press.leaseUntil': past } });
}

describe('a batch at a press', () => {
  const press = aPress();
  const printRules = [{ zone: null, serviceType: null, provider: 'cups' }] as const;
  const scene = startPressScene(world, clock, { printRules, providers: { cups: press.provider } });
  beforeEach(() => {
    Object.assign(press.settings, { crashAt: null, isDown: false, isBlind: false });
    press.printed.length = 0;
    press.results.length = 0;
  });

  async function claimBatch(id: string) {
    const { batchId = '' } = await scene.read(id);
    const claim = await claimDue<BatchRecord>(pressWork, batchId, clock.now());
    if (!claim) throw new Error('The batch is not due.');
    return claim;
  }
  const withPress = (provider: Partial<typeof press.provider> | null) => ({
    ...scene.deps,
    providers: { ...scene.deps.providers, cups: provider && { ...press.provider, ...provider } },
  });

  test.each(['failed', 'posted'] as const)(
    'a letter that an operator sets to %s while its copies are made is not handed over',
    async (target) => {
      const { _id, closesAt } = await scene.sendRendered(two);
      const other = await scene.sendRendered();
      clock.set(closesAt);
      await scene.collect();
      clock.advance(1_000);
      const prepare: typeof press.provider.prepare = async (work) => {
        const handOver = await press.provider.prepare(work);
        if ((await scene.read(_id)).status !== target)
          await setLetterStatus({ mailJobId: _id, target }, { hints: world.hints, at: clock.now() });
        return handOver;
      };
      await runBatch(await claimBatch(_id), withPress({ prepare }), signal);
      await scene.runBatches();
      expect(press.printed.map(({ itemId }) => itemId)).toEqual(other.items.map(({ itemId }) => itemId));
      expect((await scene.batchOf(_id)).state).toBe('at_press');
    },
  );

  test('a worker without the provider leaves a batch to those that have it', async () => {
    const { _id, items } = await scene.sendRendered();
    await scene.bringToPress(_id);
    clock.advance(pollMs);
    await runBatch(await claimBatch(_id), withPress(null), signal);
    expect(await scene.batchOf(_id)).toMatchObject({
      state: 'at_press',
      problem: expect.stringContaining('No provider'),
    });
    press.results.push({ itemId: items[0]?.itemId ?? '', result: 'printed' });
    clock.advance(60_000);
    await scene.runBatches();
    expect(await scene.batchOf(_id)).toMatchObject({ state: 'printed', problem: null });
  });

  test('a press that cannot be looked at leaves a batch in doubt, and the operator sees why', async () => {
    const { _id, closesAt } = await scene.sendRendered();
    clock.set(closesAt);
    await scene.collect();
    clock.advance(1_000);
    press.settings.crashAt = 'after';
    const locate = async () => {
      throw new PressUnavailableError('The printer does not answer.');
    };
    await runBatch(await claimBatch(_id), withPress({ locate }), signal);
    expect(await scene.batchOf(_id)).toMatchObject({ state: 'submitting', problem: 'The printer does not answer.' });
    clock.advance(60_000);
    await scene.runBatches();
    expect(await scene.batchOf(_id)).toMatchObject({ state: 'at_press', problem: null });
    expect(press.printed).toHaveLength(1);
  });

  test('a copy that was reported as printed and fails after all is refunded', async () => {
    const { _id, items } = await scene.sendRendered(two);
    await scene.bringToPress(_id);
    const itemId = items[0]?.itemId ?? '';
    for (const result of ['printed', 'failed', 'printed'] as const) {
      press.results.push(result === 'failed' ? { itemId, result, reason: 'Stained.' } : { itemId, result });
      clock.advance(pollMs);
      await scene.runBatches();
    }
    const [first, second] = (await scene.read(_id)).items;
    expect([first?.status, first?.failure, second?.status]).toEqual([
      'failed',
      { code: 'PRINT_FAILED', message: 'Stained.' },
      'queued',
    ]);
    expect(await findViolations()).toEqual([]);
  });

  test('a batch whose last results were recorded by a worker that died is finished by the next', async () => {
    const { _id, items } = await scene.sendRendered(two);
    await scene.bringToPress(_id);
    press.results.push(...items.map(({ itemId }) => ({ itemId, result: 'failed' as const, reason: 'Stained.' })));
    clock.advance(pollMs);
    const claim = await claimBatch(_id);
    let updates = 0;
    const dying = onCommand(
      async ({ name }, run) => {
        // The first update of the batch after its items.
        if (name === 'update batches') updates += 1;
        if (updates > 1) throw new Crash(name);
        return await run();
      },
      () => runBatch(claim, scene.deps, signal),
    );
    await dying.catch((error: unknown) => expect(error).toBeInstanceOf(Crash));
    await lapse();
    await scene.runBatches();
    expect(await scene.batchOf(_id)).toMatchObject({ state: 'posted', due: {} });
    expect(await findViolations()).toEqual([]);
  });
});

describe('a batch of the simulated press', () => {
  const printRules = [{ zone: null, serviceType: null, provider: 'simulated' }] as const;
  const scene = startPressScene(world, clock, { printRules });

  test('is posted at its cutoff, whatever the step at which its worker died', async () => {
    for (let nth = 1, isOver = false; !isOver; nth += 1) {
      const { _id } = await scene.sendRendered({ color: nth % 2 === 0 });
      await scene.bringToPress(_id);
      clock.advance(pollMs);
      const { _id: batchId } = await scene.batchOf(_id);
      const claim = await claimDue<BatchRecord>(pressWork, batchId, clock.now());
      let count = 0;
      const dying = onCommand(
        async ({ name, isInTransaction }, run) => {
          if (!isInTransaction) count += 1;
          if (count >= nth && !isInTransaction) throw new Crash(name);
          return await run();
        },
        () => runBatch(claim!, scene.deps, signal),
      );
      await dying.catch((error: unknown) => expect(error).toBeInstanceOf(Crash));
      isOver = count < nth;
      await lapse();
      await scene.runBatches();
      clock.set((await scene.batchOf(_id)).cutoffAt);
      await scene.runBatches();
      const { state } = await scene.batchOf(_id);
      expect([nth, state, (await scene.read(_id)).status]).toEqual([nth, 'posted', 'posted']);
      clock.set(new Date(clock.now().getTime() + 24 * 3_600_000));
    }
  });
});
