// Level: push
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { setCoverPageRule } from '#common/organizations/cover-pages.ts';
import { onePage, rawPdf } from '#test/support/documents/build-pdf.ts';
import { describe, expect, openOnce, test } from '#test/support/jest.ts';
import { aPdf, aRequestAddress } from '#test/support/product/customer.ts';
import { renderedLetter } from '#test/support/product/rendered-letter.ts';
import { startWorld } from '#test/support/product/world.ts';

describe('GET /v1/mails/{id}/preflight', () => {
  const world = startWorld({ hasWorkers: true, environment: { SANDBOX_STEP_DELAY_S: '3600' } });
  const customer = openOnce(() => world.customer());
  const findingsOf = async (id: string) => (await customer.http.get(`/v1/mails/${id}/preflight`)).body;

  test('lists what the rendering found', async () => {
    const { _id } = await renderedLetter(customer);
    const finding = { code: 'blank_page', severity: 'info', page: 1, boxMm: null };
    expect(await findingsOf(_id)).toMatchObject({ mailJobId: _id, status: 'done', findings: [finding] });
    await MailJob.updateOne({ _id }, { $set: { printFile: null }, $unset: { findings: '' } });
    expect(await findingsOf(_id)).toEqual({ mailJobId: _id, status: 'running', findings: [] });
  });

  test('names the fault of files that cannot be printed', async () => {
    const { _id } = await renderedLetter(customer, { bytes: Buffer.from('%PDF-1.7 broken') });
    const finding = { code: 'damaged_pdf', severity: 'error', fix: 'Export it again, then upload the new file.' };
    expect(await findingsOf(_id)).toMatchObject({ status: 'done', findings: [finding] });
  });

  test('says that the number of pages is wrong, and how many there are', async () => {
    const { _id, failure } = await renderedLetter(customer, { bytes: await aPdf(2), pages: 1 });
    expect(failure?.code).toBe('PAGE_COUNT_MISMATCH');
    const message = 'The letter was sent with 1 as its number of pages, its files have 2.';
    expect((await findingsOf(_id)).findings).toMatchObject([
      { code: 'page_count_mismatch', severity: 'error', message },
    ]);
  });

  test.each([
    ['/UserUnit 2000000', 'a unit of 700 m'],
    ['/Rotate 3600000', 'a rotation of 10,000 turns'],
    ['/CropBox [-2000000 0 2000000 842]', 'a CropBox of 1,400 km'],
  ])('a page with %s, which is %s, fails the letter or can be addressed', async (page) => {
    const letter = await renderedLetter(customer, { bytes: rawPdf({ objects: onePage({ page }) }) });
    if (letter.printFile === null) return expect(letter.failure?.code).toBe('FILE_UNREADABLE');
    expect((await customer.http.get(`/v1/mails/${letter._id}/proof`)).status).toBe(200);
  });

  test('an address that cannot be printed fails the letter with the way out, and refunds it', async () => {
    // Without cover pages, the document may show the address itself: that is known when it is rendered.
    await setCoverPageRule(customer.organizationId, 'never', { by: { kind: 'cli', id: 'test' }, at: new Date() });
    const before = await customer.balanceCents();
    const recipients = [{ ...aRequestAddress(), name: '王小明' }];
    const { _id, failure } = await renderedLetter(customer, { recipients });
    const message = expect.stringMatching(/recipient 1 cannot be printed.*Correct the address/);
    expect(failure).toEqual({ code: 'ADDRESS_UNPRINTABLE', message });
    expect(await customer.balanceCents()).toBe(before);
    const { findings } = await findingsOf(_id);
    expect(findings).toMatchObject([{ code: 'blank_page' }, { code: 'address_not_printable', severity: 'error' }]);
  });
});
