import { AuditEntry } from '#common/audit/audit.model.ts';
import { advanceItems } from '#common/mail-jobs/items/advance-items.ts';
import { ItemHistory } from '#common/mail-jobs/items/item-history.model.ts';
import type { MailStatus } from '#common/mail-jobs/model/lifecycle.ts';
import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { newDue } from '#common/platform/due-work/due-work.ts';
import { inTransaction } from '#common/platform/mongo/transaction.ts';
import { createLog } from '#common/platform/process/log.ts';
import { Batch } from '#common/production/batches/batch.model.ts';
import { makeBatchCopies } from '#common/production/submission/batch-copies.ts';
import { assignToBatch, assignToItem } from '#common/production/tracking/assign-numbers.ts';
import { addTrackingRange, closeTrackingRange } from '#common/production/tracking/manage-ranges.ts';
import { recordTracking } from '#common/production/tracking/record-tracking.ts';
import { formatS10 } from '#common/production/tracking/s10-number.ts';
import { takeNumbers } from '#common/production/tracking/take-numbers.ts';
import { TrackingRange, type TrackingRangeRecord } from '#common/production/tracking/tracking-range.model.ts';
import { beforeEach, describe, expect, standingClock, test } from '#test/support/jest.ts';
import { aRequestAddress } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { startPressScene } from '#test/support/production/press-scene.ts';
import { onCommand } from '#test/support/races/on-command.ts';

const by = { kind: 'cli', id: 'operator' } as const;
const country = 'XX';

describe('numbers from ranges', () => {
  const clock = standingClock(new Date('2027-03-01T08:00:00Z'));
  const world = startWorld({ clock });
  const scene = startPressScene(world, clock);
  const warnings: Record<string, unknown>[] = [];
  const log = createLog('test', 'warn', { write: (line) => void warnings.push(JSON.parse(line)) });

  // Each test has an indicator of its own, and a day of its own for its batches.
  let indicator = 'RA';
  beforeEach(() => {
    clock.set(new Date(clock.now().getTime() + 7 * 24 * 3_600_000));
    indicator = `R${String.fromCharCode(indicator.charCodeAt(1) + 1)}`;
    warnings.length = 0;
  });

  async function addRange(firstSerial: number, lastSerial: number, changes: Partial<TrackingRangeRecord> = {}) {
    const range = { indicator, country, firstSerial, lastSerial, automaticZones: [], note: null, ...changes };
    return await addTrackingRange(range, by, clock.now());
  }
  const number = (serial: number) => formatS10({ indicator, country }, serial);
  const context = () => ({ from: { indicator }, by, toldBy: 'operator', clock, log }) as const;

  /** A letter in a batch, registered unless the fields say otherwise. */
  async function aLetter(count = 1, fields: Record<string, unknown> = {}): Promise<MailJobRecord> {
    const recipients = Array.from({ length: count }, (_, index) => aRequestAddress({ name: `Reader ${index}` }));
    const { _id } = await scene.sendRendered({ serviceType: 'registered', recipients, ...fields });
    return await scene.bringToPress(_id);
  }
  const idsOf = ({ items }: MailJobRecord) => items.map(({ itemId }) => itemId) as [string, ...string[]];
  const numbersOf = async (id: string) => (await scene.read(id)).items.map(({ tracking }) => tracking?.number ?? null);
  const nextOf = async (rangeId: string) => (await TrackingRange.findById(rangeId).orFail().lean()).nextSerial;
  const move = async ({ _id: mailJobId }: MailJobRecord, itemIds: string[], target: MailStatus) => {
    const failure = { code: 'PRINT_FAILED', message: 'The paper tore.' } as const;
    const failing = target === 'failed' ? { failure } : {};
    return await advanceItems({ mailJobId, itemIds, target, by: 'press', nextStepDelayS: 0, ...failing }, clock.now());
  };

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
      const { numbers } = await takeNumbers(transaction, { indicator, count: 2, at: clock.now() });
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
    expect(warnings).toMatchObject([{ indicator, country, left: 499 }]);
  });

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
