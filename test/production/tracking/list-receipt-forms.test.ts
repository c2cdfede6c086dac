// Level: push
import { advanceItems } from '#common/mail-jobs/items/advance-items.ts';
import { MailJob, type MailJobRecord, receiptIndex } from '#common/mail-jobs/model/mail-job.model.ts';
import { rowsOf } from '#common/platform/mongo/mongo.ts';
import { listReceiptForms, receiptFilter } from '#common/production/tracking/list-receipt-forms.ts';
import { recordTracking } from '#common/production/tracking/record-tracking.ts';
import { describe, expect, standingClock, test } from '#test/support/jest.ts';
import { aRequestAddress } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { startPressScene } from '#test/support/production/press-scene.ts';
import { s10Of } from '#test/support/production/s10-of.ts';

describe('the letters that need a receipt form', () => {
  const clock = standingClock(new Date('2027-03-01T08:00:00Z'));
  const world = startWorld({ clock });
  const scene = startPressScene(world, clock);
  const withReceipt = { serviceType: 'registered', acknowledgmentReceipt: true };

  async function aLetter(fields: Record<string, unknown>, count = 1): Promise<MailJobRecord> {
    const recipients = Array.from({ length: count }, (_, index) => aRequestAddress({ name: `Reader ${index}` }));
    const { _id } = await scene.sendRendered({ recipients, ...fields });
    return await scene.bringToPress(_id);
  }
  const move = async (mailJobId: string, target: 'printed' | 'posted', itemIds?: string[]) =>
    await advanceItems(
      { mailJobId, target, by: 'operator', nextStepDelayS: 0, ...(itemIds && { itemIds }) },
      clock.now(),
    );
  const idsOf = ({ items }: MailJobRecord) => items.map(({ itemId }) => itemId);
  const listed = async () => (await listReceiptForms()).forms.map(({ itemId }) => itemId);

  test('an item is listed from its printing to its posting, the others of its letter are not', async () => {
    const letter = await aLetter(withReceipt, 2);
    const [first = '', second = ''] = idsOf(letter);
    expect(await listed()).toEqual([]);
    await move(letter._id, 'printed', [first]);
    const { forms, isMore } = await listReceiptForms();
    const { line1, line2, zip, city, country } = letter.items[0]!;
    expect([forms, isMore]).toEqual([
      [
        {
          ...{ itemId: first, mailJobId: letter._id, batchId: letter.batchId, dropAt: letter.dropAt },
          ...{ trackingNumber: null, recipient: { name: 'Reader 0', line1, line2, zip, city, country } },
        },
      ],
      false,
    ]);
    await recordTracking({ itemId: first, label: s10Of(1) }, undefined, clock.now());
    expect((await listReceiptForms()).forms).toMatchObject([{ itemId: first, trackingNumber: s10Of(1) }]);
    await move(letter._id, 'printed', [second]);
    expect(await listed()).toEqual([first, second]);
    await move(letter._id, 'posted', [first]);
    expect(await listed()).toEqual([second]);
    await move(letter._id, 'posted', [second]);
    expect(await listed()).toEqual([]);
  });

  test.each([
    ['registered', false],
    ['prior', true],
    ['standard', false],
  ])('a printed letter by %s with the receipt %p is not listed', async (serviceType, acknowledgmentReceipt) => {
    const { _id } = await aLetter({ serviceType, acknowledgmentReceipt });
    await move(_id, 'printed');
    expect(await listed()).toEqual([]);
  });

  test('the list is in the order of cutoffs, bounded, and reads no other letters', async () => {
    clock.set(new Date('2027-03-08T08:00:00Z'));
    const other = await aLetter({ serviceType: 'registered' });
    const early = await aLetter(withReceipt);
    clock.set(new Date('2027-03-11T08:00:00Z'));
    const late = await aLetter(withReceipt);
    for (const { _id } of [late, early, other]) await move(_id, 'printed');
    const forms = async (limit: number) => {
      const { forms: found, isMore } = await listReceiptForms({ limit });
      return [found.map(({ mailJobId }) => mailJobId), isMore];
    };
    expect(await forms(1)).toEqual([[early._id], true]);
    expect(await forms(2)).toEqual([[early._id, late._id], false]);
    const row = (await scene.read(other._id)) as MailJobRecord;
    const strangers = Array.from({ length: 50 }, (_, index) => ({ ...row, _id: `${row._id}${index}` }));
    await rowsOf<MailJobRecord>(MailJob).insertMany(strangers);
    const plan = await rowsOf<MailJobRecord>(MailJob)
      .find(receiptFilter as object, { hint: receiptIndex, sort: receiptIndex, limit: 501 })
      .explain('executionStats');
    const { totalDocsExamined, totalKeysExamined } = plan.executionStats;
    expect([totalDocsExamined, totalKeysExamined]).toEqual([2, 2]);
    expect(JSON.stringify(plan.queryPlanner.winningPlan)).not.toContain('"SORT"');
  });
});
