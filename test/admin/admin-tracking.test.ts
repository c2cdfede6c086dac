// Level: push
import { AuditEntry } from '#common/audit/audit.model.ts';
import { advanceItems } from '#common/mail-jobs/items/advance-items.ts';
import { describe, expect, standingClock, test } from '../support/jest.ts';
import { startWorld } from '../support/product/world.ts';
import { startPressScene } from '../support/production/press-scene.ts';
import { s10Of } from '../support/production/s10-of.ts';
import { adminOf } from '../support/wallet/admin.ts';

describe('the tracking commands', () => {
  const clock = standingClock(new Date('2027-03-01T08:00:00Z'));
  const world = startWorld({ clock });
  const scene = startPressScene(world, clock);

  async function tracking(...words: string[]) {
    const { code, output } = await adminOf(world)(['tracking', ...words]);
    return { code, output };
  }

  test('a label is recorded, and replaced only when asked; printed letters that need a form are listed', async () => {
    const { _id } = await scene.sendRendered({ serviceType: 'registered', acknowledgmentReceipt: true });
    const { items } = await scene.bringToPress(_id);
    const { itemId = '', name } = items[0] ?? {};
    expect(await tracking('receipts')).toEqual({ code: 0, output: 'No printed item needs a form.\n' });
    await advanceItems({ mailJobId: _id, target: 'printed', by: 'operator', nextStepDelayS: 0 }, clock.now());

    const [one, two] = [s10Of(1), s10Of(2)];
    const first = await tracking('record', itemId, ` ${one.toLowerCase()}`, '--json');
    expect([first.code, JSON.parse(first.output)]).toEqual([
      0,
      { itemId, mailJobId: _id, number: one, scheme: 's10', previousNumber: null, isChanged: true },
    ]);
    expect(await tracking('record', itemId, two)).toEqual({
      code: 1,
      output: `${itemId} has the tracking number ${one} already.\n`,
    });
    expect(await tracking('record', itemId, two, '--replace')).toEqual({
      code: 0,
      output: `${itemId} has ${two} (s10) instead of ${one}.\n`,
    });
    expect(await tracking('record', itemId, two)).toEqual({ code: 0, output: `${itemId} has ${two} already.\n` });
    expect(await AuditEntry.find({ subjectId: itemId }).lean()).toMatchObject([
      { action: 'item.tracked', actor: { kind: 'cli' } },
      { action: 'item.tracked', actor: { kind: 'cli' } },
    ]);

    const listed = await tracking('receipts', '--json');
    expect(JSON.parse(listed.output)).toMatchObject({ forms: [{ itemId, trackingNumber: two }], isMore: false });
    const text = (await tracking('receipts')).output;
    expect(text.startsWith(`${itemId}  ${two}  ${name}  `)).toBe(true);
  });

  test('a misread label and an item that is none are refused by their arguments', async () => {
    expect(await tracking('record', 'mi_1', 'RR473124829XX')).toEqual({
      code: 1,
      output: '<itemId>: "mi_1" is not an id of this kind (mi_…).\n',
    });
    const { output } = await tracking('record', 'mi_01kq0000000000000000000000', 'RR473124828XX');
    expect(output).toMatch(/^<label>: RR473124828XX has a wrong check digit/);
  });
});
