// Level: push
import { Bulk, type BulkRecord, bulkSendWork } from '#common/bulk/model/bulk.model.ts';
import { runBulkSend } from '#common/bulk/send/run-bulk-send.ts';
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { claimDue, newDue } from '#common/platform/due-work/due-work.ts';
import { insertBulk } from '#test/support/bulk/a-bulk.ts';
import { describe, expect, openOnce, test } from '#test/support/jest.ts';
import { aPdf, type Customer, upload } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';

describe('POST /v1/bulk/{id}/pause and /resume', () => {
  const world = startWorld();
  const customer = openOnce(() => world.customer());
  const post = (id: string, what: string) =>
    customer.http.post(`/v1/bulk/${id}/${what}`, what === 'resume' ? {} : undefined);

  test('a paused bulk has no work, and resuming makes it due', async () => {
    const id = await insertBulk(customer, { state: 'sending', due: { send: newDue(new Date()) } });
    expect((await post(id, 'pause')).body).toMatchObject({ status: 'paused', pause: { code: 'REQUESTED' } });
    expect((await post(id, 'pause')).status).toBe(200);
    expect((await Bulk.findById(id).orFail().lean<BulkRecord>()).due.send).toBeUndefined();
    expect((await post(id, 'resume')).body).toMatchObject({ status: 'sending', pause: null });
    expect((await Bulk.findById(id).orFail().lean<BulkRecord>()).due.send).toBeDefined();
    expect((await post(await insertBulk(customer), 'pause')).status).toBe(409);
    expect((await post(await insertBulk(customer), 'resume')).status).toBe(409);
  });

  test('a worker that had claimed the bulk before the pause creates no letter after it', async () => {
    const id = await insertBulk(customer, { ...(await sendable(customer)), due: { send: newDue(new Date()) } }, [
      {},
      {},
    ]);
    const claim = await claimDue<BulkRecord>(bulkSendWork, id, new Date());
    if (!claim) throw new Error('The bulk is not due');
    await post(id, 'pause');
    const never = new AbortController().signal;
    await runBulkSend(claim, { ...world.workersOptions, log: world.log }, { closing: never, signal: never });
    expect(await MailJob.countDocuments({ externalId: { $regex: `^${id}:` } })).toBe(0);
    expect((await Bulk.findById(id).orFail().lean<BulkRecord>()).progress.sent).toBe(0);
  });
});

async function sendable(customer: Customer): Promise<Partial<BulkRecord>> {
  const s3Key = await upload(customer, await aPdf(1));
  const file = { s3Key, etag: '"1"', filename: 'a.pdf', mimeType: 'application/pdf', sizeBytes: 1 } as const;
  return { state: 'sending', files: [file] };
}
