// Level: push
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Event } from '#common/events/event.model.ts';
import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { LedgerEntry } from '#common/wallet/ledger/ledger-entry.model.ts';
import { onePage, rawPdf, rawStream } from '#test/support/documents/build-pdf.ts';
import { describe, eventually, expect, test, useTempFolders } from '#test/support/jest.ts';
import { aLetter, aPdf, aRequestAddress, type Customer, upload } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';

describe('the rendering of a mail job', () => {
  const world = startWorld({ hasWorkers: true, environment: { SANDBOX_STEP_DELAY_S: '3600' } });
  const tempFolder = useTempFolders();
  const read = async (id: string) => await MailJob.findById(id).orFail().lean<MailJobRecord>();
  const failed = async (id: string) => {
    await eventually(async () => expect((await read(id)).status).toBe('failed'));
    return await read(id);
  };

  test('the print file of a PDF and a photo is stored with its SHA-256', async () => {
    const customer = await world.customer();
    const photo = await readFile(new URL('../../../scripts/demo/photo.heic', import.meta.url));
    const files = [
      { s3Key: await upload(customer, await aPdf(2)) },
      { s3Key: await upload(customer, photo, { filename: 'photo.heic', mimeType: 'image/heic' }) },
    ];
    const { body } = await customer.send({ pages: 3, files });
    await eventually(async () => expect((await read(body.mailJobId)).printFile).not.toBeNull());
    const { printFile } = await read(body.mailJobId);
    const stored = await world.store.head(printFile!.s3Key);
    const path = join(await tempFolder(), 'print.pdf');
    await world.store.getToFile({ key: printFile!.s3Key, path, ifMatch: stored!.etag, maxBytes: 10_000_000 });
    const bytes = await readFile(path);
    expect(printFile).toMatchObject({ pageCount: 3, sizeBytes: bytes.length });
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(printFile?.sha256);
  });

  test('colours are grey in a black-and-white letter, with a note', async () => {
    const customer = await world.customer();
    const red = rawPdf({ objects: onePage({ content: rawStream('', '1 0 0 rg 100 100 99 99 re f') }) });
    const files = [{ s3Key: await upload(customer, await aPdf(1)) }, { s3Key: await upload(customer, red) }];
    for (const color of [false, true]) {
      const { body } = await customer.send({ pages: 2, files, color });
      await eventually(async () => expect((await read(body.mailJobId)).printFile).not.toBeNull());
      const { printFile, findings } = await read(body.mailJobId);
      expect(printFile?.greyPages).toEqual(color ? undefined : [1]);
      const grey = findings?.filter(({ code }) => code === 'printed_grey').map(({ page }) => page);
      expect(grey).toEqual(color ? [] : [2]);
    }
  });

  test('a wrong page count fails the job, refunds each share once and sends one event', async () => {
    const customer = await world.customer();
    const before = await customer.balanceCents();
    const files = [{ s3Key: await upload(customer, await aPdf(2)) }];
    const { body } = await customer.send({
      files,
      recipients: [aRequestAddress(), aRequestAddress({ name: 'Bo Claes' })],
    });
    const job = await failed(body.mailJobId);
    expect(job.failure).toMatchObject({ code: 'PAGE_COUNT_MISMATCH' });
    expect(job.failure?.message).toMatch(/2.*1|1.*2/);
    expect(await customer.balanceCents()).toBe(before);
    const entries = await LedgerEntry.find({ mailJobId: job._id }).sort({ seq: 1 }).lean();
    expect(entries.map(({ kind }) => kind)).toEqual(['debit', 'refund', 'refund']);
    expect(entries.reduce((sum, { amountCents }) => sum + amountCents, 0)).toBe(0);
    expect(await Event.countDocuments({ subjectId: job._id, kind: 'MAIL_FAILED' })).toBe(1);
    const { body: detail } = await customer.http.get(`/v1/mails/${job._id}`);
    expect(detail).toMatchObject({ status: 'failed', refundedCents: detail.totalCents, counts: { failed: 2 } });
    // The page count is now known, and a wrong one is refused at once.
    const again = await customer.send({ files });
    expect(again).toMatchObject({ status: 400, body: { issues: [{ path: ['pages'] }] } });
    expect(again.body.issues[0].message).toMatch(/2.*1/);
  });

  test('a file replaced in the store fails with FILE_CHANGED', async () => {
    const customer = await world.customer();
    const s3Key = await upload(customer, await aPdf(1));
    await heldBack(customer, s3Key);
    const { body } = await customer.send({ files: [{ s3Key }] });
    expect((await failed(body.mailJobId)).failure?.code).toBe('FILE_CHANGED');
  });

  test('a rendering that fails after the job became final changes neither status nor money', async () => {
    const customer = await world.customer();
    const files = [{ s3Key: await upload(customer, Buffer.from('%PDF-1.7 broken')) }];
    const { body } = await customer.send({ files });
    const moved = await customer.http.post(`/v1/mails/${body.mailJobId}/simulate`, { to: 'delivered' });
    expect(moved.status).toBe(200);
    await eventually(async () => expect((await read(body.mailJobId)).renderFailure).not.toBeNull());
    expect(await read(body.mailJobId)).toMatchObject({ status: 'delivered', failure: null, refundedCents: 0, due: {} });
    expect(await LedgerEntry.countDocuments({ mailJobId: body.mailJobId })).toBe(1);
  });

  /** Lets the API check the upload, then replaces it before a job uses it. */
  async function heldBack(customer: Customer, s3Key: string): Promise<void> {
    const first = await aLetter(customer, { files: [{ s3Key }] });
    expect((await customer.http.post('/v1/mails', first)).status).toBe(201);
    const path = join(await tempFolder(), 'other.pdf');
    await writeFile(path, await aPdf(3));
    await world.store.putFile({ key: s3Key, path, contentType: 'application/pdf' });
  }
});
