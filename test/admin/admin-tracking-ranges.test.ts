// Level: push
import { AuditEntry } from '#common/audit/audit.model.ts';
import { addTrackingRange, closeTrackingRange } from '#common/production/tracking/manage-ranges.ts';
import { TrackingRange } from '#common/production/tracking/tracking-range.model.ts';
import { describe, expect, standingClock, test } from '../support/jest.ts';
import { aRequestAddress } from '../support/product/customer.ts';
import { startWorld } from '../support/product/world.ts';
import { startPressScene } from '../support/production/press-scene.ts';
import { s10Of } from '../support/production/s10-of.ts';
import { adminOf } from '../support/wallet/admin.ts';

describe('the commands for ranges of tracking numbers', () => {
  const clock = standingClock(new Date('2027-03-01T08:00:00Z'));
  const world = startWorld({ clock });
  const scene = startPressScene(world, clock);

  async function tracking(...words: string[]) {
    const { code, output } = await adminOf(world)(['tracking', ...words]);
    return { code, output };
  }
  const add = (first: string, last: string, ...words: string[]) =>
    tracking('add-range', '--indicator', 'rr', '--first-serial', first, '--last-serial', last, ...words);
  const warn = (left: number) => `Warning: ${left} numbers are left of RR XX, fewer than 500. Buy a further range.\n`;

  test('a range is added, and listed with what is left of it, and closed', async () => {
    expect((await tracking('ranges')).output).toBe('There is no range. Add one with: tracking add-range\n');
    const added = await add('00000001', '00000003', '--country', 'XX', '--note', 'invoice 7');
    expect(added).toEqual({ code: 0, output: `RR-XX-1 has 3 numbers, from ${s10Of(1)} to ${s10Of(3)}.\n` });
    expect((await tracking('ranges')).output).toBe(
      `RR-XX-1  ${s10Of(1)} to ${s10Of(3)}  3 left  invoice 7\n${warn(3)}`,
    );
    await TrackingRange.updateOne({ _id: 'RR-XX-1' }, { $set: { nextSerial: 4, lastAssignedAt: clock.now() } });
    expect((await add('00000003', '00000009', '--country', 'XX')).output).toMatch(
      /^The range overlaps RR-XX-1 \(00000001 to 00000003\), whose last number was assigned on .* from \d{4}-\d\d-\d\d on\.\n$/,
    );
    await add('00000004', '00000600', '--automatic', 'NATIONAL,INTERNATIONAL');
    expect((await tracking('close-range', 'rr-xx-1')).output).toBe('RR-XX-1 is closed.\n');
    expect((await tracking('close-range', 'RR-XX-1')).output).toBe('RR-XX-1 is closed already.\n');
    const { output } = await tracking('ranges', '--json');
    expect(JSON.parse(output)).toMatchObject({
      ranges: [
        { rangeId: 'RR-BE-1', nextNumber: 'RR000000045BE', left: 597, automaticZones: ['NATIONAL', 'INTERNATIONAL'] },
        { rangeId: 'RR-XX-1', nextNumber: null, left: 0, note: 'invoice 7' },
      ],
      levels: [{ indicator: 'RR', country: 'BE', left: 597, isLow: false }],
    });
    expect(await AuditEntry.find({ subjectId: 'RR-XX-1' }).sort({ _id: 1 }).lean()).toMatchObject([
      { action: 'tracking-range.added', actor: { kind: 'cli' } },
      { action: 'tracking-range.closed', actor: { kind: 'cli' } },
    ]);
    await closeTrackingRange('RR-BE-1', undefined, clock.now());
  });

  test('single items and those of a batch get numbers, until the ranges end', async () => {
    const recipients = ['Ada', 'Bo', 'Cy', 'Di'].map((name) => aRequestAddress({ name }));
    const { _id } = await scene.sendRendered({ serviceType: 'registered', recipients });
    const { batchId = '', items } = await scene.bringToPress(_id);
    const [first = '', , , last = ''] = items.map(({ itemId }) => itemId);
    const range = { indicator: 'RR', country: 'XX', automaticZones: [], note: null };
    await addTrackingRange({ ...range, firstSerial: 1_000, lastSerial: 1_002 }, undefined, clock.now());
    const assign = (...words: string[]) => tracking('assign', ...words, '--country', 'XX');

    const one = await assign('--item', first);
    expect(one).toEqual({ code: 0, output: `${first} has ${s10Of(1_000)}.\n${warn(2)}` });
    expect((await assign('--item', first)).output).toBe(`${first} has ${s10Of(1_000)} already.\n${warn(2)}`);
    expect((await assign(batchId, '--indicator', 'RA')).output).toMatch(
      /^0 items of bat_\w+ got a number\.\n3 items still have none\./,
    );
    expect(await assign(batchId)).toEqual({
      code: 0,
      output:
        `2 items of ${batchId} got a number, from ${s10Of(1_001)} to ${s10Of(1_002)}.\n` +
        '1 items still have none. No range has a number left: add one (tracking add-range), then run this again.\n' +
        warn(0),
    });
    const refused = expect.stringMatching(/^No range has a number left/);
    expect(await assign('--item', last)).toEqual({ code: 1, output: refused });
    await addTrackingRange({ ...range, firstSerial: 2_000, lastSerial: 2_599 }, undefined, clock.now());
    expect(JSON.parse((await assign(batchId, '--json')).output)).toMatchObject({
      ...{ batchId, assigned: [{ itemId: last, number: s10Of(2_000) }], missingCount: 0 },
      levels: expect.arrayContaining([{ indicator: 'RR', country: 'XX', left: 599, isLow: false }]),
    });
    expect((await assign(batchId)).output).toBe(
      `No item of ${batchId} needs a number: each has one, has failed or is posted.\n`,
    );
  });

  test('numbers of two countries are told apart when the first range ends within a batch', async () => {
    const recipients = ['Ed', 'Fé', 'Gil'].map((name) => aRequestAddress({ name }));
    const { _id } = await scene.sendRendered({ serviceType: 'registered', recipients });
    const { batchId = '' } = await scene.bringToPress(_id);
    const range = { indicator: 'RS', automaticZones: [], note: null };
    await addTrackingRange({ ...range, country: 'XX', firstSerial: 1, lastSerial: 2 }, undefined, clock.now());
    clock.advance(1);
    await addTrackingRange({ ...range, country: 'XY', firstSerial: 1, lastSerial: 600 }, undefined, clock.now());
    const { output } = await tracking('assign', batchId, '--indicator', 'RS');
    expect(output).toMatch(/^3 items of bat_\w+ got a number, from RS\d+XX to RS\d+XX, from RS(\d+)XY to RS\1XY\.\n/);
  });

  test('wrong input is refused by its options, and nothing is stored', async () => {
    const before = await TrackingRange.countDocuments({});
    expect((await add('000000014', '00000019')).output).toMatch(/^--first-serial: Must be eight digits/);
    expect((await add('00000019', '00000014')).output).toBe('--last-serial: Must not be before the first number.\n');
    expect((await add('00000001', '00000002', '--automatic', 'MARS')).output).toMatch(
      /^--automatic: "MARS" is not one/,
    );
    expect(await TrackingRange.countDocuments({})).toBe(before);
    const [batchId, itemId] = ['bat_01kq0000000000000000000000', 'mi_01kq0000000000000000000000'];
    expect((await tracking('assign')).output).toBe('<batchId>: Is missing.\n');
    const both = '<batchId>: Name either a batch or an item, by --item.\n';
    expect((await tracking('assign', batchId, '--item', itemId)).output).toBe(both);
    expect((await tracking('assign', batchId)).output).toBe(`There is no batch ${batchId}.\n`);
    expect((await tracking('close-range', 'RR-XX-9')).output).toBe('There is no range RR-XX-9.\n');
  });
});
