// Level: ci
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Bulk } from '#common/bulk/model/bulk.model.ts';
import { BulkRow } from '#common/bulk/model/bulk-row.model.ts';
import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { createTemplate } from '#common/templates/change-templates.ts';
import { checkedBulk, createBulk, waitForBulk } from '#test/support/bulk/a-bulk.ts';
import { aWorkbook } from '#test/support/bulk/workbook.ts';
import { describe, expect, openOnce, test, testWithPrograms, useTempFolders } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';

const text = 'Dear ((first name)),\n\nyou owe us **((amount))** by ((due date)).\n\n***\n\nGoodbye, ((first name)).';
const header = 'Full name;First name;Street;Postcode;City;Amount;Due_date';

describe('a bulk of letters from a template', () => {
  const world = startWorld({ hasWorkers: true });
  const makeFolder = useTempFolders();
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

  testWithPrograms('pdftotext')(
    'variables of the recipient need no column; missing ones are named, and the letter is set with them',
    async () => {
      const owner = { organizationId: customer.organizationId, mode: customer.mode };
      const content = 'Dear ((name)) of ((company)), in ((city)): ((amount))';
      const { templateId } = await createTemplate(owner, { name: 'Fields', language: 'en', text: content }, new Date());
      const options = { hasDocument: false, request: { templateId } };
      const list =
        'Voornaam;Achternaam;Bedrijf;Straat;Postcode;Gemeente;Amount\nAda;Peeters;Acme;Rue 1;1000;Gent;5\nBo;Jans;;Rue 2;1000;Gent;7';
      const bulk = await checkedBulk(customer, Buffer.from(list), options);
      expect(bulk).toMatchObject({ rows: { valid: 1, faulty: 1 }, mapping: { variables: { amount: 'Amount' } } });
      const { body } = await customer.http.get(`/v1/bulk/${bulk.bulkId}/rows?status=faulty`);
      expect(body.data[0].faults).toMatchObject([{ column: 'Bedrijf', code: 'bad_variable' }]);
      await customer.http.post(`/v1/bulk/${bulk.bulkId}/confirm`, { skipFaultyRows: true });
      await waitForBulk(customer, bulk.bulkId, ['sent']);
      const job = await MailJob.findOne({ externalId: `${bulk.bulkId}:2` })
        .orFail()
        .lean<MailJobRecord>();
      const path = join(await makeFolder(), 'letter.pdf');
      writeFileSync(path, await world.store.get({ key: job.files[0]?.s3Key ?? '', maxBytes: 1e7 }));
      const printed = execFileSync('pdftotext', [path, '-'], { encoding: 'utf8' });
      expect(printed).toContain('Dear Ada Peeters of Acme, in Gent: 5');
      const without = await checkedBulk(customer, Buffer.from(list.replace('Bedrijf', 'Notitie')), options);
      expect([without.status, without.missingFields]).toEqual(['needs_mapping', ['variables.company']]);
    },
  );

  test('cells that a program or a spreadsheet has changed are mended with a warning, or faults', async () => {
    const owner = { organizationId: customer.organizationId, mode: customer.mode };
    const template = { name: 'Rekening', language: 'nl', text: 'Te betalen: ((amount)).' } as const;
    const { templateId } = await createTemplate(owner, template, new Date());
    const found = async (list: Buffer, file: { mimeType?: string; filename?: string } = {}) => {
      const options = { hasDocument: false, request: { templateId }, ...file };
      const { bulkId } = await checkedBulk(customer, list, options);
      const { body } = await customer.http.get(`/v1/bulk/${bulkId}/rows`);
      const of = ({ column, code }: { column: string; code: string }) => `${column} ${code}`;
      const codes = body.data.map((row: Record<string, never[]>) => [row.faults?.map(of), row.warnings?.map(of)]);
      return { bulkId, codes };
    };
    const columns = ['Name', 'Street', 'Number', 'Address 2', 'Postcode', 'City', 'Country', 'Amount'];
    const csv = [
      'Ana;Rue;1;NULL;10115.0;Berlin;DE;480.58',
      'Bo;Rue;3-apr;;501;Holtsville NY;US;#REF!',
      'Cy;Rue;1;;1000;Gent;BE;5',
    ];
    const ofCsv = await found(Buffer.from([columns.join(';'), ...csv].join('\n')));
    expect(ofCsv.codes).toEqual([
      [[], ['Address 2 null_word', 'Postcode decimals_removed', 'Amount decimal_sign']],
      [['Number date_in_address', 'Amount cell_error', 'Postcode lost_zero'], []],
      [[], []],
    ]);
    expect(await Bulk.findById(ofCsv.bulkId).lean()).toMatchObject({
      warnedRows: [2],
      counts: { valid: 2, warned: 1 },
    });

    const cell = (value: string) => `<c t="inlineStr"><is><t>${value}</t></is></c>`;
    const row = (number: string, line2: string) =>
      `<row>${cell('Ana')}${cell('Rue')}${number}${line2}${cell('9000')}${cell('Gent')}${cell('BE')}<c><v>480.58</v></c></row>`;
    const rows = [
      row('<c s="1"><v>46054</v></c>', cell('Rear')),
      row(cell('1'), '<c><f>"Box "&amp;5</f><v></v></c>'),
      row(cell('1'), '<c t="e"><v>#N/A</v></c>'),
      row(cell('1'), cell('Box 5')),
    ];
    const styles = '<cellXfs><xf numFmtId="0"/><xf numFmtId="16"/></cellXfs>';
    const workbook = aWorkbook({ rows: `<row>${columns.map(cell).join('')}</row>${rows.join('')}`, styles });
    const mimeType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
    const ofXlsx = await found(workbook, { mimeType, filename: 'list.xlsx' });
    expect(ofXlsx.codes.map(([faults]: string[][]) => faults)).toEqual([
      ...[['Number date_in_address'], ['Address 2 cell_error'], ['Address 2 cell_error'], []],
    ]);
    expect((await BulkRow.findOne({ bulkId: ofXlsx.bulkId, row: 5 }).lean())?.cells.at(-1)).toBe('480,58');
  });
});
