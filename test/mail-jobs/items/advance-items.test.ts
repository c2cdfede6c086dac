// Level: push
import { Event } from '#common/events/event.model.ts';
import { advanceItems } from '#common/mail-jobs/items/advance-items.ts';
import { ItemHistory } from '#common/mail-jobs/items/item-history.model.ts';
import type { ItemMove } from '#common/mail-jobs/items/plan-moves.ts';
import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { reconcile } from '#common/operations/reconcile.ts';
import { describe, expect, openOnce, test } from '#test/support/jest.ts';
import { aPostalAddress, aSender, eventKindsOf, ledgerOf } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';

const world = startWorld();
const sender = openOnce(() => aSender(world));
const failure = { code: 'PRINT_FAILED', message: 'The printer jammed.' } as const;

describe('advanceItems', () => {
  /** Sends a letter to several recipients, and returns what moves and reads it. */
  async function aLetterTo(count: number) {
    const recipients = Array.from({ length: count }, (_, index) => aPostalAddress({ name: `Reader ${index}` }));
    const mailJobId = await sender.sendAccepted({ recipients });
    const read = async () => await MailJob.findById(mailJobId).orFail().lean<MailJobRecord>();
    const { items } = await read();
    const itemIds = items.map(({ itemId }) => itemId);
    const move = async (change: Partial<ItemMove>, at = world.clock.now()) =>
      await advanceItems({ mailJobId, by: 'press', nextStepDelayS: 0, ...change }, at);
    const history = async () =>
      (await ItemHistory.find({ mailJobId }).sort({ at: 1, _id: 1 }).lean()).map(({ itemId, kind }) => [
        itemIds.indexOf(itemId),
        kind,
      ]);
    return { mailJobId, itemIds, read, move, history };
  }
  const statusesOf = ({ status, items }: MailJobRecord) => [status, ...items.map((item) => item.status)];
  const violations = async () => {
    const found: unknown[] = [];
    await reconcile({ report: (violation) => found.push(violation) });
    return found;
  };

  test('a job follows its slowest item, with one event when that moves', async () => {
    const { mailJobId, itemIds, read, move, history } = await aLetterTo(3);
    const [first, second, third] = itemIds as [string, string, string];
    expect(await move({ itemIds: [first], target: 'printed' })).toMatchObject({
      previousStatus: 'queued',
      eventId: null,
    });
    expect(await move({ itemIds: [second, first], target: 'posted' })).toMatchObject({ eventId: null });
    expect(statusesOf(await read())).toEqual(['queued', 'posted', 'posted', 'queued']);
    expect(await eventKindsOf(mailJobId)).toEqual(['MAIL_QUEUED']);
    const last = await move({ itemIds: [third], target: 'printed' });
    expect(await Event.findById(last.eventId).lean()).toMatchObject({ kind: 'MAIL_PRINTED', subjectId: mailJobId });
    expect(statusesOf(await read())).toEqual(['printed', 'posted', 'posted', 'printed']);
    await move({});
    expect(statusesOf(await read())).toEqual(['posted', 'posted', 'posted', 'posted']);
    expect(await eventKindsOf(mailJobId)).toEqual(['MAIL_QUEUED', 'MAIL_PRINTED', 'MAIL_POSTED']);
    expect(new Set((await history()).map(String))).toEqual(
      new Set(['0,printed', '0,posted', '1,posted', '2,printed', '2,posted']),
    );
    expect(await violations()).toEqual([]);
  });

  test('an item that fails is refunded its share once, and the job goes on with the rest', async () => {
    const before = await sender.balanceCents();
    const { mailJobId, itemIds, read, move, history } = await aLetterTo(3);
    const [, second] = itemIds as [string, string];
    const paid = before - (await sender.balanceCents());
    const failed = await move({ itemIds: [second], target: 'failed', failure });
    const { items, refundedCents, failure: failureOfJob } = await read();
    expect(failed.refunds).toEqual([
      { itemId: second, transactionId: expect.stringMatching(/^txn_/), amountCents: items[1]?.shareCents },
    ]);
    expect([refundedCents, failureOfJob, items[1]?.failure]).toEqual([items[1]?.shareCents, null, failure]);
    expect(before - (await sender.balanceCents())).toBe(paid - refundedCents);
    await expect(move({ itemIds: [second], target: 'failed', failure })).rejects.toMatchObject({ code: 'CONFLICT' });
    await move({ target: 'printed' });
    expect(statusesOf(await read())).toEqual(['printed', 'printed', 'failed', 'printed']);
    expect(await eventKindsOf(mailJobId)).toEqual(['MAIL_QUEUED', 'MAIL_PRINTED']);
    expect(await history()).toContainEqual([1, 'refunded']);
    expect((await ledgerOf(sender)).filter((entry) => entry.mailJobId === mailJobId)).toHaveLength(2);
    expect(await violations()).toEqual([]);
  });

  test('the failure of the slowest item moves the job to the status of the others', async () => {
    const { mailJobId, itemIds, read, move } = await aLetterTo(2);
    const [first, second] = itemIds as [string, string];
    await move({ itemIds: [first], target: 'posted' });
    const { previousStatus, eventId } = await move({ itemIds: [second], target: 'failed', failure });
    expect([previousStatus, eventId === null]).toEqual(['queued', false]);
    expect(statusesOf(await read())).toEqual(['posted', 'posted', 'failed']);
    expect(await eventKindsOf(mailJobId)).toEqual(['MAIL_QUEUED', 'MAIL_POSTED']);
    expect((await read()).failure).toBeNull();
    expect(await violations()).toEqual([]);
  });

  test('when the last item fails the job fails with its reason, refunded in full', async () => {
    const { mailJobId, itemIds, read, move } = await aLetterTo(2);
    await move({ itemIds: itemIds.slice(0, 1), target: 'failed', failure });
    const other = { code: 'DEPOSIT_FAILED', message: 'Lost on the way.' } as const;
    await move({ itemIds: itemIds.slice(1), target: 'failed', failure: other });
    const job = await read();
    expect(statusesOf(job)).toEqual(['failed', 'failed', 'failed']);
    expect([job.failure, job.refundedCents, job.due]).toEqual([other, job.amounts.totalCents, {}]);
    expect(job.items.map((item) => item.failure)).toEqual([failure, other]);
    expect(await eventKindsOf(mailJobId)).toEqual(['MAIL_QUEUED', 'MAIL_FAILED']);
    expect(await violations()).toEqual([]);
  });

  test('refuses items of another job, another owner, a status left behind and a move back', async () => {
    const { itemIds, read, move } = await aLetterTo(2);
    const other = await aLetterTo(1);
    await expect(move({ itemIds: [...itemIds, ...other.itemIds], target: 'printed' })).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
    const owner = { organizationId: 'org_other', mode: 'test' } as const;
    await expect(move({ owner, target: 'printed' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(move({ from: 'printed' })).rejects.toThrow('The mail job is queued, no longer printed.');
    await move({ itemIds: itemIds.slice(0, 1), target: 'posted' });
    await expect(move({ itemIds: itemIds.slice(0, 1), target: 'printed' })).rejects.toThrow(
      'posted cannot become printed',
    );
    expect(statusesOf(await read())).toEqual(['queued', 'posted', 'queued']);
  });

  test('of ten concurrent failures of an item and of the job, each item is refunded once', async () => {
    const { mailJobId, itemIds, read, move } = await aLetterTo(3);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) =>
        move({ ...(index % 2 === 0 && { itemIds: itemIds.slice(0, 1) }), target: 'failed', failure }),
      ),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(2);
    const { items, refundedCents, amounts } = await read();
    expect([items.map(({ status }) => status), refundedCents]).toEqual([
      ['failed', 'failed', 'failed'],
      amounts.totalCents,
    ]);
    const refunds = (await ledgerOf(sender)).filter(
      (entry) => entry.mailJobId === mailJobId && entry.kind === 'refund',
    );
    expect(refunds.map(({ itemId }) => itemId).sort()).toEqual([...itemIds].sort());
    expect(await eventKindsOf(mailJobId)).toEqual(['MAIL_QUEUED', 'MAIL_FAILED']);
    expect(await violations()).toEqual([]);
  });
});
