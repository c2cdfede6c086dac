import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { describe, expect, openOnce, test } from '#test/support/jest.ts';
import { aRequestAddress } from '#test/support/product/customer.ts';
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

  test('an address that cannot be printed fails the letter with the way out, and refunds it', async () => {
    const before = await customer.balanceCents();
    const recipients = [aRequestAddress(), { ...aRequestAddress(), name: '王小明' }];
    const { _id, failure } = await renderedLetter(customer, { recipients });
    const message = expect.stringMatching(/recipient 2 cannot be printed.*Correct the address/);
    expect(failure).toEqual({ code: 'ADDRESS_UNPRINTABLE', message });
    expect(await customer.balanceCents()).toBe(before);
    const { findings } = await findingsOf(_id);
    expect(findings).toMatchObject([{ code: 'blank_page' }, { code: 'address_not_printable', severity: 'error' }]);
  });
});
