// Level: push
import { plusMs } from '#common/clock.ts';
import { advanceItems } from '#common/mail-jobs/items/advance-items.ts';
import type { MailStatus } from '#common/mail-jobs/model/mail-status.ts';
import { redactOldAddresses, removeOldDocuments } from '#common/production/retention/retain.ts';
import { markReturned } from '#common/production/returns/mark-returned.ts';
import { describe, expect, standingClock, test } from '#test/support/jest.ts';
import { aRequestAddress } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { startPressScene } from '#test/support/production/press-scene.ts';

const dayMs = 24 * 3_600_000;

describe('the retention of registered letters', () => {
  const clock = standingClock(new Date('2027-03-01T08:00:00Z'));
  const world = startWorld({ clock });
  const scene = startPressScene(world, clock);
  const failure = { code: 'PRINT_FAILED', message: 'Torn.' } as const;

  const move = async (mailJobId: string, target: MailStatus, itemIds?: string[]) => {
    const moving = { mailJobId, target, failure, by: 'operator', nextStepDelayS: 0 } as const;
    await advanceItems({ ...moving, ...(itemIds && { itemIds }) }, clock.now());
  };
  const comesBack = async (itemId: string) =>
    await markReturned({ itemId, reason: 'unclaimed', by: undefined }, { hints: world.hints, at: clock.now() });
  const redact = (id: string) => scene.customer.http.post(`/v1/mails/${id}/redact`);
  const actionsOf = async (id: string) => (await scene.customer.http.get(`/v1/mails/${id}`)).body.actions;
  const retentionOf = async (id: string) => (await scene.read(id)).retention;
  const countingFrom = (at: Date) => ({ documentsFrom: at, addressesFrom: at });

  /** Removes what is due after 30 days. Returns when the print file of a letter and its recipients went, and its status. */
  async function clean(id: string) {
    const rules = { documentDays: 30, addressDays: 30 };
    await removeOldDocuments(rules, { store: world.store, log: world.log }, clock.now());
    await redactOldAddresses(rules, clock.now());
    const { printFile, redactedAt, status } = await scene.read(id);
    return [printFile?.removedAt, redactedAt, status];
  }

  /** Posts a registered letter to two recipients. Returns the ids of its copies. */
  async function post(copies = 2) {
    const recipients = Array.from({ length: copies }, () => aRequestAddress());
    const { _id: id } = await scene.sendRendered({ recipients, serviceType: 'registered' });
    await scene.bringToPress(id);
    await move(id, 'posted');
    const { items } = await scene.read(id);
    return { id, postedAt: clock.now(), first: items[0]?.itemId ?? '', second: items[1]?.itemId ?? '' };
  }

  test('a letter whose copies all came back settles with the last of them, and can be redacted', async () => {
    const { id, postedAt, first, second } = await post();
    clock.advance(dayMs);
    await comesBack(first);
    expect([await actionsOf(id), (await redact(id)).status]).toEqual([[], 409]);
    expect(await retentionOf(id)).toEqual(countingFrom(plusMs(postedAt, 60 * dayMs)));
    clock.advance(dayMs);
    await comesBack(second);
    const settled = countingFrom(clock.now());
    expect([await retentionOf(id), await actionsOf(id)]).toEqual([settled, ['redact']]);

    clock.advance(30 * dayMs);
    expect(await clean(id)).toEqual([clock.now(), clock.now(), 'posted']);
    expect((await redact(id)).status).toBe(200);
  });

  test.each(['delivered', 'failed'] as const)('one copy came back, and the other is %s: settled', async (target) => {
    const { id, first, second } = await post();
    await comesBack(first);
    clock.advance(dayMs);
    await move(id, target, [second]);
    expect([await retentionOf(id), await actionsOf(id)]).toEqual([countingFrom(clock.now()), ['redact']]);
    expect((await redact(id)).status).toBe(200);
  });

  test('a copy that comes back after the letter has settled leaves its days as they are', async () => {
    const { id, first } = await post();
    await move(id, 'delivered');
    const settled = countingFrom(clock.now());
    clock.advance(dayMs);
    await comesBack(first);
    expect(await retentionOf(id)).toEqual(settled);
  });

  test('a letter that nobody reports on settles 60 days after it was posted, to the millisecond', async () => {
    const { id, postedAt } = await post(1);
    const from = plusMs(postedAt, 60 * dayMs);
    expect(await retentionOf(id)).toEqual(countingFrom(from));
    clock.set(plusMs(from, -1));
    const refused = await redact(id);
    expect([refused.status, await actionsOf(id)]).toEqual([409, []]);
    expect(refused.body.message).toContain(from.toISOString());
    clock.advance(1);
    expect(await actionsOf(id)).toEqual(['redact']);
    clock.advance(30 * dayMs - 1);
    expect(await clean(id)).toEqual([undefined, undefined, 'posted']);
    clock.advance(1);
    expect(await clean(id)).toEqual([clock.now(), clock.now(), 'posted']);
    expect((await redact(id)).status).toBe(200);
  });

  test('a letter that is not reported on can be redacted from the 60th day on', async () => {
    const { id } = await post();
    clock.advance(60 * dayMs);
    const { status, body } = await redact(id);
    expect([status, body.status, body.recipients[1].name]).toEqual([200, 'posted', 'REDACTED']);
  });

  test('its delivery or return within the 60 days brings them forward, a later return does not', async () => {
    const [delivered, returned, late] = [await post(1), await post(1), await post(1)];
    const lateFrom = plusMs(late.postedAt, 60 * dayMs);
    clock.advance(10 * dayMs);
    await move(delivered.id, 'delivered');
    await comesBack(returned.first);
    for (const { id } of [delivered, returned]) expect(await retentionOf(id)).toEqual(countingFrom(clock.now()));
    clock.set(plusMs(lateFrom, dayMs));
    await comesBack(late.first);
    expect(await retentionOf(late.id)).toEqual(countingFrom(lateFrom));
  });
});
