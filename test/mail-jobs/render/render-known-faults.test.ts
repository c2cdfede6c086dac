// Level: push
import { faultOfFile } from '#common/documents/isolation/document-error.ts';
import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { recordFault } from '#common/mail-jobs/render/known-faults.ts';
import { Upload } from '#common/uploads/upload.model.ts';
import { describe, eventually, expect, test } from '#test/support/jest.ts';
import { aPdf, type Customer, upload } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';

describe('a file with a known fault', () => {
  /** Log lines of child processes that ended with a fault. */
  const children: string[] = [];
  const world = startWorld({
    hasWorkers: true,
    environment: { SANDBOX_STEP_DELAY_S: '3600', LOG_LEVEL: 'debug' },
    onLogLine: (line) => void (/"msg":"document (process|fault)/.test(line) && children.push(line)),
  });

  async function endOf(customer: Customer, letter: Record<string, unknown>): Promise<MailJobRecord> {
    const mailJobId = await customer.sendAccepted(letter);
    const read = async () => await MailJob.findById(mailJobId).orFail().lean<MailJobRecord>();
    const isOver = ({ printFile, failure }: MailJobRecord) => printFile !== null || failure !== null;
    await eventually(async () => expect(isOver(await read())).toBe(true));
    return await read();
  }

  test('is refused with the same failure the next time, without being opened again', async () => {
    const customer = await world.customer();
    const files = [{ s3Key: await upload(customer, Buffer.from('%PDF-1.7 broken')) }];
    const first = await endOf(customer, { files });
    expect(first.failure).toMatchObject({ code: 'FILE_UNREADABLE' });
    const opened = children.length;
    expect(opened).toBeGreaterThan(0);
    const second = await endOf(customer, { files });
    expect(second).toMatchObject({
      status: 'failed',
      failure: first.failure,
      refundedCents: second.amounts.totalCents,
    });
    expect(children).toHaveLength(opened);
  });

  test('is opened again when more pages are paid for (too hard), or when its bytes changed', async () => {
    const customer = await world.customer();
    const s3Key = await upload(customer, await aPdf(2));
    const files = [{ s3Key }];
    expect((await endOf(customer, { files, pages: 2 })).failure).toBeNull();
    await Upload.updateOne({ _id: s3Key }, { $set: { fault: { name: 'too_hard', pages: 2 } } });
    expect((await endOf(customer, { files, pages: 2 })).failure?.message).toMatch(/^File 1 could not be opened/);
    await Upload.updateOne({ _id: s3Key }, { $set: { fault: { name: 'too_hard', pages: 1 } } });
    expect((await endOf(customer, { files, pages: 2 })).failure).toBeNull();
    // A fault of earlier bytes of the upload.
    const { recordUploadFault } = await import('#common/uploads/upload-findings.ts');
    await Upload.updateOne({ _id: s3Key }, { $unset: { fault: '' } });
    await recordUploadFault({ ...customer, s3Key, etag: 'of other bytes' }, { name: 'damaged_pdf', pages: 2 });
    expect((await endOf(customer, { files, pages: 2 })).failure).toBeNull();
  });

  test('is opened again after a time-out, which a slow machine also causes', async () => {
    const customer = await world.customer();
    const files = [{ s3Key: await upload(customer, await aPdf(1)) }];
    const { files: pinned, pages } = await endOf(customer, { files });
    await recordFault({ ...customer, files: pinned, pages }, faultOfFile('out_of_time', 0));
    expect((await endOf(customer, { files })).failure).toBeNull();
    await recordFault({ ...customer, files: pinned, pages }, faultOfFile('too_hard', 0));
    expect((await endOf(customer, { files })).failure).toMatchObject({ code: 'FILE_UNREADABLE' });
  });

  test('is opened again after it ran out of CPU time once, and refused after the second time', async () => {
    const customer = await world.customer();
    const files = [{ s3Key: await upload(customer, await aPdf(2)) }];
    const { files: pinned, pages } = await endOf(customer, { files, pages: 2 });
    const strike = (paidPages = pages) =>
      recordFault({ ...customer, files: pinned, pages: paidPages }, faultOfFile('out_of_cpu', 0));
    await strike();
    expect((await endOf(customer, { files, pages: 2 })).failure).toBeNull();

    await strike();
    const opened = children.length;
    const refused = await endOf(customer, { files, pages: 2 });
    expect(refused.failure).toEqual({ code: 'FILE_UNREADABLE', message: faultOfFile('too_hard', 0).message });
    expect(refused.refundedCents).toBe(refused.amounts.totalCents);
    expect(children).toHaveLength(opened);
    // A job with more pages gets more time, so the file is tried again. A third strike ends that too.
    await strike(pages + 1);
    const s3Key = pinned[0]?.s3Key ?? '';
    expect((await Upload.findById(s3Key).orFail()).fault).toMatchObject({ name: 'too_hard', pages: pages + 1 });
  });

  test('keeps a final fault when it runs out of CPU time, and counts strikes per version', async () => {
    const customer = await world.customer();
    const s3Key = await upload(customer, await aPdf(1));
    const { files: pinned, pages } = await endOf(customer, { files: [{ s3Key }] });
    const faultNow = async () => (await Upload.findById(s3Key).orFail().lean()).fault;
    const others = pinned.map((file) => ({ ...file, etag: 'of other bytes' }));
    for (let time = 0; time < 2; time += 1)
      await recordFault({ ...customer, files: others, pages }, faultOfFile('out_of_cpu', 0));
    expect(await faultNow()).toBeUndefined();

    await recordFault({ ...customer, files: pinned, pages }, faultOfFile('damaged_pdf', 0));
    await recordFault({ ...customer, files: pinned, pages }, faultOfFile('out_of_cpu', 0));
    expect(await faultNow()).toEqual({ name: 'damaged_pdf', pages });
  });
});
