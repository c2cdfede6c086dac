// Level: push
import { AuditEntry } from '#common/audit/audit.model.ts';
import {
  addTrackingRange,
  closeTrackingRange,
  type NewTrackingRange,
  skipTrackingNumbers,
} from '#common/production/tracking/manage-ranges.ts';
import { levelsOf, listTrackingRanges, readRangeLevels } from '#common/production/tracking/range-levels.ts';
import { TrackingRange, type TrackingRangeRecord } from '#common/production/tracking/tracking-range.model.ts';
import { describe, expect, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';

const by = { kind: 'cli', id: 'operator' } as const;
const day = new Date('2027-03-01T08:00:00Z');

function aRange(firstSerial: number, lastSerial: number, changes: Partial<NewTrackingRange> = {}): NewTrackingRange {
  return { indicator: 'RA', country: 'XX', firstSerial, lastSerial, automaticZones: [], note: null, ...changes };
}

describe('ranges of tracking numbers', () => {
  startWorld({ hasTariffs: false });
  const add = (range: NewTrackingRange, at = day) => addTrackingRange(range, by, at);
  const change = (_id: string, values: Partial<TrackingRangeRecord>) =>
    TrackingRange.updateOne({ _id }, { $set: values });

  test('a range is stored with its first number as the next one, and recorded', async () => {
    const { _id } = await add(aRange(7, 12, { note: 'invoice 7', automaticZones: ['INTERNATIONAL'] }));
    expect(_id).toBe('RA-XX-1');
    expect(await TrackingRange.findById(_id).orFail().lean()).toEqual({
      ...{ _id, indicator: 'RA', country: 'XX', firstSerial: 7, lastSerial: 12, nextSerial: 7, addedAt: day },
      ...{ automaticZones: ['INTERNATIONAL'], note: 'invoice 7', lastAssignedAt: null, closedAt: null },
    });
    expect(await AuditEntry.find({ subjectId: _id }).lean()).toMatchObject([
      { action: 'tracking-range.added', actor: by, detail: { firstSerial: '00000007', lastSerial: '00000012' } },
    ]);
  });

  test.each([
    [{ indicator: 'LA' }, 'indicator'],
    [{ indicator: 'R1' }, 'indicator'],
    [{ country: 'B' }, 'country'],
    [{ firstSerial: -1 }, 'firstSerial'],
    [{ lastSerial: 100_000_000 }, 'lastSerial'],
    [{ firstSerial: 21 }, 'lastSerial'],
  ])('a range with %j is refused, and not stored', async (changes, field) => {
    const range = aRange(20, 20, { indicator: 'RB', ...changes });
    await expect(add(range)).rejects.toMatchObject({ code: 'VALIDATION_ERROR', issues: [{ path: [field] }] });
    expect(await TrackingRange.countDocuments({ indicator: range.indicator })).toBe(0);
  });

  test('a range that shares its first or last number with an open one is refused, its neighbours are not', async () => {
    const of = (first: number, last: number) => aRange(first, last, { indicator: 'RC' });
    await add(of(100, 199));
    for (const [first, last] of [
      [199, 250],
      [50, 100],
      [150, 150],
      [0, 99_999_999],
    ] as const) {
      await expect(add(of(first, last))).rejects.toMatchObject({
        code: 'CONFLICT',
        message: expect.stringMatching(
          /^The range overlaps RC-XX-1 \(00000100 to 00000199\), which still gives numbers\. It has given none so far: if it is the wrong one, close it/,
        ),
      });
    }
    await change('RC-XX-1', { nextSerial: 101, lastAssignedAt: day });
    await expect(add(of(150, 150))).rejects.toMatchObject({ message: expect.stringContaining('so far on 2027-03-01') });
    expect((await add(of(200, 250)))._id).toBe('RC-XX-2');
    expect((await add(of(0, 99)))._id).toBe('RC-XX-3');
    expect((await add({ ...of(100, 199), indicator: 'RD' }))._id).toBe('RD-XX-1');
    expect((await add({ ...of(100, 199), country: 'BE' }))._id).toBe('RC-BE-1');
  });

  test.each([
    ['RE', '2027-03-01T08:00:00Z', '2029-03-02', '2029-03-01T23:00:00Z'],
    // An hour before midnight UTC is the next day in Brussels; 24 months after 29 February is 28 February.
    ['RF', '2028-02-28T23:00:00Z', '2030-03-01', '2030-02-28T23:00:00Z'],
    ['RG', '2027-07-31T21:59:00Z', '2029-08-01', '2029-07-31T22:00:00Z'],
  ])('%s: a number assigned last at %s is free from %s on', async (indicator, last, from, midnight) => {
    const old = await add(aRange(100, 199, { indicator }));
    await change(old._id, { nextSerial: 200, lastAssignedAt: new Date(last) });
    const again = aRange(199, 299, { indicator });
    await expect(add(again, new Date(Date.parse(midnight) - 1))).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining(`this is possible from ${from} on`),
    });
    expect((await add(again, new Date(midnight)))._id).toBe(`${indicator}-XX-2`);
  });

  test('of several ranges that overlap, the one that was used last decides', async () => {
    const of = (first: number, last: number) => aRange(first, last, { indicator: 'RH' });
    const used = [await add(of(0, 9)), await add(of(10, 19)), await add(of(20, 29))];
    for (const [index, month] of ['01', '05', '03'].entries()) {
      const { _id = '', lastSerial = 0 } = used[index] ?? {};
      await change(_id, { nextSerial: lastSerial + 1, lastAssignedAt: new Date(`2027-${month}-10T12:00:00Z`) });
    }
    await expect(add(of(0, 29))).rejects.toMatchObject({ message: expect.stringContaining('2029-05-11') });
    await expect(add(of(20, 29))).rejects.toMatchObject({ message: expect.stringContaining('2029-03-11') });
  });

  test('a range closed before any number was assigned is free; one closed later is not', async () => {
    const of = (first: number, last: number) => aRange(first, last, { indicator: 'RJ' });
    const { _id } = await add(of(0, 9));
    expect(await closeTrackingRange(_id, by, day)).toBe(true);
    expect(await closeTrackingRange(_id, by, new Date())).toBe(false);
    expect(await TrackingRange.findById(_id).lean()).toMatchObject({ closedAt: day, nextSerial: 0 });
    expect(await AuditEntry.find({ subjectId: _id, action: 'tracking-range.closed' }).lean()).toMatchObject([
      { actor: by, detail: { unusedNumbers: 10 } },
    ]);
    const again = await add(of(5, 14));
    await change(again._id, { nextSerial: 6, lastAssignedAt: day });
    await closeTrackingRange(again._id, by, day);
    await expect(add(of(10, 19))).rejects.toMatchObject({ message: expect.stringContaining('2029-03-02') });
    await expect(closeTrackingRange('RJ-XX-9', by, day)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('a range goes on with a later number of its own, and never with an earlier one', async () => {
    const { _id: rangeId } = await add(aRange(0, 9, { indicator: 'RQ' }));
    const skip = (nextSerial: number) => skipTrackingNumbers({ rangeId, nextSerial }, by, day);
    expect(await skip(4)).toBe(4);
    expect(await TrackingRange.findById(rangeId).lean()).toMatchObject({ nextSerial: 4, lastAssignedAt: day });
    for (const serial of [3, 4, 10]) {
      const message = expect.stringContaining('gives 00000004 to 00000009');
      await expect(skip(serial)).rejects.toMatchObject({ code: 'CONFLICT', message });
    }
    await closeTrackingRange(rangeId, by, day);
    await expect(skip(5)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await AuditEntry.find({ subjectId: rangeId, action: 'tracking-range.skipped' }).lean()).toMatchObject([
      { actor: by, detail: { nextSerial: '00000004', skipped: 4 } },
    ]);
  });

  test('of ten overlapping ranges added at once, one is stored', async () => {
    const adding = Array.from({ length: 10 }, (_, index) => add(aRange(index, 20, { indicator: 'RK' })));
    const outcomes = await Promise.allSettled(adding);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await TrackingRange.countDocuments({ indicator: 'RK' })).toBe(1);
    const apart = Array.from({ length: 5 }, (_, index) => add(aRange(100 + index, 100 + index, { indicator: 'RK' })));
    const ids = (await Promise.all(apart)).map(({ _id }) => _id);
    expect(ids.sort()).toEqual(['RK-XX-2', 'RK-XX-3', 'RK-XX-4', 'RK-XX-5', 'RK-XX-6']);
  });

  test('few numbers are left below 500, over all ranges of an indicator and country', async () => {
    const level = async () => (await readRangeLevels()).find(({ indicator }) => indicator === 'RL');
    const first = await add(aRange(0, 499, { indicator: 'RL' }));
    expect(await level()).toEqual({ indicator: 'RL', country: 'XX', left: 500, isLow: false });
    await change(first._id, { nextSerial: 1 });
    expect(await level()).toMatchObject({ left: 499, isLow: true });
    await add(aRange(1_000, 1_000, { indicator: 'RL' }));
    expect(await level()).toMatchObject({ left: 500, isLow: false });
    await closeTrackingRange('RL-XX-2', by, day);
    await change(first._id, { nextSerial: 500 });
    expect(await level()).toMatchObject({ left: 0, isLow: true });
    await closeTrackingRange(first._id, by, day);
    expect(await level()).toBeUndefined();
    expect(levelsOf(await listTrackingRanges())).toEqual(await readRangeLevels());
  });
});
