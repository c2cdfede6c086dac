// Level: push
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { TypesetJob } from '#common/templates/typeset-job.model.ts';
import { textOf } from '#test/support/documents/typesetting/use-typesetting.ts';
import { describe, eventually, expect, openOnce, test, testWithPrograms, useTempFolders } from '#test/support/jest.ts';
import { aLetter } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { untilAnswered } from '#test/support/races/until-answered.ts';

const text = '# Reminder\n\nDear ((name)),\n\nPlease pay **((amount))**. ((late??It is late.))\n\n***\n\nPage two.';
const variables = { name: 'Ada', amount: '12.50 EUR', late: 'yes' };

describe('POST /v1/mails with a template', () => {
  const world = startWorld({ hasWorkers: true });
  const customer = openOnce(() => world.customer({ balanceCents: 100_000 }));
  const makeFolder = useTempFolders();

  async function createTemplate(content = text): Promise<string> {
    const { body } = await customer.http.post('/v1/templates', { name: 'Reminder', language: 'en', text: content });
    return body.templateId;
  }
  async function send(templateId: string, rest: object = {}) {
    const { files: _, pages: __, ...letter } = await aLetter(customer, {});
    const body = { ...letter, templateId, mergeVariables: variables, ...rest };
    return await untilAnswered(() => customer.http.post('/v1/mails', body));
  }

  test('a letter is made of a template, priced by its pages, and printed without findings', async () => {
    const templateId = await createTemplate();
    const { status, body } = await send(templateId);
    expect([status, body]).toMatchObject([201, { pages: 2, template: { templateId, version: 1 }, warnings: [] }]);
    expect(body.files).toMatchObject([{ mimeType: 'application/pdf' }]);
    await eventually(async () => {
      const { body: checked } = await customer.http.get(`/v1/mails/${body.mailJobId}/preflight`);
      expect(checked).toMatchObject({ status: 'done', findings: [] });
    });
    const job = await MailJob.findById(body.mailJobId).orFail().lean();
    expect(job.printFile).toMatchObject({ placement: 'page', pageCount: 2 });
  });

  test('a missing variable is refused by its name, before anything is made, stored or debited', async () => {
    const templateId = await createTemplate(text.replace('((name))', '((first name))'));
    const [balance, settings] = [await customer.balanceCents(), await TypesetJob.countDocuments()];
    const { status, body } = await send(templateId, { mergeVariables: { amount: ' ', Late: '' } });
    expect([status, body.issues]).toEqual([
      400,
      [
        { path: ['mergeVariables', 'first name'], message: 'Is missing.' },
        { path: ['mergeVariables', 'amount'], message: expect.stringContaining('Must not be empty') },
      ],
    ]);
    expect([await customer.balanceCents(), await TypesetJob.countDocuments()]).toEqual([balance, settings]);
  });

  testWithPrograms('pdftotext')(
    'the recipient fills its variables, also one of the address book; a given value wins, and several fill none',
    async () => {
      const templateId = await createTemplate('((Name)), ((street)), ((zip)) ((city)), ((country)): ((amount))');
      const recipient = { name: 'Zoë Jans', line1: 'Kerkstraat 2', zip: '9000', city: 'Gent', country: 'BE' };
      const { body: entry } = await customer.http.post('/v1/addresses', { kind: 'RECIPIENT', ...recipient });
      const valuesOf = async (recipients: object[], mergeVariables: object) => {
        const { status, body } = await send(templateId, { recipients, mergeVariables });
        if (status === 400) return body.issues.map(({ path, message }: never) => [(path as string[])[1], message]);
        const pdf = await world.store.get({ key: body.files[0].s3Key, maxBytes: 1e7 });
        return [textOf({ pdf, pageCount: 1 }).trim(), body.warnings];
      };
      const own = ['Zoë Jans, Kerkstraat 2, 9000 Gent, Belgium: 1', []];
      expect(await valuesOf([recipient], { amount: '1' })).toEqual(own);
      expect(await valuesOf([{ addressId: entry.id }], { amount: '1', name: null })).toEqual(own);
      const given = await valuesOf([recipient], { amount: '1', NAME: 'Dr. Jans' });
      expect(given).toEqual(['Dr. Jans, Kerkstraat 2, 9000 Gent, Belgium: 1', []]);
      expect(await valuesOf([recipient], { amount: '1', city: '' })).toEqual([
        ['city', expect.stringContaining('Must not be empty')],
      ]);
      const missing = ['Name', 'street', 'zip', 'city', 'country'].map((name) => [name, 'Is missing.']);
      expect(await valuesOf([recipient, { ...recipient, name: 'Bo' }], { amount: '1' })).toEqual(missing);
    },
  );

  test('a repeat is answered with the first letter, also after the template has changed', async () => {
    const templateId = await createTemplate();
    const first = await send(templateId, { externalId: 'template-1' });
    await customer.http.patch(`/v1/templates/${templateId}`, { text: 'Changed ((name))' });
    const again = await send(templateId, { externalId: 'template-1' });
    expect([again.status, again.body]).toMatchObject([
      200,
      { mailJobId: first.body.mailJobId, payloadMatches: true, template: { templateId, version: 1 } },
    ]);
    const other = await send(templateId, { externalId: 'template-1', mergeVariables: { name: 'Bob' } });
    expect(other.body).toMatchObject({ mailJobId: first.body.mailJobId, payloadMatches: false });
    await customer.http.delete(`/v1/templates/${templateId}`);
    expect((await send(templateId, { externalId: 'template-1' })).status).toBe(200);
  });

  test('an earlier version can be named, and an unused variable is a warning', async () => {
    const templateId = await createTemplate();
    await customer.http.patch(`/v1/templates/${templateId}`, { text: 'One page for ((name))' });
    const mergeVariables = { ...variables, nmae: 'x' };
    const { body } = await send(templateId, { templateVersion: 1, mergeVariables });
    expect(body).toMatchObject({ pages: 2, template: { version: 1 } });
    expect(body.warnings).toMatchObject([{ code: 'TEMPLATE_VARIABLE_UNUSED', path: ['mergeVariables', 'nmae'] }]);
    expect((await send(templateId)).body).toMatchObject({ pages: 1, template: { version: 2 } });
    const unknown = await send(templateId, { templateVersion: 3 });
    expect([unknown.status, unknown.body.issues[0].path]).toEqual([400, ['templateId']]);
  });

  test('a dry run tells pages and price; a wrong number of pages is refused', async () => {
    const templateId = await createTemplate();
    const balance = await customer.balanceCents();
    const { status, body } = await send(templateId, { dryRun: true });
    expect([status, body]).toMatchObject([200, { mailJobId: null, pages: 2, template: { version: 1 } }]);
    expect(await customer.balanceCents()).toBe(balance);
    const wrong = await send(templateId, { pages: 3 });
    expect([wrong.status, wrong.body.issues]).toMatchObject([400, [{ path: ['pages'] }]]);
  });

  test.each([
    ['files and a template', { files: [{ s3Key: 'u/x' }], pages: 1 }, ['templateId']],
    ['neither', { templateId: undefined, mergeVariables: undefined, pages: 1 }, ['files']],
    [
      'variables without a template',
      { templateId: undefined, pages: 1, files: [{ s3Key: 'u/x' }] },
      ['mergeVariables'],
    ],
    ['an unknown template', { templateId: 'tpl_01m7ynaxr6fqa9hh3vtb0xr0x4' }, ['templateId']],
  ])('%s are refused', async (_title, rest, path) => {
    const { status, body } = await send(await createTemplate(), rest);
    expect([status, body.issues?.[0]?.path]).toEqual([400, path]);
  });

  test('the template of another organization or mode cannot be used', async () => {
    const templateId = await createTemplate();
    const { organizationId } = customer;
    for (const options of [{}, { organizationId, mode: 'live' }] as const) {
      const other = await world.customer(options);
      const { files: _, pages: __, ...letter } = await aLetter(other, {});
      const { status, body } = await other.http.post('/v1/mails', { ...letter, templateId, mergeVariables: variables });
      expect([status, body.issues[0].path]).toEqual([400, ['templateId']]);
    }
  });

  testWithPrograms('pdftotext')('values print as they are, and the same request gives the same bytes', async () => {
    const value = '# *a* **b** ((name)) #let x = 1 $x$ `c` <d> @e | f \\ -- ~ [g](h) <script>';
    const templateId = await createTemplate('Value: ((name))');
    const sent = await Promise.all(
      [1, 2].map(async () => (await send(templateId, { mergeVariables: { name: value } })).body),
    );
    const keys = sent.map(({ files: [file] }) => file.s3Key);
    expect(keys[0]).toBe(keys[1]);
    await TypesetJob.deleteMany({});
    const { body } = await send(templateId, { mergeVariables: { NAME: value } });
    expect(body.files[0].s3Key).not.toBe(keys[0]);
    const [first, second] = await Promise.all(
      [keys[0], body.files[0].s3Key].map((key: string) => world.store.get({ key, maxBytes: 1e7 })),
    );
    expect(first).toEqual(second);
    const path = join(await makeFolder(), 'letter.pdf');
    writeFileSync(path, first ?? '');
    const printed = execFileSync('pdftotext', [path, '-'], { encoding: 'utf8' });
    expect(printed.replaceAll(/\s+/g, ' ').trim()).toBe(`Value: ${value}`);
  });
});
