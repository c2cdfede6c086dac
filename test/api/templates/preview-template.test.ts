// Level: push
import { execFileSync } from 'node:child_process';
import { describe, expect, openOnce, test, testWithPrograms } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';

describe('POST /v1/templates/{id}/preview', () => {
  const world = startWorld({ hasWorkers: true, hasTariffs: false });
  const customer = openOnce(() => world.customer());

  async function create(text: string): Promise<string> {
    const template = { name: 'Reminder', language: 'en', text };
    return `/v1/templates/${(await customer.http.post('/v1/templates', template)).body.templateId}`;
  }
  const textOf = async (url: string) => {
    const input = Buffer.from(await (await fetch(url)).arrayBuffer());
    return execFileSync('pdftotext', ['-', '-'], { input, encoding: 'utf8' }).replaceAll(/\s+/g, ' ').trim();
  };

  testWithPrograms('pdftotext')('missing variables show as their names, unused ones are listed', async () => {
    const path = await create('Dear ((name)), pay ((Amount)).\n\n***\n\nEnd');
    const mergeVariables = { NAME: 'Ada', colour: 'red' };
    const { status, body } = await customer.http.post(`${path}/preview`, { mergeVariables });
    expect([status, body]).toMatchObject([
      200,
      { version: 1, pages: 2, missingVariables: ['Amount'], unusedVariables: ['colour'] },
    ]);
    expect(await textOf(body.url)).toBe('Dear Ada, pay ((Amount)). 1/2 End 2/2');
  });

  testWithPrograms('pdftotext')('an earlier version can be previewed', async () => {
    const path = await create('First');
    await customer.http.patch(path, { text: 'Second' });
    const { body } = await customer.http.post(`${path}/preview`, { version: 1 });
    expect([body.version, await textOf(body.url)]).toEqual([1, 'First']);
    expect((await customer.http.post(`${path}/preview`, { version: 3 })).status).toBe(404);
  });

  test('a value that cannot be printed is refused by its name', async () => {
    const path = await create('Dear ((name))');
    const { status, body } = await customer.http.post(`${path}/preview`, { mergeVariables: { name: '漢字' } });
    expect([status, body.issues]).toMatchObject([400, [{ path: ['mergeVariables', 'name'] }]]);
  });

  test('a letter of too many pages is refused with what to do', async () => {
    const path = await create('((v))\n\n'.repeat(30) + '***\n\nx\n\n'.repeat(49));
    const mergeVariables = { v: 'word '.repeat(990) };
    const { status, body } = await customer.http.post(`${path}/preview`, { mergeVariables });
    expect([status, body.issues?.[0]?.message]).toEqual([400, expect.stringContaining('more than 50 pages')]);
  });
});
