// Level: push
import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { createTemplate } from '#common/templates/change-templates.ts';
import { checkedBulk, createBulk, waitForBulk } from '#test/support/bulk/a-bulk.ts';
import { describe, expect, openOnce, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';

const text = 'Dear ((first name)),\n\nyou owe us **((amount))** by ((due date)).\n\n***\n\nGoodbye, ((first name)).';
const header = 'Full name;First name;Street;Postcode;City;Amount;Due_date';

describe('a bulk of letters from a template', () => {
  const world = startWorld({ hasWorkers: true });
  const customer = openOnce(() => world.customer({ mode: 'live', balanceCents: 10_000 }));

  test('an unknown template, or version of one, is a fault of the request', async () => {
    const owner = { organizationId: customer.organizationId, mode: customer.mode };
    const { templateId } = await createTemplate(owner, { name: 'Other', language: 'en', text: 'Hello' }, new Date());
    for (const request of [{ templateId: 'tpl_unknown' }, { templateId, templateVersion: 2 }]) {
      const { status, body } = await createBulk(customer, Buffer.from(header), { hasDocument: false, request });
      expect([status, body.code, body.issues?.[0]?.path]).toEqual([400, 'VALIDATION_ERROR', ['templateId']]);
    }
  });

  test('columns fill the variables; a missing value is a fault; each letter is set and sent', async () => {
    const owner = { organizationId: customer.organizationId, mode: customer.mode };
    const { templateId } = await createTemplate(owner, { name: 'Reminder', language: 'en', text }, new Date());
    const rows = ['Ada Peeters;Ada;Rue Haute 1;1000;Bruxelles;12 EUR;1 May', 'Jan Jans;;Kerkstraat 2;9000;Gent;5 EUR;'];
    const list = Buffer.from([header, ...rows, 'Bo;Bo;Kerkstraat 3;9000;Gent;7 EUR;2 May'].join('\n'));
    const bulk = await checkedBulk(customer, list, { hasDocument: false, request: { templateId } });
    expect(bulk).toMatchObject({
      status: 'needs_attention',
      templateId,
      rows: { valid: 2, faulty: 1 },
      prices: [{ pages: 2, letters: 2 }],
      mapping: { variables: { 'first name': 'First name', amount: 'Amount', 'due date': 'Due_date' } },
    });
    const { body } = await customer.http.get(`/v1/bulk/${bulk.bulkId}/rows?status=faulty`);
    expect(body.data[0].faults.map(({ column, code }: { column: string; code: string }) => [column, code])).toEqual([
      ['First name', 'bad_variable'],
      ['Due_date', 'bad_variable'],
    ]);
    await customer.http.post(`/v1/bulk/${bulk.bulkId}/confirm`, { skipFaultyRows: true });
    const { progress } = await waitForBulk(customer, bulk.bulkId, ['sent']);
    expect(progress).toMatchObject({ sent: 2, sentCents: bulk.totalCents, refused: 0 });
    const jobs = await MailJob.find({ organizationId: customer.organizationId }).lean<MailJobRecord[]>();
    expect(jobs.map(({ pages }) => pages)).toEqual([2, 2]);
    expect(new Set(jobs.map(({ files }) => files[0]?.s3Key)).size).toBe(2);
  });
});
