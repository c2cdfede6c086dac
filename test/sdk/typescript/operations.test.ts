import { Bluejay, BluejayOAuth } from '#scripts/sdk/typescript/src/index.ts';
import { expect, test } from '#test/support/jest.ts';
import { readDocument } from '#test/support/project/openapi.ts';

/** Methods that make requests of other operations, or none. */
const composed = new Set(['sendFile', 'file', 'verify', 'authorizationUrl', 'exchangeCallback', 'createTokenSource']);
const args = ['a', 'b', 'c'];
const methodsOf = (target: object) =>
  Object.getOwnPropertyNames(Object.getPrototypeOf(target)).filter((name) => name !== 'constructor');

test('every operation of the OpenAPI document has a method, and no method leads elsewhere', async () => {
  const asked: string[] = [];
  const record: typeof fetch = async (input, init) => {
    asked.push(`${init?.method} ${new URL(String(input)).pathname}`);
    return Response.json({ data: [] }, { status: asked.at(-1)?.endsWith('/stream') ? 404 : 200 });
  };
  const baseUrl = 'https://api.example.com';
  const bluejay = new Bluejay({ apiKey: 'bjk_1', baseUrl, fetch: record });
  const oauth = new BluejayOAuth({
    ...{ clientId: 'bjc_1', clientSecret: 's', redirectUri: 'https://a.example', baseUrl, authUrl: baseUrl },
    fetch: record,
  });
  for (const target of [...Object.values(bluejay), oauth]) {
    for (const name of methodsOf(target).filter((method) => !composed.has(method))) {
      const before = asked.length;
      const call = Reflect.get(target, name) as (...values: unknown[]) => unknown;
      const result = (await call.apply(target, args)) as { next?: () => Promise<unknown> };
      // The stream asks when it is iterated, and ends with its 404.
      await result?.next?.().catch(() => {});
      expect([name, asked.length - before]).toEqual([name, 1]);
    }
  }

  const operations = Object.entries(readDocument().paths).flatMap(([path, methods]) =>
    Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const templateOf = (request: string) =>
    operations.find((operation) => new RegExp(`^${operation.replaceAll(/\{\w+\}/g, '[abc]')}$`).test(request)) ??
    request;
  expect([...new Set(asked.map(templateOf))].sort()).toEqual(operations.sort());
});
