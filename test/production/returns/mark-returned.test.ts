// Level: push
import { AuditEntry } from '#common/audit/audit.model.ts';
import { newId } from '#common/ids.ts';
import { advanceItems } from '#common/mail-jobs/items/advance-items.ts';
import { ItemHistory } from '#common/mail-jobs/items/item-history.model.ts';
import type { ReturnReason } from '#common/mail-jobs/model/returned.ts';
import { markReturned } from '#common/production/returns/mark-returned.ts';
import { describe, expect, standingClock, test } from '#test/support/jest.ts';
import { aRequestAddress, ledgerOf } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { startPressScene } from '#test/support/production/press-scene.ts';

describe('an item that comes back', () => {
  const clock = standingClock(new Date('2027-03-01T08:00:00Z'));
  const world = startWorld({ clock });
  const scene = startPressScene(world, clock);
  const by = { kind: 'user', id: 'usr_operator' } as const;
  const mark = (itemId: string, reason: ReturnReason = 'moved') =>
    markReturned({ itemId, reason, by }, { hints: world.hints, at: clock.now() });
  const historyOf = (itemId: string) => ItemHistory.find({ itemId, kind: 'returned' }).lean();
  const auditOf = (subjectId: string) => AuditEntry.find({ subjectId, action: 'item.returned' }).lean();

  /** Sends a letter to two recipients and posts it, as far as `status` says. Returns the ids of its items. */
  async function send(status: 'queued' | 'printed' | 'posted' | 'delivered' = 'posted') {
    const recipients = [aRequestAddress(), aRequestAddress()];
    const { _id } = await scene.sendRendered({ recipients, serviceType: 'registered' });
    await scene.bringToPress(_id);
    const move = { mailJobId: _id, by: 'operator', nextStepDelayS: 0 } as const;
    if (status !== 'queued') await advanceItems({ ...move, target: status }, clock.now());
    const { items } = await scene.read(_id);
    return { mailJobId: _id, first: items[0]?.itemId ?? '', second: items[1]?.itemId ?? '' };
  }

  test.each(['posted', 'delivered'] as const)('one that is %s keeps its status, and no money moves', async (status) => {
    const { mailJobId, first } = await send(status);
    const ledger = await ledgerOf(scene.customer);
    clock.advance(60_000);
    const returned = { reason: 'moved', at: clock.now() };
    expect(await mark(first)).toEqual({ itemId: first, mailJobId, returned, isNew: true });

    const { body } = await scene.customer.http.get(`/v1/mails/${mailJobId}`);
    expect(body).toMatchObject({ status, refundedCents: 0, updatedAt: clock.now().toISOString() });
    expect(body.recipients).toMatchObject([
      { itemId: first, status, returned: { reason: 'moved', at: clock.now().toISOString() } },
      { status, returned: null },
    ]);
    expect(await ledgerOf(scene.customer)).toEqual(ledger);
    expect(await historyOf(first)).toMatchObject([{ at: clock.now(), by: 'operator', detail: { reason: 'moved' } }]);
    expect(await auditOf(first)).toMatchObject([{ actor: by, mode: 'live', detail: { mailJobId, reason: 'moved' } }]);
    const timeline = await scene.customer.http.get(`/v1/mails/${mailJobId}/timeline`);
    expect(timeline.body.data.at(-1)).toMatchObject({ itemId: first, kind: 'returned', detail: { reason: 'moved' } });
  });

  test('a repeat changes nothing, and another reason is refused', async () => {
    const { mailJobId, first, second } = await send();
    const { returned } = await mark(first);
    const before = await scene.read(mailJobId);
    clock.advance(1_000);
    expect(await mark(first)).toMatchObject({ returned, isNew: false });
    await expect(mark(first, 'refused')).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('reason moved'),
    });
    expect(await scene.read(mailJobId)).toEqual(before);
    expect([await historyOf(first), await auditOf(first)]).toMatchObject([{ length: 1 }, { length: 1 }]);
    // The other copy of the letter comes back for a reason of its own.
    expect(await mark(second, 'deceased')).toMatchObject({ isNew: true });
  });

  test('of ten reports at once, one is recorded', async () => {
    const { first } = await send();
    const marked = await Promise.all(Array.from({ length: 10 }, () => mark(first)));
    expect(marked.filter(({ isNew }) => isNew)).toHaveLength(1);
    expect(await auditOf(first)).toHaveLength(1);
  });

  test.each(['queued', 'printed', 'failed'] as const)('one that is %s was not posted: CONFLICT', async (status) => {
    const { mailJobId, first } = await send(status === 'printed' ? 'printed' : 'queued');
    const failure = { code: 'PRINT_FAILED', message: 'Torn.' } as const;
    const failing = {
      mailJobId,
      itemIds: [first],
      target: status,
      failure,
      by: 'operator',
      nextStepDelayS: 0,
    } as const;
    if (status === 'failed') await advanceItems(failing, clock.now());
    await expect(mark(first)).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining(`is ${status} was not`),
    });
    expect([await historyOf(first), await auditOf(first)]).toEqual([[], []]);
  });

  test('one that is unknown or in no batch is not found', async () => {
    const { items } = await scene.sendRendered();
    for (const itemId of [newId('mi'), items[0]?.itemId ?? '']) {
      await expect(mark(itemId)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
  });

  test('it stays returned when it is delivered later', async () => {
    const { mailJobId, first } = await send();
    await mark(first, 'unclaimed');
    await advanceItems({ mailJobId, target: 'delivered', by: 'operator', nextStepDelayS: 0 }, clock.now());
    const { body } = await scene.customer.http.get(`/v1/mails/${mailJobId}`);
    expect(body.recipients[0]).toMatchObject({ status: 'delivered', returned: { reason: 'unclaimed' } });
  });
});
