// Level: push
import { AuditEntry } from '#common/audit/audit.model.ts';
import { ItemHistory } from '#common/mail-jobs/items/item-history.model.ts';
import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { inTransaction } from '#common/platform/mongo/transaction.ts';
import { assignToBatch, assignToItem } from '#common/production/tracking/assign-numbers.ts';
import { closeTrackingRange } from '#common/production/tracking/manage-ranges.ts';
import { recordTracking } from '#common/production/tracking/record-tracking.ts';
import { formatS10 } from '#common/production/tracking/s10-number.ts';
import { takeNumbers } from '#common/production/tracking/take-numbers.ts';
import { TrackingRange } from '#common/production/tracking/tracking-range.model.ts';
import { describe, expect, test } from '#test/support/jest.ts';
import { aRequestAddress } from '#test/support/product/customer.ts';
import { useRanges } from '#test/support/production/use-ranges.ts';

describe('numbers from ranges', () => {
  const {
    scene,
    clock,
    warnings,
    by,
    country,
    addRange,
    number,
    context,
    aLetter,
    idsOf,
    numbersOf,
    nextOf,
    move,
    indicator,
  } = useRanges();

  test('each item of a batch without a number gets the next one, and a repeat changes nothing', async () => {
    const letter = await aLetter(4);
    const [first, second] = idsOf(letter) as [string, string];
    const label = formatS10({ indicator: 'VA', country }, 1);
    await recordTracking({ itemId: second, label }, by, clock.now());
    const { _id: rangeId } = await addRange(7, 99);
    clock.advance(1_000);

    const { assigned, missingCount } = await assignToBatch(letter.batchId ?? '', context());
    const [a, , c, d] = idsOf(letter);
    const expected = [a, c, d].map((itemId, index) => ({ itemId, number: number(7 + index) }));
    expect([assigned, missingCount]).toEqual([expected, 0]);
    const after = await scene.read(letter._id);
    expect(await numbersOf(letter._id)).toEqual([number(7), label, number(8), number(9)]);
    expect(after.trackingNumbers?.toSorted()).toEqual([number(7), number(8), number(9), label].sort());
    expect(after.updatedAt).toEqual(clock.now());
    expect(await TrackingRange.findById(rangeId).lean()).toMatchObject({ nextSerial: 10, lastAssignedAt: clock.now() });

    const step = { kind: 'tracked', by: 'operator', at: clock.now(), detail: { number: number(7), scheme: 's10' } };
    expect(await ItemHistory.find({ itemId: first }).lean()).toContainEqual(expect.objectContaining(step));
    expect(await AuditEntry.find({ subjectId: first }).lean()).toMatchObject([
      { action: 'item.tracked', actor: by, detail: { number: number(7), scheme: 's10', rangeId } },
    ]);
    const { body } = await scene.customer.http.get(`/v1/mails/${letter._id}`);
    expect(body.recipients[0]).toMatchObject({ trackingNumber: number(7), trackingScheme: 's10' });

    clock.advance(1_000);
    expect(await assignToBatch(letter.batchId ?? '', context())).toEqual({ assigned: [], missingCount: 0 });
    expect([await scene.read(letter._id), await nextOf(rangeId)]).toEqual([after, 10]);
  });

  test('a number that is on a scanned label is skipped', async () => {
    const [scanned, letter] = [await aLetter(3), await aLetter(3)];
    const range = await addRange(1, 99);
    for (const [index, serial] of [1, 3, 4].entries()) {
      const itemId = idsOf(scanned)[index] ?? '';
      await recordTracking({ itemId, label: number(serial) }, by, clock.now());
    }
    await assignToBatch(letter.batchId ?? '', context());
    expect(await numbersOf(letter._id)).toEqual([number(2), number(5), number(6)]);
    expect(await nextOf(range._id)).toBe(7);
  });

  test('when a range ends, what was assigned stays, and a further range goes on', async () => {
    const letter = await aLetter(5);
    await addRange(1, 3);
    const { assigned, missingCount } = await assignToBatch(letter.batchId ?? '', context());
    expect([assigned.length, missingCount]).toEqual([3, 2]);
    expect(await numbersOf(letter._id)).toEqual([number(1), number(2), number(3), null, null]);
    const last = idsOf(letter).at(-1) ?? '';
    const refused = { code: 'CONFLICT', message: expect.stringContaining('No range has a number left') };
    await expect(assignToItem(last, context())).rejects.toMatchObject(refused);
    const closed = await addRange(50, 59);
    await closeTrackingRange(closed._id, by, clock.now());
    await addRange(4, 4);
    await addRange(10, 19);
    expect(await assignToBatch(letter.batchId ?? '', context())).toMatchObject({ missingCount: 0 });
    expect(await numbersOf(letter._id)).toEqual([number(1), number(2), number(3), number(4), number(10)]);
  });

  test('a batch of 250 items gets 250 numbers in the order of printing', async () => {
    const letters: MailJobRecord[] = [];
    for (const count of [90, 90, 70]) {
      const recipients = Array.from({ length: count }, (_, index) => aRequestAddress({ name: `Reader ${index}` }));
      letters.push(await scene.sendRendered({ serviceType: 'registered', recipients }));
      // Letters of one millisecond have no order.
      clock.advance(1);
    }
    const { batchId = '' } = await scene.bringToPress(letters[0]?._id ?? '');
    await addRange(0, 999);
    expect(await assignToBatch(batchId, context())).toMatchObject({ missingCount: 0 });
    const all = (await Promise.all(letters.map(({ _id }) => numbersOf(_id)))).flat();
    expect(all).toEqual(Array.from({ length: 250 }, (_, serial) => number(serial)));
  });

  test('thirty assignments and scans at once give each item a number of its own, and lose none', async () => {
    const [one, two, scanned] = [await aLetter(12), await aLetter(12), await aLetter(3)];
    const range = await addRange(1, 99);
    const scans = idsOf(scanned).map(async (itemId, index) => {
      // A number that is assigned at this moment is refused here, and skipped there otherwise.
      await recordTracking({ itemId, label: number(2 + 5 * index) }, by, clock.now()).catch(() => undefined);
    });
    const single = [...idsOf(one), ...idsOf(two)].map((itemId) => assignToItem(itemId, context()));
    const whole = [one, two, one].map(({ batchId = '' }) => assignToBatch(batchId, context()));
    await Promise.all([...single, ...whole, ...scans]);
    await assignToBatch(scanned.batchId ?? '', context());

    const all = (await Promise.all([one, two, scanned].map(({ _id }) => numbersOf(_id)))).flat();
    expect(new Set(all).size).toBe(27);
    const serials = Array.from({ length: 27 }, (_, index) => number(1 + index));
    expect(all.toSorted()).toEqual(serials);
    expect(await nextOf(range._id)).toBe(28);
    const steps = await ItemHistory.countDocuments({ kind: 'tracked', 'detail.number': { $in: serials } });
    expect(steps).toBe(27);
  });

  test('a transaction that is rolled back gives its numbers back', async () => {
    const [itemId] = idsOf(await aLetter());
    const range = await addRange(5, 9);
    const doomed = inTransaction(async (transaction) => {
      const { numbers } = await takeNumbers(transaction, { indicator: indicator(), count: 2, at: clock.now() });
      expect(numbers.map((taken) => taken.number)).toEqual([number(5), number(6)]);
      throw new Error('The worker died.');
    });
    await expect(doomed).rejects.toThrow('died');
    expect(await TrackingRange.findById(range._id).lean()).toMatchObject({ nextSerial: 5, lastAssignedAt: null });
    expect(await assignToItem(itemId, context())).toMatchObject({ number: number(5), isNew: true });
    expect(await assignToItem(itemId, context())).toMatchObject({ number: number(5), isNew: false });
  });

  test('a number is used again from the day after 24 months on, and belongs to the new item', async () => {
    const assignedAt = clock.now();
    const old = await aLetter(2);
    await addRange(1, 2);
    await assignToBatch(old.batchId ?? '', context());
    const scannedLater = await aLetter();
    clock.set(new Date(assignedAt.getTime() + 300 * 24 * 3_600_000));
    await recordTracking({ itemId: idsOf(scannedLater)[0], label: number(3) }, by, clock.now());

    clock.set(new Date(assignedAt.getTime() + 740 * 24 * 3_600_000));
    const letter = await aLetter(2);
    await addRange(1, 9);
    await assignToBatch(letter.batchId ?? '', context());
    expect(await numbersOf(letter._id)).toEqual([number(1), number(2)]);
    expect(await numbersOf(old._id)).toEqual([number(1), number(2)]);
    expect(await MailJob.find({ trackingNumbers: number(1) }, { _id: 1 }).lean()).toEqual([{ _id: letter._id }]);
    expect(await scene.read(old._id)).not.toHaveProperty('trackingNumbers');
    // The letter is as old, but its label was scanned 300 days later.
    expect(await assignToItem(idsOf(await aLetter())[0], context())).toMatchObject({ number: number(4) });
  });

  test('items that are posted, failed, not registered or in no batch get no number', async () => {
    const range = await addRange(1, 99);
    const letter = await aLetter(3);
    const [failed, posted, printed] = idsOf(letter) as [string, string, string];
    await move(letter, [failed], 'failed');
    await move(letter, [posted, printed], 'printed');
    await move(letter, [posted], 'posted');
    await assignToBatch(letter.batchId ?? '', context());
    expect(await numbersOf(letter._id)).toEqual([null, null, number(1)]);
    const prior = await aLetter(1, { serviceType: 'prior' });
    const refused = async (itemId: string) => await assignToItem(itemId, context()).catch((error) => error.code);
    expect([await refused(failed), await refused(posted), await refused(idsOf(prior)[0])]).toEqual(
      Array.from({ length: 3 }, () => 'CONFLICT'),
    );
    expect(await refused(idsOf(await scene.sendRendered({ serviceType: 'registered' }))[0])).toBe('NOT_FOUND');
    await expect(assignToBatch(prior.batchId ?? '', context())).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(assignToBatch('bat_none', context())).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await nextOf(range._id)).toBe(2);
  });

  test('the assignment that leaves fewer than 500 numbers is logged as a warning', async () => {
    const ids = idsOf(await aLetter(4));
    await addRange(0, 501);
    const left: unknown[] = [];
    for (const itemId of ids) {
      await assignToItem(itemId, context());
      left.push(warnings.map(({ level, left: count }) => [level, count]));
    }
    expect(left).toEqual([[], [], [['warn', 499]], [['warn', 499]]]);
    expect(warnings).toMatchObject([{ indicator: indicator(), country, left: 499 }]);
  });
});
