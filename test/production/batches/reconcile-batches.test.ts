// Level: push
import { ItemHistory } from '#common/mail-jobs/items/item-history.model.ts';
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { newDue } from '#common/platform/due-work/due-work.ts';
import { Batch } from '#common/production/batches/batch.model.ts';
import { beforeEach, describe, expect, standingClock, test } from '#test/support/jest.ts';
import { aRequestAddress } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { startPressScene } from '#test/support/production/press-scene.ts';
import { findViolations } from '#test/support/wallet/invariants.ts';

const at = new Date('2027-03-01T08:00:00Z');

/** What is broken, and the rules that must be reported for the letter and for its batch. */
const tamperings: Record<
  string,
  (ids: { letter: string; batch: string }) => Promise<[letter: string[], batch: string[]]>
> = {
  'a letter loses its batch': async ({ letter }) => {
    await MailJob.updateOne({ _id: letter }, { $unset: { batchId: '' } });
    const counts = ['letterCount is the number of its mail jobs', 'itemCount is the number of items that were batched'];
    return [
      ['a queued live mail job is in a batch or due for one'],
      [...counts, 'sheetCount is the number of their sheets'],
    ];
  },
  'a batch is removed': async ({ batch }) => {
    await Batch.deleteOne({ _id: batch });
    return [['the batch of a mail job exists'], []];
  },
  'a batched letter is collected again': async ({ letter }) => {
    await MailJob.updateOne({ _id: letter }, { $set: { 'due.batch': newDue(at) } });
    return [['a mail job in a batch is not due for another'], []];
  },
  'a batch counts an item too many': async ({ batch }) => {
    await Batch.updateOne({ _id: batch }, { $inc: { itemCount: 1 } });
    return [[], ['itemCount is the number of items that were batched']];
  },
  'an item is in a batch without a step in its history': async ({ letter }) => {
    await ItemHistory.collection.deleteOne({ mailJobId: letter, kind: 'batched' });
    return [[], ['itemCount is the number of items that were batched', 'sheetCount is the number of their sheets']];
  },
  'a batch is said to be posted': async ({ batch }) => {
    await Batch.updateOne({ _id: batch }, { $set: { state: 'posted' } });
    return [[], ['no item of a posted batch is queued']];
  },
  'a closed batch is not due': async ({ batch }) => {
    await Batch.updateOne({ _id: batch }, { $set: { state: 'closed' }, $unset: { 'due.press': '' } });
    return [[], ['a batch that is closed is due']];
  },
  'the report of an operator waits for ever': async ({ batch }) => {
    const pending = { $set: { state: 'at_press' as const, marking: 'printed' as const }, $unset: { 'due.press': '' } };
    await Batch.updateOne({ _id: batch }, pending);
    return [[], ['a batch that is being marked is due']];
  },
};

describe('the reconciler', () => {
  const clock = standingClock(at);
  const world = startWorld({ clock });
  const scene = startPressScene(world, clock);
  const two = { recipients: ['Ada', 'Bo'].map((name) => aRequestAddress({ name })) };
  beforeEach(() => clock.set(at));

  test('finds nothing wrong with batches at any step of their way', async () => {
    const [letter, failing] = [await scene.sendRendered(two, 3), await scene.sendRendered(two)];
    expect(await findViolations()).toEqual([]);
    clock.set(letter.closesAt);
    await scene.collect();
    expect(await findViolations()).toEqual([]);
    await scene.customer.http.post(`/v1/mails/${failing._id}/cancel`);
    await scene.bringToPress(letter._id);
    expect(await findViolations()).toEqual([]);
  });

  test.each(Object.keys(tamperings))('reports it when %s', async (name) => {
    await MailJob.deleteMany({ batchId: { $exists: true } });
    await Batch.deleteMany({});
    const known = new Set((await findViolations()).map(({ id }) => id));
    const { _id: letter, closesAt } = await scene.sendRendered(two);
    clock.set(closesAt);
    await scene.collect();
    const { _id: batch } = await scene.batchOf(letter);
    expect((await findViolations()).filter(({ id }) => !known.has(id))).toEqual([]);
    const [ofLetter, ofBatch] = (await tamperings[name]?.({ letter, batch })) ?? [];
    const found = await findViolations();
    const rulesOf = (of: string) => found.filter(({ id }) => id === of).map(({ rule }) => rule);
    expect([rulesOf(letter), rulesOf(batch)]).toEqual([ofLetter, ofBatch]);
  });
});
