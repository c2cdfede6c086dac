// Level: push
import { AuditEntry } from '#common/audit/audit.model.ts';
import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { describe, expect, test } from '../support/jest.ts';
import { startWorld } from '../support/product/world.ts';
import { adminOf } from '../support/wallet/admin.ts';

describe('batch close', () => {
  const world = startWorld();

  async function close(words: string[]) {
    const { code, output } = await adminOf(world)(['batch', 'close', ...words]);
    return { code, output };
  }

  test('it closes the cutoff that it names, tells the workers and says what is left', async () => {
    const customer = await world.customer({ mode: 'live', balanceCents: 100_000 });
    const [first, second] = [await customer.sendAccepted(), await customer.sendAccepted()];
    const { dropAt } = (await MailJob.findById(first).lean<MailJobRecord>()) ?? {};
    const cutoff = dropAt?.toISOString() ?? '';
    const none = `No rendered letter waits for ${cutoff}. Not rendered yet, and left to the regular closing: 2.\n`;
    expect(await close(['--cutoff', cutoff])).toEqual({ code: 0, output: none });

    // The rendering is no part of this test.
    await MailJob.updateOne({ _id: second }, { $set: { printFile: { s3Key: 'none' } } }, { strict: false });
    const went = 'Letters that go to press now: 1. Not rendered yet, and left to the regular closing: 1.\n';
    expect(await close(['--cutoff', cutoff.replace('.000Z', 'Z')])).toEqual({ code: 0, output: went });
    expect(await world.hints.listQueued('batch', 10)).toEqual([second]);
    const entries = await AuditEntry.find({ action: 'batch.closed-early' }).lean();
    expect(entries).toEqual([
      expect.objectContaining({ subjectId: cutoff, actor: { kind: 'cli', id: expect.any(String) } }),
    ]);
  });

  test('a malformed cutoff is answered with how one is written', async () => {
    const example = 'Give the cutoff as in the dropAt of its letters, such as 2026-05-04T13:00:00.000Z.';
    expect(await close(['--cutoff', 'tomorrow'])).toEqual({ code: 1, output: `--cutoff: ${example}\n` });
  });
});
