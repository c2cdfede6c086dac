// Level: push
import sharp from 'sharp';
import type { Language } from '#common/languages.ts';
import { readLetterhead } from '#common/templates/letterheads.ts';
import { Template, type TemplateRecord, TemplateVersionModel } from '#common/templates/template.model.ts';
import { describe, expect, openOnce, test } from '#test/support/jest.ts';
import { formsOf, startWebHost } from '#test/support/web/web-host.ts';

const path = '/account/templates';
const good = {
  mode: 'test',
  name: 'Reminder',
  language: 'en',
  text: 'Dear ((Name)),\r\nPay ((amount)).',
  action: 'save',
};
const logo = openOnce(async () => ({
  png: await sharp({ create: { width: 300, height: 100, channels: 3, background: '#804020' } })
    .png()
    .toBuffer(),
}));

describe('the pages of templates', () => {
  const { host } = startWebHost({ hasWorkers: true });
  const templatesOf = (organizationId: string) =>
    Template.find({ organizationId }).sort({ _id: 1 }).lean<TemplateRecord[]>();

  test('a template can be created, changed, copied to the other mode and deleted', async () => {
    const visitor = await host.signedIn();
    const { organizationId } = visitor.user;
    const made = await visitor.send(`${path}/new`, `${path}/new`, good);
    const [template] = await templatesOf(organizationId);
    const own = `${path}/${template?._id}`;
    expect([made.status, made.location]).toEqual([303, `/en${own}?notice=templateSaved`]);
    const [version] = await TemplateVersionModel.find({ organizationId }).lean();
    expect(version?.text).toBe('Dear ((Name)),\nPay ((amount)).');
    expect((await visitor.get(path)).text).toContain('Reminder');

    await visitor.send(own, own, { ...good, name: 'Other <name>', text: 'New ((amount))' });
    expect(await templatesOf(organizationId)).toMatchObject([{ name: 'Other <name>', version: 2, mode: 'test' }]);
    const { text } = await visitor.get(own);
    expect(text).toContain('Other &lt;name&gt;');
    expect(text).toContain('New ((amount))</textarea>');
    expect((await visitor.get(`${own}?version=1`)).text).toContain('This is version 1');
    for (const [language, words] of Object.entries({
      en: 'sample list',
      fr: 'exemple',
      nl: 'Voorbeeld',
      de: 'Beispiel',
    })) {
      const { text: page } = await visitor.get(`/${language}${own}`);
      const [href = ''] = /\/\w+\/account\/templates\/tpl_\w+\/sample\?version=2/.exec(page) ?? [];
      const { bytes, headers } = await visitor.getBytes(href);
      const [heading, row] = bytes.toString().split('\r\n');
      expect([headers.get('content-type'), heading, row]).toEqual([
        ...['text/csv; charset=utf-8', expect.stringMatching(/,amount$/), expect.stringMatching(/^Ada Peeters,/)],
      ]);
      expect(page).toContain(words);
    }

    const copied = await visitor.send(own, `${own}/copy`, { action: 'copy' });
    expect(copied.location).toMatch(/^\/en\/account\/templates\/tpl_\w+\?notice=templateCopied$/);
    expect(await templatesOf(organizationId)).toMatchObject([{ mode: 'test' }, { mode: 'live', version: 1 }]);

    const deleted = await visitor.send(`${own}/delete`, `${own}/delete`, { action: 'delete' });
    expect(deleted.location).toBe('/en/account/templates?mode=test&notice=templateDeleted');
    expect(await templatesOf(organizationId)).toMatchObject([{ mode: 'live' }]);
    expect((await visitor.get(own)).status).toBe(404);
  });

  test('a preview shows the letter with sample values, and keeps what was typed without storing it', async () => {
    const visitor = await host.signedIn();
    const sent = { ...good, action: 'preview', 'sample.name': 'Ada' };
    const { status, text } = await visitor.send(`${path}/new`, `${path}/new`, sent);
    expect(status).toBe(200);
    expect(text).toContain('1 page.');
    expect(text).toContain('value="Ada"');
    expect(text).toContain('Pay ((amount)).</textarea>');
    const [, picture = ''] = /src="([^"]*\/pictures\/[^"]+)"/.exec(text) ?? [];
    const { bytes, headers } = await visitor.getBytes(picture);
    expect(headers.get('content-type')).toBe('image/png');
    expect(await sharp(bytes).metadata()).toMatchObject({ format: 'png' });
    expect(await templatesOf(visitor.user.organizationId)).toEqual([]);
    const stranger = await host.signedIn();
    expect((await stranger.get(picture)).status).toBe(404);
    const [, pdf = ''] = /href="(http[^"]+)" target/.exec(text) ?? [];
    const file = await fetch(pdf.replaceAll('&amp;', '&'));
    expect(await file.text()).toMatch(/^%PDF-/);
  });

  test.each<[Language, string, string]>([
    ['en', 'Line 2', 'is opened with (('],
    ['fr', 'Ligne 2', 'est ouverte par (('],
    ['nl', 'Regel 2', 'begint met (('],
    ['de', 'Zeile 2', 'beginnt mit (('],
  ])('faults of the text are listed with their lines in %s', async (language, line, words) => {
    const visitor = await host.signedIn();
    const wrong = { ...good, text: 'a\r\nb ((c' };
    const { status, text } = await visitor.send(`/${language}${path}/new`, `${path}/new`, wrong);
    expect(status).toBe(400);
    expect(text).toContain(line);
    expect(text).toContain(words);
    expect(text).toContain('b ((c</textarea>');
  });

  test('a change on top of one that the visitor has not seen is refused', async () => {
    const visitor = await host.signedIn();
    await visitor.send(`${path}/new`, `${path}/new`, good);
    const [template] = await templatesOf(visitor.user.organizationId);
    const own = `${path}/${template?._id}`;
    const late = { ...good, text: 'Late', basedOn: '1' };
    expect((await visitor.send(own, own, { ...good, text: 'Early' })).status).toBe(303);
    const refused = await visitor.send(own, own, late);
    expect([refused.status, refused.text.includes('Late</textarea>')]).toEqual([409, true]);
    expect(refused.text).toContain('Someone else changed this template');
  });

  test('a text of 50,000 characters of three bytes can be saved', async () => {
    const visitor = await host.signedIn();
    const text = `${'€ '.repeat(24_000)}end`;
    expect((await visitor.send(`${path}/new`, `${path}/new`, { ...good, text })).status).toBe(303);
  });
});

describe('the page of the letterhead', () => {
  const { host } = startWebHost({ hasWorkers: true });
  const page = '/account/templates/letterhead';

  async function openLetterhead() {
    const visitor = await host.signedIn();
    const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    async function save(fields: Record<string, string>, file?: Buffer) {
      const form = formsOf((await visitor.get(page)).text).find(({ action }) => action.endsWith(page));
      const body = new FormData();
      for (const [name, value] of Object.entries({ ...form?.hidden, ...fields })) body.append(name, value);
      body.append('logo', file ? new File([new Uint8Array(file)], 'logo.png') : new File([], ''));
      const headers = { cookie, origin: new URL(host.url).origin };
      return await fetch(host.url + page, { method: 'POST', body, headers, redirect: 'manual' });
    }
    return { visitor, save };
  }

  test('lines and logo are stored and shown on a sample letter; the logo can be removed', async () => {
    const { visitor, save } = await openLetterhead();
    const lines = { senderLines: 'Acme NV\r\n\r\n Kerkstraat 1 ', footerLines: 'BE 0123.456.789' };
    expect((await save(lines, logo.png)).status).toBe(303);
    const { organizationId } = visitor.user;
    expect(await readLetterhead(organizationId)).toMatchObject({
      ...{ senderLines: ['Acme NV', 'Kerkstraat 1'], footerLines: ['BE 0123.456.789'], version: 1 },
      logo: { type: 'png', base64: logo.png.toString('base64') },
    });
    const { text } = await visitor.get(page);
    const [, picture = ''] = /src="([^"]*\/pictures\/[^"]+)"/.exec(text) ?? [];
    expect((await visitor.getBytes(picture)).headers.get('content-type')).toBe('image/png');
    expect((await visitor.getBytes(`${page}/logo`)).bytes.equals(logo.png)).toBe(true);

    expect((await save(lines)).status).toBe(303);
    expect((await readLetterhead(organizationId))?.logo?.type).toBe('png');
    expect((await save({ ...lines, removeLogo: 'yes' })).status).toBe(303);
    expect(await readLetterhead(organizationId)).toMatchObject({ logo: null, version: 3 });
    expect((await visitor.get(`${page}/logo`)).status).toBe(404);
  });

  test.each([
    ['a file that is no image', { senderLines: '', footerLines: '' }, Buffer.from('<svg/>'), 'logo'],
    ['a logo that is too large', { senderLines: '', footerLines: '' }, Buffer.alloc(300_001, 1), 'logo'],
    ['too many lines', { senderLines: 'a\n'.repeat(7), footerLines: '' }, undefined, 'senderLines'],
    ['characters that the font lacks', { senderLines: '', footerLines: '漢' }, undefined, 'footerLines'],
  ])('%s is refused, with nothing stored', async (_title, fields, file, field) => {
    const { visitor, save } = await openLetterhead();
    const answer = await save(fields, file);
    expect(answer.status).toBe(400);
    expect(await answer.text()).toContain(`id="account-templates-letterhead-${field}-error"`);
    expect(await readLetterhead(visitor.user.organizationId)).toBeNull();
  });
});
