// Level: ci
import { rowsOf } from '#common/platform/mongo/mongo.ts';
import { markBatch, printAgain } from '#common/production/operator/mark-batch.ts';
import { PressJob, type PressJobRecord } from '#common/production/providers/cups/press-job.model.ts';
import { createProviders } from '#common/production/submission/create-providers.ts';
import { openPapers } from '#test/support/documents/typesetting/use-typesetting.ts';
import { describe, eventually, expect, openOnce, standingClock } from '#test/support/jest.ts';
import { openPrintSystem, testPrinting } from '#test/support/print/print-system.ts';
import { aRequestAddress, eventKindsOf } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { openPressScene } from '#test/support/production/press-scene.ts';

const test = testPrinting;

describe('a batch on a printer of cupsd', () => {
  const clock = standingClock(new Date('2027-03-01T08:00:00Z'));
  const system = openPrintSystem();
  const world = startWorld({ clock });
  const printRules = [{ zone: null, serviceType: null, provider: 'cups' }] as const;
  const scene = openOnce(async () => {
    const providers = createProviders(
      {
        hotFolder: null,
        cupsPrinter: system.cupsd?.uri ?? 'ipp://localhost:1/printers/none',
      },
      openPapers(),
    );
    return await openPressScene(world, clock, { printRules, providers });
  });
  const three = { recipients: ['Ada', 'Bo', 'Cy'].map((name) => aRequestAddress({ name })) };
  const jobs = () => rowsOf<PressJobRecord>(PressJob);
  const printsOf = async (itemIds: readonly string[]) => {
    const names = (await system.printer.prints()).map(({ name }) => name);
    return itemIds.map((itemId) => names.filter((name) => name?.startsWith(itemId)));
  };
  /** Reads the results of the batch of a letter until it reaches a state. */
  async function follow(id: string, state: string): Promise<void> {
    await eventually(async () => {
      clock.advance(5_000);
      await scene.runBatches();
      expect((await scene.batchOf(id)).state).toBe(state);
    });
  }
  function startDay(day: string): void {
    clock.set(new Date(`2027-03-${day}T08:00:00Z`));
  }

  test('each item is one print job, printed once, and moves its letter', async () => {
    const { _id, items } = await scene.sendRendered(three, 3);
    await scene.bringToPress(_id);
    await follow(_id, 'printed');
    const itemIds = items.map(({ itemId }) => itemId);
    expect(await printsOf(itemIds)).toEqual(itemIds.map((itemId) => [itemId]));
    expect((await scene.read(_id)).items.map(({ status }) => status)).toEqual(['printed', 'printed', 'printed']);
    expect(await eventKindsOf(_id)).toEqual(['MAIL_QUEUED', 'MAIL_PRINTED']);
  });

  test('an item whose sending did not end is found on the queue, and the rest follows', async () => {
    startDay('02');
    const { _id, items } = await scene.sendRendered(three);
    await scene.bringToPress(_id);
    const [first, second, third] = items.map(({ itemId }) => itemId) as [string, string, string];
    // As a worker leaves it that dies after the printer has accepted the second of three items.
    await jobs().updateOne({ _id: second }, { $set: { state: 'sending', jobId: null } });
    const { _id: batchId } = await scene.batchOf(_id);
    await scene.setState(batchId, 'submitting');
    await scene.runBatches();
    expect((await jobs().findOne({ _id: second }))?.state).toBe('sent');
    await follow(_id, 'printed');
    expect(await printsOf([first, second, third])).toEqual([[first], [second], [third]]);
  });

  test.each(['again', 'printed'] as const)(
    'an item that is not found waits for the operator, who says: %s',
    async (said) => {
      startDay(said === 'again' ? '03' : '04');
      const { _id, items } = await scene.sendRendered(three);
      const [first, second, third] = items.map(({ itemId }) => itemId) as [string, string, string];
      clock.set((await scene.read(_id)).closesAt);
      await scene.collect();
      const { _id: batchId } = await scene.batchOf(_id);
      // As a worker leaves it that dies before the printer has accepted the second of three items.
      const lost = { _id: second, batchId, attempt: 1, state: 'sending', jobId: null } as const;
      await jobs().insertOne(lost);
      await scene.setState(batchId, 'submitting');
      await scene.runBatches();
      expect(await scene.batchOf(_id)).toMatchObject({ state: 'needs_operator' });
      expect(await printsOf([first, second, third])).toEqual([[], [], []]);
      const now = { hints: world.hints, at: clock.now() };
      if (said === 'again') await printAgain(batchId, undefined, now);
      else await markBatch(batchId, 'printed', undefined, now);
      expect((await scene.batchOf(_id)).state).toBe('closed');
      await scene.runBatches();
      await follow(_id, 'printed');
      expect(await printsOf([first, second, third])).toEqual([
        [first],
        said === 'again' ? [`${second}.2`] : [],
        [third],
      ]);
    },
  );
});
