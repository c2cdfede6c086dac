// Level: push
import { AuditEntry } from '#common/audit/audit.model.ts';
import { ItemHistory } from '#common/mail-jobs/items/item-history.model.ts';
import { newDue } from '#common/platform/due-work/due-work.ts';
import { Batch } from '#common/production/batches/batch.model.ts';
import { makeBatchCopies } from '#common/production/submission/batch-copies.ts';
import { closeTrackingRange } from '#common/production/tracking/manage-ranges.ts';
import { describe, expect, test } from '#test/support/jest.ts';
import { aRequestAddress } from '#test/support/product/customer.ts';
import { useRanges } from '#test/support/production/use-ranges.ts';
import { onCommand } from '#test/support/races/on-command.ts';

describe('numbers from ranges at the press', () => {
  const { world, scene, clock, by, addRange, number, aLetter, idsOf, numbersOf, move } = useRanges();

  test('a range for a zone numbers its letters when their batch closes, and the copies have the numbers', async () => {
    const [abroad, home, other] = [
      { zone: 'INTERNATIONAL', recipients: [aRequestAddress({ zip: '75001', country: 'FR' })] },
      {},
      { serviceType: 'prior' },
    ];
    await addRange(1, 1, { automaticZones: ['INTERNATIONAL'] });
    const sent = [];
    for (const kind of [abroad, abroad, home, other]) {
      sent.push(await scene.sendRendered({ serviceType: 'registered', ...kind }));
      clock.advance(1);
    }
    const { batchId = '' } = await scene.bringToPress(sent[0]?._id ?? '');
    expect((await Promise.all(sent.map(({ _id }) => numbersOf(_id)))).flat()).toEqual([number(1), null, null, null]);
    const { itemId = '' } = sent[0]?.items[0] ?? {};
    expect(await ItemHistory.findOne({ itemId, kind: 'tracked' }).lean()).toMatchObject({ by: 'press' });
    expect(await AuditEntry.findOne({ subjectId: itemId }).lean()).toMatchObject({
      actor: { kind: 'system', id: 'press' },
    });
    expect((await scene.batchOf(sent[1]?._id ?? '')).state).toBe('at_press');

    const copies: unknown[] = [];
    const { signal } = new AbortController();
    for await (const { item, release } of makeBatchCopies(batchId, { store: world.store, signal })) {
      copies.push(item.trackingNumber);
      release();
    }
    expect(copies).toEqual([number(1), undefined]);
  });

  test('a batch that goes to press again numbers only the items that are still to be printed', async () => {
    const letter = await aLetter(2);
    const { batchId = '' } = letter;
    await move(letter, idsOf(letter).slice(0, 1), 'printed');
    const range = await addRange(1, 99, { automaticZones: ['NATIONAL'] });
    await scene.setState(batchId, 'closed');
    await scene.runBatches();
    expect(await numbersOf(letter._id)).toEqual([null, number(1)]);
    // Letters of later tests are for this zone too.
    await closeTrackingRange(range._id, by, clock.now());
  });

  test('a batch is printed without numbers when assigning them has failed four times', async () => {
    const letter = await aLetter();
    const { batchId = '' } = letter;
    await addRange(1, 99, { automaticZones: ['NATIONAL'] });
    await scene.setState(batchId, 'closed');
    const failRanges = async ({ name }: { name: string }, run: () => Promise<unknown>) => {
      if (name === 'find tracking_ranges') throw new Error('The ranges cannot be read.');
      return await run();
    };
    const outcomes: string[] = [];
    for (let failures = 0; failures < 4; failures += 1) {
      await Batch.updateOne({ _id: batchId }, { $set: { 'due.press': { ...newDue(clock.now()), failures } } });
      const run = () => onCommand(failRanges, () => scene.runBatches());
      outcomes.push(
        await run().then(
          () => 'printed',
          (error: Error) => error.message,
        ),
      );
    }
    const failed = 'The ranges cannot be read.';
    expect(outcomes).toEqual([failed, failed, failed, 'printed']);
    expect((await scene.batchOf(letter._id)).state).toBe('at_press');
    expect(await numbersOf(letter._id)).toEqual([null]);
  });
});
