// Level: push
import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { byLevel, describe, expect, openOnce, test } from '../support/jest.ts';
import { pathOf, routeRows, verbOf } from '../support/product/all-routes.ts';
import { startWorld } from '../support/product/world.ts';
import { type RawAnswer, sendRaw } from '../support/send-raw.ts';

type Row = (typeof routeRows)[number];
const json = 'application/json';
const maxBytes = 1024 * 1024;
const deep = (open: string, close: string, depth = 100_000) => open.repeat(depth) + close.repeat(depth);
const rowOf = (name: string) => routeRows.find(([known]) => known === name)!;
const [, quoteRoute] = rowOf('POST /v1/quote');
/**
 * One route with a body, one without and one with an id. Every route reads its body with the same middleware, so these
 * have all variants, and from `.ci/run` on each route one of each kind.
 */
const three = ['POST /v1/mails', 'GET /v1/mails', 'PATCH /v1/addresses/{id}'].map(rowOf);
const most = byLevel({ quick: three, full: routeRows });
const withBody = routeRows.filter(([, { body }]) => body !== undefined);
const withoutBody = routeRows.filter(([, { body }]) => body === undefined);

describe('the body of every route', () => {
  const world = startWorld();
  const customer = openOnce(() => world.customer());
  const live = openOnce(() => world.customer({ mode: 'live' }));

  type Outcome = { status: number; code: string | undefined; paths: string[] | undefined };
  async function send(route: Row[1], body: string | Buffer, headers: Record<string, string> = {}): Promise<Outcome> {
    const authorization = `Bearer ${(route.mode === 'live' ? live : customer).key}`;
    const length = { 'content-length': Buffer.byteLength(body) };
    const all = { authorization, 'content-type': json, ...length, ...headers };
    return toOutcome(await sendRaw(world.url + pathOf(route), { method: verbOf(route), headers: all, body }));
  }
  function toOutcome({ status, body }: RawAnswer): Outcome {
    // An event stream has no complete body.
    const { code, issues } = body.length === 0 ? {} : JSON.parse(body.toString());
    return { status, code, paths: issues?.map(({ path }: { path: unknown[] }) => path.join('.')) };
  }
  const malformed: Outcome = { status: 400, code: 'VALIDATION_ERROR', paths: [''] };

  const unsupported: Outcome = { status: 415, code: 'UNSUPPORTED_MEDIA_TYPE', paths: undefined };
  const tooLarge: Outcome = { status: 413, code: 'PAYLOAD_TOO_LARGE', paths: undefined };
  const padded = (bytes: number) => `[${' '.repeat(bytes - 2)}]`;
  const packed = { atLimit: gzipSync(padded(maxBytes)), aboveLimit: gzipSync(padded(maxBytes + 1)) };

  test.each(most)('%s refuses another content type, a body above 1 MiB and invalid JSON', async (_name, route) => {
    expect(await send(route, '{}', { 'content-type': 'text/plain' })).toEqual(unsupported);
    expect(await send(route, packed.aboveLimit, { 'content-encoding': 'gzip' })).toEqual(tooLarge);
    expect(await send(route, '{')).toEqual(malformed);
  });

  test.each(most)('%s refuses a key that is given twice', async (_name, route) => {
    const twice = { ...malformed, paths: ['recipients.1.na"me'] };
    const body = '{"recipients": [{"zip": ",{[\\"", "a": {}}, {"na\\"me": 1, "zip": 2, "na\\u0022me" :3}]}';
    expect(await send(route, body)).toEqual(twice);
  });

  test.each(most)('%s refuses bytes that are not UTF-8', async (_name, route) => {
    expect(await send(route, Buffer.from('{"é":"é"}', 'latin1'))).toEqual(malformed);
  });

  test.each(three)('%s refuses a body of another content type with 415', async (_name, route) => {
    const types = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', 'text/json'];
    for (const type of [
      ...types,
      'application/jsonp',
      'application/json-patch+json',
      'application/problem+json',
      '',
      'json',
    ]) {
      expect([type, await send(route, '{}', { 'content-type': type })]).toEqual([type, unsupported]);
    }
    for (const headers of [{ 'content-encoding': 'compress' }, { 'content-type': `${json}; charset=iso-8859-1` }]) {
      expect((await send(route, '{}', headers)).status).toBe(415);
    }
  });

  test.each(three)('%s reads a body of 1 MiB and refuses a larger one with 413', async (_name, route) => {
    expect((await send(route, padded(maxBytes))).status).toBe(400);
    expect(await send(route, padded(maxBytes + 1))).toEqual(tooLarge);
    // The limit applies to the decompressed size.
    expect((await send(route, packed.atLimit, { 'content-encoding': 'gzip' })).status).toBe(400);
  });

  test.each(three)('%s refuses invalid JSON with 400 and one issue at []', async (_name, route) => {
    for (const text of [
      '{',
      '{"a":1,}',
      "{'a':1}",
      '{"a":NaN}',
      'undefined',
      '\u0000',
      '{}{}',
      '\ufeff\ufeff{}',
      '{"a":"\u0000"}',
      '"\\ud8"',
    ]) {
      expect([text, await send(route, text)]).toEqual([text, malformed]);
    }
    expect((await send(route, Buffer.from('1f8b08', 'hex'), { 'content-encoding': 'gzip' })).status).toBe(400);
    expect(await send(route, deep('[', ''))).toEqual(malformed);
  });

  const fields = ['to', 'pages', 'recipients', 'files', 'events', 'filename', 'name', 'unknown'];
  const nested = [
    ...[deep('[', ']'), deep('{"a":', '}').replace(':}', ':1}')],
    ...fields.map((field) => `{"${field}":${deep('[', ']')}}`),
  ];
  const parsed = openOnce(async () => ({ nested: nested.map((text) => JSON.parse(text)) }));
  test.each(withBody)('the schema of %s refuses JSON nested 100,000 levels deep', (_name, { body }) => {
    for (const value of parsed.nested) expect(body?.safeParse(value).success).toBe(false);
  });

  test('JSON nested 100,000 levels deep is refused with 400', async () => {
    for (const text of nested) {
      expect(await send(quoteRoute, text)).toMatchObject({ status: 400, code: 'VALIDATION_ERROR' });
    }
  });

  test.each(withBody)('%s refuses unknown fields with 400 and names each', async (_name, route) => {
    const names = ['colour', '__proto__', 'constructor', 'toString', '', '\ud800', 'a.b', '$where'];
    const { status, paths } = await send(route, `{${names.map((name) => `${JSON.stringify(name)}:1`)}}`);
    expect([status, paths]).toEqual([400, expect.arrayContaining(names)]);
  });

  test('of 110,000 unknown fields the 400 names the first thousand', async () => {
    const many = Object.fromEntries(Array.from({ length: 110_000 }, (_, n) => [n.toString(36), 0]));
    const outcome = await send(quoteRoute, JSON.stringify(many));
    expect([outcome.status, outcome.paths?.length]).toEqual([400, 1_000]);
  });

  test.each(withBody)('%s never responds to JSON with a 5xx', async (_name, route) => {
    const keys = ['to', 'zone', 'serviceType', 'pages', 'recipients', 'sender', 'files', 'externalId', 'url', 'events'];
    const odd = fc.constantFrom(
      '1e400',
      '-1e400',
      '-0',
      '1e-400',
      '9007199254740993',
      '"\\ud800"',
      '"\\u0000"',
      'null',
    );
    const value = fc.oneof(
      fc.jsonValue().map((each) => JSON.stringify(each)),
      odd,
    );
    const object = fc
      .dictionary(
        fc.constantFrom(...keys, 'color', 'dryRun', 'filename', 'mimeType', 'sizeBytes', 'kind', 'name'),
        value,
      )
      .map(
        (fields) =>
          `{${Object.entries(fields)
            .map(([name, text]) => `"${name}":${text}`)
            .join()}}`,
      );
    // The validation alone: it refuses most bodies, and an error of its own would be a 500.
    const validates = fc.property(fc.oneof(value, object), (text) => void route.body?.safeParse(JSON.parse(text)));
    fc.assert(validates, { numRuns: 60 });
    await fc.assert(
      fc.asyncProperty(fc.oneof(value, object), async (text) => {
        const { status } = await send(route, text);
        expect([200, 400, 404]).toContain(status);
      }),
      { numRuns: byLevel({ quick: 2, full: 20, long: 60 }) },
    );
  });

  test.each(three.slice(0, 1))('%s refuses random bytes with 400', async (_name, route) => {
    const bytes = fc.uint8Array({ minLength: 3, maxLength: 200 });
    await fc.assert(
      fc.asyncProperty(bytes, async (each) => {
        expect((await send(route, Buffer.from(each))).status).toBe(400);
      }),
      { numRuns: 40 },
    );
  });

  test.each(withoutBody)(
    '%s takes no body and treats an empty one, or an empty object, as absent',
    async (_name, route) => {
      for (const text of ['{"x":1}', 'null', '[]', '"x"'])
        expect([text, await send(route, text)]).toEqual([text, malformed]);
      // A stream never ends. The tests of the stream cover it.
      if (route.path === '/v1/events/stream') return;
      for (const text of ['', '{}']) expect((await send(route, text)).status).not.toBe(400);
    },
  );

  test.each([
    'application/json',
    'Application/JSON',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'application/json ; x=y',
  ])('JSON is accepted as %s', async (type) => {
    const text = '{"zone":"NATIONAL","serviceType":"standard","pages":1}';
    expect((await send(quoteRoute, text, { 'content-type': type })).status).toBe(200);
    expect((await send(quoteRoute, gzipSync(text), { 'content-type': type, 'content-encoding': 'gzip' })).status).toBe(
      200,
    );
  });
});
