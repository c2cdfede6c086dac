// Level: push
import { lexer } from 'marked';
import { fillIn, type Guide } from '#api/docs/read-guides.ts';
import { renderGuide } from '#api/docs/render-guide.ts';
import { routes } from '#api/routes/index.ts';
import { scopes } from '#common/access/scopes.ts';
import { errorCodes, errorTable } from '#common/errors.ts';
import { oauthErrorTable } from '#common/oauth/oauth-error.ts';
import { beforeAll, describe, expect, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';
import { readText } from '#test/support/project/markdown.ts';

const errorPaths = errorCodes.map((code) => `/docs/errors/${code}`);

/** The promised guides. A link to one must not break. */
const names = [
  'sending',
  'sandbox',
  'paper',
  'templates',
  'bulk',
  'conventions',
  'webhooks',
  'wallet',
  'reports',
  'oauth',
  'errors',
  'limits',
  'account',
  'decisions',
  'changelog',
];

describe('the guides', () => {
  const world = startWorld({
    hasTariffs: false,
    environment: {
      AUTH_URL: 'https://letters.example',
      RATE_LIMIT_READ_PER_MINUTE: '12345',
      MAX_ACTIVE_WEBHOOKS: '77',
      SANDBOX_STEP_DELAY_S: '9',
      CUTOFF_TIMES: '16:00,registered=14:30',
      PRODUCTION_LEAD_MINUTES: '45',
    },
  });
  const pages = new Map<string, string>();
  const get = async (path: string) => await fetch(new URL(path, world.url));
  beforeAll(async () => {
    for (const path of ['/docs/guides', ...names.map((name) => `/docs/guides/${name}`), ...errorPaths]) {
      const answer = await get(path);
      expect([path, answer.status, answer.headers.get('content-type')]).toEqual([
        path,
        200,
        'text/html; charset=utf-8',
      ]);
      pages.set(path, await answer.text());
    }
  });

  const hrefsOf = (page: string) => [...page.matchAll(/(?:href|action)="([^"]+)"/g)].map(([, href = '']) => href);
  const textOf = (page: string) =>
    page
      .replaceAll(/<[^>]+>/g, '')
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&amp;', '&');
  /** Returns the text of the cells of each table row of a guide. */
  const rowsOf = (name: string) =>
    [...(pages.get(`/docs/guides/${name}`) ?? '').matchAll(/<tr.*?<\/tr>/gs)].map(([row]) =>
      [...row.matchAll(/<td.*?<\/td>/gs)].map(([cell]) => textOf(cell)),
    );

  test('the reference links the guides, and the list links each guide', async () => {
    expect(hrefsOf(await (await get('/docs')).text())).toContain('docs/guides');
    const links = hrefsOf(pages.get('/docs/guides') ?? '');
    expect(links).toEqual(expect.arrayContaining(names.map((name) => `guides/${name}`)));
  });

  test('no link or anchor is broken', async () => {
    for (const [path, page] of pages) {
      expect([path, [...page.matchAll(/<h1/g)].length, [...page.matchAll(/<main/g)].length]).toEqual([path, 1, 1]);
      for (const href of hrefsOf(page).filter((each) => !each.startsWith('data:'))) {
        const { origin, pathname, hash } = new URL(
          href.replace(world.config.http.baseUrl, world.url),
          world.url + path,
        );
        if (origin !== world.url) {
          // The web host, which this test does not start.
          expect([path, origin]).toEqual([path, world.config.http.authUrl]);
          continue;
        }
        const target = pages.get(pathname) ?? (await get(pathname)).status;
        const isThere = hash === '' ? target !== 404 : String(target).includes(` id="${hash.slice(1)}"`);
        expect([path, href, isThere]).toEqual([path, href, true]);
      }
    }
  });

  test('a guide loads nothing but its style sheet and runs no script', async () => {
    const { headers } = await get('/docs/guides/sending');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/^default-src 'none';style-src 'self';/);
    expect(policy).not.toMatch(/unsafe|script|https?:|\*/);
    for (const page of pages.values()) expect(page).not.toMatch(/<script|\son\w+=|style=|src=/);
    const style = await get('/docs/guides.css');
    expect([style.status, style.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8']);
  });

  const missing = ['nothing', 'nothing.md', 'sending/', 'sending.md.md', '.md', '%FF'];
  test.each(missing)('there is no guide %s: 404', async (name) => {
    expect((await get(`/docs/guides/${name}`)).status).toBe(404);
  });

  test('other methods are 405', async () => {
    for (const path of ['/docs/guides', '/docs/guides/sending', '/docs/guides.css']) {
      const answer = await fetch(world.url + path, { method: 'POST' });
      expect([path, answer.status, answer.headers.get('allow')]).toEqual([path, 405, 'GET, HEAD']);
    }
  });

  test('every request is listed with its scope', () => {
    const declared = routes.map(({ method, path, scope }) => [`${method.toUpperCase()} ${path}`, scope]);
    expect(rowsOf('conventions').map((row) => row.slice(0, 2))).toEqual(expect.arrayContaining(declared));
    expect(rowsOf('conventions').map(([first]) => first)).toEqual(expect.arrayContaining([...scopes]));
  });

  test('every error that a request can receive is listed with its status', () => {
    const sent = new Set(['VALIDATION_ERROR', 'UNAUTHORIZED', 'FORBIDDEN', 'RATE_LIMITED', 'INTERNAL_ERROR']);
    for (const { errors } of routes) for (const error of errors) sent.add(error);
    const shown = new Map(rowsOf('errors').map(([code = '', ...rest]) => [code, rest]));
    for (const code of sent) {
      const { status, message } = errorTable[code as keyof typeof errorTable];
      expect([code, shown.get(code)]).toEqual([code, [String(status), message, expect.stringMatching(/./)]]);
    }
    for (const [code, status] of Object.entries(oauthErrorTable)) expect(shown.get(code)).toEqual([String(status)]);
  });

  test.each(errorCodes)('%s has a page that says its causes, what to do, and which requests send it', (code) => {
    const page = textOf(pages.get(`/docs/errors/${code}`) ?? '').replaceAll(/\s+/g, ' ');
    const { status, message } = errorTable[code];
    for (const part of [code, String(status), message, 'Causes', 'What to do', 'Requests'])
      expect(page).toContain(part);
    const own = routes.filter(({ errors }) => (errors as readonly string[]).includes(code));
    for (const { path } of own) expect(page.includes(path) || page.includes('Every request')).toBe(true);
  });

  test('an error names its page, and the list of errors links it', async () => {
    const refused = await get('/v1/wallet');
    const { code, docsUrl } = (await refused.json()) as { code: string; docsUrl: string };
    expect([code, docsUrl]).toEqual(['UNAUTHORIZED', `${world.config.http.baseUrl}/docs/errors/UNAUTHORIZED`]);
    expect(pages.has(new URL(docsUrl).pathname)).toBe(true);
    expect(hrefsOf(pages.get('/docs/guides/errors') ?? '')).toContain('../errors/UNAUTHORIZED');
  });

  test('each page has a twin in Markdown, and llms.txt lists them all', async () => {
    const index = await (await get('/llms.txt')).text();
    const all = await (await get('/llms-full.txt')).text();
    const listed = [...index.matchAll(/\]\(([^)]+)\)/g)].map(([, url = '']) => new URL(url).pathname);
    const twins = [...pages.keys()].filter((path) => path !== '/docs/guides').map((path) => `${path}.md`);
    expect(listed.toSorted()).toEqual(['/v1/openapi.json', '/llms-full.txt', ...twins].toSorted());
    for (const twin of twins) {
      const answer = await get(twin);
      expect([twin, answer.status, answer.headers.get('content-type')]).toEqual([
        ...[twin, 200],
        'text/markdown; charset=utf-8',
      ]);
      const text = await answer.text();
      expect(text).not.toMatch(/\{\{|<html/);
      expect(all).toContain(text.trim());
      const asked = await fetch(world.url + twin.slice(0, -3), { headers: { accept: 'text/markdown' } });
      expect([await asked.text(), asked.headers.get('vary')]).toEqual([text, expect.stringContaining('Accept')]);
    }
    expect(all).not.toContain('{{');
  });

  test('the limits are those of this installation', () => {
    const shown = rowsOf('limits');
    for (const row of [
      ['Reads per minute and key', '12,345', 'RATE_LIMIT_READ_PER_MINUTE'],
      ['Active webhooks per organization and mode', '77', 'MAX_ACTIVE_WEBHOOKS'],
      ['pages', '1 to 2,000', 'POST /v1/quote, POST /v1/mails'],
      ['recipients', '1 to 100 items', 'POST /v1/preflight, POST /v1/mails'],
      ['sizeBytes', '1 to 20,971,520', 'POST /v1/uploads'],
      [
        'city',
        '1 to 80 characters',
        'POST /v1/preflight, POST /v1/mails, POST /v1/bulk, POST /v1/addresses, PATCH /v1/addresses/{id}',
      ],
      ['An access token is valid for', '1\u00a0h', ''],
      ['Delays before the next attempts, test', '5\u00a0s, 1\u00a0min, 5\u00a0min', ''],
    ]) {
      expect(shown).toContainEqual(row);
    }
    expect(pages.get('/docs/guides/sending')).toContain('one step every 9\u00a0s.');
    const sending = textOf(pages.get('/docs/guides/sending') ?? '').replaceAll(/\s+/g, ' ');
    expect(sending).toContain('Cutoffs are at 16:00 (standard, prior) and 14:30 (registered) in Brussels');
    expect(sending).toContain('The batch of a cutoff closes 45 min before it.');
    expect([...pages.values()].join()).not.toContain('{{');
  });

  test.each(['mjs', 'py', 'php'])('the webhook guide shows receiver.%s as it is', (extension) => {
    const shown = textOf(pages.get('/docs/guides/webhooks') ?? '');
    expect(shown).toContain(readText(`scripts/examples/receivers/receiver.${extension}`));
  });

  test.each(['batch-manifest', 'print-results'])('the JSON Schema %s is served beside them', async (name) => {
    const answer = await get(`/docs/schemas/${name}.schema.json`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    expect(await answer.text()).toBe(readText(`api/docs/schemas/${name}.schema.json`));
  });

  test('the search finds the sections that contain all words, also in generated tables', async () => {
    const search = async (query: string) => await (await get(`/docs/guides?q=${encodeURIComponent(query)}`)).text();
    expect(hrefsOf(await search('Verifying SIGNATURES'))).toContain('guides/webhooks#verifying-webhook-signatures');
    expect(hrefsOf(await search('max_active_webhooks'))).toContain('guides/limits#webhooks-and-events');
    expect(await search('signature')).toContain('<mark>Signature</mark>');
    expect(await search('signature zebra')).toContain('No section contains all of these words.');
    const hostile = await search('<script>"(');
    expect(hostile).toContain('value="&lt;script&gt;&quot;("');
    expect(hostile).not.toContain('<script');
    expect(await search('  ')).toBe(pages.get('/docs/guides'));
    const json = { headers: { accept: 'application/json' } };
    const found = await fetch(new URL('/docs/guides?q=signature', world.url), json);
    const { sections } = (await found.json()) as { sections: { url: string }[] };
    expect(sections).toHaveLength(5);
    expect(sections[0]?.url).toMatch(/\/docs\/guides\/webhooks#verifying-webhook-signatures$/);
    expect(sections[0]).toMatchObject({ guide: 'Webhooks', markdown: expect.stringMatching(/signature/i) });
  });
});

describe('rendering a guide', () => {
  const render = (markdown: string) =>
    String(renderGuide({ tokens: lexer(markdown), sections: [] } as unknown as Guide));

  test('raw HTML is shown as text', () => {
    expect(render('a <b onclick="x">b</b>\n\n<script>c</script>')).not.toMatch(/<(b|script)/);
  });

  test('links lead to guides, anchors and web addresses only', () => {
    expect(render('[a](webhooks.md#the-request)')).toContain('href="webhooks#the-request"');
    for (const href of ['javascript:alert(1)', '/work', '../README.md']) {
      expect(() => render(`[a](${href})`)).toThrow('cannot link');
    }
  });

  test('an unknown placeholder is refused', () => {
    expect(fillIn('a {{b}} c', { b: '1' })).toBe('a 1 c');
    expect(() => fillIn('{{c}}', { b: '1' })).toThrow('{{c}}');
  });
});
