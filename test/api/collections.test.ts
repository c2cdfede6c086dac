// Level: push
import { routes } from '#api/routes/index.ts';
import { describe, expect, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';

type Pair = { key?: string; name?: string; value: string; disabled?: boolean; enabled?: boolean; type?: string };
type Request = { method: string; url: string; auth: string; headers: Pair[]; query: Pair[]; body: string | undefined };
type PostmanItem = {
  name: string;
  request: {
    method: string;
    auth?: { type: string };
    url: { raw: string; path: string[]; variable: Pair[]; query: Pair[] };
    header: Pair[];
    body?: { mode: string; raw?: string; urlencoded?: Pair[] };
  };
};
type BrunoItem = {
  name: string;
  request: {
    method: string;
    url: string;
    auth: { mode: string };
    headers: Pair[];
    params: Pair[];
    body: { mode: string; json?: string; formUrlEncoded?: Pair[] };
  };
};

const filled = (path: string, values: Pair[]) =>
  path.replaceAll(/:(\w+)/g, (_, name) => values.find(({ key, name: other }) => (key ?? other) === name)?.value ?? '');

const readers: Record<string, (collection: never) => [string, Request][]> = {
  'bluejay.postman.json': ({ item }: { item: { item: PostmanItem[] }[] }) =>
    item.flatMap(({ item: items }) =>
      items.map(({ name, request: { method, auth, url, header, body } }) => [
        name,
        {
          ...{
            method,
            url: filled(url.raw.replace('{{baseUrl}}', ''), url.variable),
            auth: auth === undefined ? 'bearer' : 'none',
          },
          ...{ headers: header, query: url.query, body: body?.raw ?? body?.urlencoded?.map(({ key }) => key).join() },
        },
      ]),
    ),
  'bluejay.bruno.json': ({ items }: { items: { items: BrunoItem[] }[] }) =>
    items.flatMap(({ items: inFolder }) =>
      inFolder.map(({ name, request: { method, url, auth, headers, params, body } }) => [
        name,
        {
          ...{ method, url: filled(url.replace('{{baseUrl}}', ''), params) },
          auth: auth.mode === 'inherit' ? 'bearer' : auth.mode,
          ...{ headers, query: params.filter(({ type }) => type === 'query') },
          body: body.json ?? body.formUrlEncoded?.map(({ name: field }) => field).join(),
        },
      ]),
    ),
};

describe.each(Object.keys(readers))('the collection %s', (file) => {
  const world = startWorld();
  const load = async () => {
    const answer = await fetch(`${world.url}/docs/collections/${file}`);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
    const collection = (await answer.json()) as never;
    return { collection, requests: new Map(readers[file]?.(collection)) };
  };

  test('has each request of the API with its example, and those of OAuth', async () => {
    const { collection, requests } = await load();
    for (const { summary, method, example } of routes) {
      const request = requests.get(summary);
      expect([summary, request?.method, request?.auth]).toEqual([summary, method.toUpperCase(), 'bearer']);
      if (example?.body !== undefined) expect(JSON.parse(request?.body ?? '')).toEqual(example.body);
      expect(request?.url).not.toMatch(/[{:]|\/\/|\/$/);
    }
    expect(requests.size).toBe(routes.length + 2);
    expect(requests.get('Revoke a token')).toMatchObject({
      ...{ auth: 'none', body: 'token,client_id,client_secret', url: '/oauth/revoke' },
    });
    expect(JSON.stringify(collection)).toContain(world.config.http.baseUrl);
    expect(JSON.stringify(collection)).not.toMatch(/bjk_/);
  });

  test('its requests are answered as they stand, once they have a key', async () => {
    const { requests } = await load();
    const keys = { test: (await world.customer()).key, live: (await world.customer({ mode: 'live' })).key };
    const keyFor = (name: string) => keys[routes.find(({ summary }) => summary === name)?.mode ?? 'test'];
    let sentCount = 0;
    for (const [name, { method, url, body, auth }] of requests) {
      // An event stream does not end, and applications have no key.
      if (auth !== 'bearer' || url.endsWith('/stream')) continue;
      const headers = {
        authorization: `Bearer ${keyFor(name)}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      };
      const answer = await fetch(world.url + url, { method, headers, body: body ?? null });
      const text = await answer.text();
      sentCount += 1;
      if (answer.status === 400)
        expect([name, text]).toEqual([
          name,
          expect.stringMatching(/Upload (the file|it) first|a time of the last 14 days/),
        ]);
      else
        expect([name, [200, 201, 202, 204, 302, 303, 404, 409].includes(answer.status), answer.status]).toEqual([
          name,
          true,
          answer.status,
        ]);
    }
    expect(sentCount).toBeGreaterThan(50);
  });

  test('another name is 404', async () => {
    for (const name of ['bluejay.json', 'constructor', '..%2Fdocs-page.ts']) {
      expect([name, (await fetch(`${world.url}/docs/collections/${name}`)).status]).toEqual([name, 404]);
    }
  });
});
