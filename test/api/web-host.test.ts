// Level: push
import { describe, expect, test } from '../support/jest.ts';
import { startWebHost } from '../support/web/web-host.ts';

describe('the web host', () => {
  const { host } = startWebHost({ environment: { BASE_URL: 'https://api.example.com/' } });

  test('the home page describes the product and links to the documentation', async () => {
    const answer = await fetch(host.url);
    const page = await answer.text();
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page).toContain('href="https://api.example.com/docs"');
    expectOneHeading(page);
  });

  test.each([
    '/nothing',
    '/administrators',
    '/%FF',
    '/en/%FF',
    '/assets/',
    '/../package.json',
    '/assets/tokens.css',
    '/es/sign-in',
    '/en/en/sign-in',
    '//sign-in',
    '/sign-in/',
  ])('the unknown path %s is a 404 page', async (path) => {
    const answer = await fetch(host.url + path);
    expect(answer.status).toBe(404);
    expectOneHeading(await answer.text());
  });

  test('pages load nothing from other hosts and cannot be framed', async () => {
    for (const path of ['/', '/nothing']) {
      const { headers } = await fetch(host.url + path);
      expect(headers.get('content-security-policy')).toBe(
        "default-src 'none';script-src 'self';style-src 'self';img-src 'self';form-action 'self';base-uri 'none';object-src 'none';frame-ancestors 'none'",
      );
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('referrer-policy')).toBe('no-referrer');
      expect(headers.get('x-powered-by')).toBeNull();
      expect(headers.get('x-request-id')).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
    }
  });

  test('favicon and style sheet are served and cacheable', async () => {
    const icon = await fetch(`${host.url}/favicon.ico`);
    expect([icon.status, icon.headers.get('content-type')]).toEqual([200, 'image/vnd.microsoft.icon']);
    expect([...new Uint8Array(await icon.arrayBuffer()).subarray(0, 4)]).toEqual([0, 0, 1, 0]);
    const page = await (await fetch(host.url)).text();
    const [, styleSheet] = /<link rel="stylesheet" href="([^"]+)">/.exec(page) ?? [];
    const style = await fetch(host.url + styleSheet);
    expect([style.status, style.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8']);
    expect(style.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  });
});

function expectOneHeading(page: string): void {
  expect(page.match(/<h1>/g)).toHaveLength(1);
  expect(page.match(/<main\b/g)).toHaveLength(1);
}
