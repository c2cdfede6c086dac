// Level: push
import { AuditEntry } from '#common/audit/audit.model.ts';
import { advanceItems } from '#common/mail-jobs/items/advance-items.ts';
import { ItemHistory } from '#common/mail-jobs/items/item-history.model.ts';
import type { MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { recordTracking } from '#common/production/tracking/record-tracking.ts';
import { describe, expect, standingClock, test } from '#test/support/jest.ts';
import { aRequestAddress } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { startPressScene } from '#test/support/production/press-scene.ts';
import { s10Of } from '#test/support/production/s10-of.ts';

const by = { kind: 'cli', id: 'operator' } as const;

describe('recordTracking', () => {
  const clock = standingClock(new Date('2027-03-01T08:00:00Z'));
  const world = startWorld({ clock });
  const scene = startPressScene(world, clock);
  let serial = 0;
  function aLabel(): string {
    serial += 1;
    return s10Of(serial);
  }

  /** A letter in a batch, registered unless the fields say otherwise. */
  async function aLetter(count = 1, fields: Record<string, unknown> = {}): Promise<MailJobRecord> {
    const recipients = Array.from({ length: count }, (_, index) => aRequestAddress({ name: `Reader ${index}` }));
    const { _id } = await scene.sendRendered({ serviceType: 'registered', recipients, ...fields });
    return await scene.bringToPress(_id);
  }
  const record = async (itemId: string, label: string, replace = false) =>
    await recordTracking({ itemId, label, replace }, by, clock.now());
  const idsOf = ({ items }: MailJobRecord) => items.map(({ itemId }) => itemId) as [string, ...string[]];
  const trackedSteps = async (itemId: string) =>
    (await ItemHistory.find({ itemId, kind: 'tracked' }).sort({ at: 1 }).lean()).map(({ detail }) => detail);

  test('the number is on the item, in its history, in the audit log and in the detail', async () => {
    const letter = await aLetter(2);
    const [first, second] = idsOf(letter);
    const number = aLabel();
    clock.advance(1_000);
    expect(await record(first, ` ${number.toLowerCase()} `)).toEqual({
      ...{ itemId: first, mailJobId: letter._id, tracking: { number, scheme: 's10' } },
      ...{ previousNumber: null, isChanged: true },
    });
    const { items, updatedAt, status } = await scene.read(letter._id);
    expect(items.map(({ tracking }) => tracking)).toEqual([{ number, scheme: 's10' }, undefined]);
    expect([updatedAt, status]).toEqual([clock.now(), letter.status]);
    expect(await trackedSteps(first)).toEqual([{ number, scheme: 's10' }]);
    expect(await trackedSteps(second as string)).toEqual([]);
    expect(await AuditEntry.find({ subjectId: first }).lean()).toMatchObject([
      { action: 'item.tracked', actor: by, organizationId: letter.organizationId, detail: { number, scheme: 's10' } },
    ]);
    const { body } = await scene.customer.http.get(`/v1/mails/${letter._id}`);
    expect(body.recipients).toMatchObject([
      { trackingNumber: number, trackingScheme: 's10' },
      { trackingNumber: null, trackingScheme: null },
    ]);
    expect(body.recipients[0]).not.toHaveProperty('tracking');
    const timeline = (await scene.customer.http.get(`/v1/mails/${letter._id}/timeline`)).body.data;
    expect(timeline).toContainEqual({ ...timeline.at(-1), itemId: first, kind: 'tracked' });
  });

  test('a repeat with the same number changes nothing', async () => {
    const letter = await aLetter();
    const [itemId] = idsOf(letter);
    const label = aLabel();
    await record(itemId, label);
    const before = await scene.read(letter._id);
    clock.advance(1_000);
    expect(await record(itemId, label)).toMatchObject({ isChanged: false, previousNumber: null });
    expect(await record(itemId, label, true)).toMatchObject({ isChanged: false });
    expect(await scene.read(letter._id)).toEqual(before);
    expect(await trackedSteps(itemId)).toHaveLength(1);
    expect(await AuditEntry.countDocuments({ subjectId: itemId })).toBe(1);
  });

  test('another number needs to replace the first one, which is free again', async () => {
    const [itemId] = idsOf(await aLetter());
    const [other] = idsOf(await aLetter());
    const [one, two] = [aLabel(), aLabel()];
    await record(itemId, one);
    await expect(record(itemId, two)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: `${itemId} has the tracking number ${one} already.`,
    });
    expect(await record(itemId, two, true)).toMatchObject({ previousNumber: one, isChanged: true });
    // Back again, at the same moment.
    expect(await record(itemId, one, true)).toMatchObject({ previousNumber: two });
    expect(await trackedSteps(itemId)).toHaveLength(3);
    expect(await record(other, two)).toMatchObject({ isChanged: true });
  });

  test('a number is on one item: not on two of a letter, and not on those of two letters', async () => {
    const [first, second] = idsOf(await aLetter(2));
    const [other] = idsOf(await aLetter());
    const label = aLabel();
    await record(first, label);
    const taken = { code: 'CONFLICT', message: `${label} is the tracking number of ${first}.` };
    await expect(record(second as string, label)).rejects.toMatchObject(taken);
    await expect(record(other, label)).rejects.toMatchObject(taken);
    await expect(record(other, label, true)).rejects.toMatchObject(taken);
  });

  test('letters with several items of which some have no number do not collide', async () => {
    const letters = [await aLetter(3), await aLetter(3), await aLetter(1)];
    for (const letter of letters) await record(idsOf(letter)[0], aLabel());
    for (const letter of letters) expect((await scene.read(letter._id)).trackingNumbers).toHaveLength(1);
  });

  test('of two scans of one label at once, one is recorded', async () => {
    const within = idsOf(await aLetter(2));
    const across = [idsOf(await aLetter())[0], idsOf(await aLetter())[0]];
    for (const ids of [within, across]) {
      const label = aLabel();
      const outcomes = await Promise.allSettled(ids.map((itemId) => record(itemId, label)));
      expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      const reasons = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []));
      expect(reasons).toMatchObject([{ code: 'CONFLICT' }]);
    }
  });

  test.each(['standard', 'prior'])('a letter by %s has no tracking number', async (serviceType) => {
    const [itemId] = idsOf(await aLetter(1, { serviceType }));
    await expect(record(itemId, aLabel())).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('not registered'),
    });
  });

  test('neither an item that failed nor one in no batch gets a number', async () => {
    const letter = await aLetter(2);
    const [first] = idsOf(letter);
    const failure = { code: 'PRINT_FAILED', message: 'The paper tore.' } as const;
    const move = { mailJobId: letter._id, itemIds: [first], target: 'failed', failure, by: 'press' } as const;
    await advanceItems({ ...move, nextStepDelayS: 0 }, clock.now());
    await expect(record(first, aLabel())).rejects.toMatchObject({ code: 'CONFLICT' });
    const waiting = await scene.sendRendered({ serviceType: 'registered' });
    await expect(record(idsOf(waiting)[0], aLabel())).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('a misread label is refused, and nothing is stored', async () => {
    const letter = await aLetter();
    const [itemId] = idsOf(letter);
    await expect(record(itemId, 'RR473124828XX')).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      issues: [{ path: ['label'], message: expect.stringContaining('check digit') }],
    });
    expect(await scene.read(letter._id)).toEqual(letter);
  });
});
