// Level: push
import { AuditEntry } from '#common/audit/audit.model.ts';
import { Event } from '#common/events/event.model.ts';
import { newId } from '#common/ids.ts';
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { describe, expect, test } from '../support/jest.ts';
import { startWorld } from '../support/product/world.ts';
import { adminOf } from '../support/wallet/admin.ts';

describe('item returned', () => {
  const world = startWorld();

  const run = (...words: string[]) => adminOf(world)(['item', 'returned', ...words]);

  test('the command records a return, notifies the workers, and says what was recorded before', async () => {
    const customer = await world.customer({ mode: 'live', balanceCents: 100_000 });
    const { mailJobId, recipients } = (await customer.send()).body;
    const [{ itemId }] = recipients;
    const batched = { status: 'posted', 'items.0.status': 'posted', batchId: newId('bat') };
    await MailJob.updateOne({ _id: mailJobId }, { $set: batched });

    const { code, stdout } = await run(itemId, '--reason', 'deceased', '--json');
    const marked = { itemId, mailJobId, reason: 'deceased', returnedAt: expect.any(String) };
    expect([code, JSON.parse(stdout)]).toEqual([0, { ...marked, isNew: true }]);
    const { body } = await customer.http.get(`/v1/mails/${mailJobId}`);
    expect(body.recipients[0].returned).toEqual({ reason: 'deceased', at: JSON.parse(stdout).returnedAt });
    const { _id } = await Event.findOne({ subjectId: itemId, kind: 'ITEM_RETURNED' }).orFail();
    expect(await world.hints.listQueued('fan-out', 100)).toContain(_id);
    const audit = await AuditEntry.find({ subjectId: itemId }).lean();
    expect(audit).toMatchObject([{ action: 'item.returned', actor: { kind: 'cli' }, detail: { reason: 'deceased' } }]);

    const again = await run(itemId, '--reason', 'deceased');
    expect(again.stdout).toBe(`${itemId} of ${mailJobId} came back: deceased, as was recorded before.\n`);
    const other = await run(itemId, '--reason', 'moved', '--json');
    expect(other).toMatchObject({ code: 1, stdout: '', output: expect.stringContaining('with the reason deceased') });
  });

  test('an unknown reason, no reason and an unknown item are refused', async () => {
    const itemId = newId('mi');
    for (const [words, problem] of [
      [[itemId, '--reason', 'lost'], '"lost" is not one of unknown_address, moved'],
      [[itemId], '--reason'],
      [[itemId, '--reason', 'moved'], `There is no item ${itemId} in a batch.`],
    ] as const) {
      const { code, output } = await run(...words);
      expect([code === 0, output]).toEqual([false, expect.stringContaining(problem)]);
    }
  });
});
