// Level: push
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { exampleSecret } from '#api/openapi/examples/webhook-examples.ts';
import { routes } from '#api/routes/index.ts';
import { type ErrorCode, errorTable } from '#common/errors.ts';
import { Event, eventKinds } from '#common/events/event.model.ts';
import { eventKindOf } from '#common/mail-jobs/events/mail-event.schema.ts';
import { mailStatuses } from '#common/mail-jobs/model/mail-status.ts';
import { findBreakingChanges } from '#scripts/openapi/find-breaking-changes.ts';
import { describe, expect, openOnce, test } from '#test/support/jest.ts';
import { routeRows } from '#test/support/product/all-routes.ts';
import { aSender, createClient } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { comeBack } from '#test/support/production/come-back.ts';
import { findStale } from '#test/support/project/generated.ts';
import { createJudge, findExamples, readDocument } from '#test/support/project/openapi.ts';

const document = readDocument();
const judge = createJudge(document);
const operationOf = ({ path, method }: { path: string; method: string }) => document.paths[path][method];
/** Statuses that every route can return. */
const everywhere = [400, 401, 403, 405, 413, 415, 429, 500, 503];

describe('the OpenAPI document', () => {
  const snapshot = readFileSync(join(import.meta.dirname, 'openapi.snapshot.json'), 'utf8');

  test('the document has no breaking changes since the committed snapshot', () => {
    expect(findBreakingChanges(JSON.parse(snapshot), document)).toEqual([]);
  });

  test('the committed snapshot is current', () => {
    const path = 'test/api/openapi/openapi.snapshot.json';
    expect(findStale(path, `${JSON.stringify(document, null, 2)}\n`)).toBeNull();
  });

  test('the document is valid OpenAPI 3.1', async () => {
    const validator = new Validator();
    expect(await validator.validate(readDocument())).toEqual({ valid: true });
    expect(validator.version).toBe('3.1');
  });

  test('the document contains all routes, the OAuth routes and nothing else', () => {
    const described = Object.entries<object>(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method} ${path}`),
    );
    const declared = routes.map(({ method, path }) => `${method} ${path}`);
    expect(described.sort()).toEqual([...declared, 'post /oauth/revoke', 'post /oauth/token'].sort());
    const names = routes.map(({ operationId }) => operationId);
    expect(new Set(names).size).toBe(names.length);
  });

  test.each(routeRows)('%s documents its requirements and all its responses', (_, route) => {
    const operation = operationOf(route);
    const { operationId, scope } = route;
    const isAny = scope === 'any';
    expect([operation.operationId, operation['x-required-scope']]).toEqual([operationId, isAny ? undefined : scope]);
    expect(operation.security).toContainEqual({ oauth2: isAny ? [] : [scope] });
    expect(operation.description).toContain(isAny ? 'any scope' : `\`${scope}\``);
    const errors = route.errors.map((code) => errorTable[code].status);
    const statuses = new Set([...Object.keys(route.responses).map(Number), ...errors, ...everywhere]);
    expect(Object.keys(operation.responses).map(Number)).toEqual([...statuses].sort((left, right) => left - right));
    expect(operation.requestBody === undefined).toBe(route.body === undefined);
  });

  test.each(routeRows)('the examples of %s match its zod schemas', (_, route) => {
    const { example } = route;
    for (const part of ['params', 'body'] as const) {
      const schema = route[part];
      expect([part, schema === undefined || schema.safeParse(example?.[part]).success]).toEqual([part, true]);
    }
    for (const part of ['query', 'headers'] as const) {
      const given = example?.[part];
      expect(given === undefined || route[part]?.safeParse(given).success).toBe(true);
    }
    for (const [status, schema] of Object.entries(route.responses)) {
      const answer = example?.responses?.[Number(status)];
      expect(schema.safeParse(answer)).toEqual({ success: true, data: answer });
    }
  });

  test('every example of the document matches its JSON Schema', () => {
    const examples = findExamples(document);
    expect(examples.length).toBeGreaterThan(80);
    const faults = examples.flatMap(({ place, schema, value }) => judge(schema, value).map((what) => place + what));
    expect(faults).toEqual([]);
  });

  const codes = Object.keys(errorTable) as ErrorCode[];
  test.each(codes)('the error %s is documented with its status and headers', (code) => {
    const answers = Object.entries<Record<string, never>>(document.components.responses);
    const [, answer] = answers.find(([name]) => name.split('-').includes(code)) ?? [];
    const isRaised = routes.some(({ errors }) => errors.includes(code)) || everywhere.includes(errorTable[code].status);
    if (!answer) return expect(isRaised).toBe(false);
    expect(answer).toHaveProperty(['content', 'application/json', 'examples', code, 'value', 'code'], code);
    const headers = Object.keys(answer.headers ?? {});
    const { status } = errorTable[code];
    expect(headers).toContain('X-Request-Id');
    expect(headers.includes('Retry-After')).toBe(status === 429 || status === 503);
    expect(headers.includes('Allow')).toBe(status === 405);
    expect(headers.includes('WWW-Authenticate')).toBe(status === 401 || status === 403);
  });

  test('response schemas allow additional fields', () => {
    const closed = JSON.stringify(document.paths).match(/"additionalProperties":false/g) ?? [];
    // The only body schema without a name.
    expect(closed).toHaveLength(1);
    const names = Object.entries(document.components.schemas)
      .filter(([, schema]) => JSON.stringify(schema).includes('"additionalProperties":false'))
      .map(([name]) => name);
    expect(names.every((name) => /(Request|Patch|Input)$/.test(name))).toBe(true);
  });

  test('the example signatures of all events are valid', () => {
    expect(Object.keys(document.webhooks)).toEqual(eventKinds);
    for (const kind of eventKinds) {
      const { parameters, requestBody, security } = document.webhooks[kind].post;
      const headers = Object.fromEntries(
        parameters.map(({ name, example }: Record<string, string>) => [name, example]),
      );
      const [, atS, signature] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(headers['X-Service-Signature']) ?? [];
      const body = JSON.stringify(requestBody.content['application/json'].example);
      expect(signature).toBe(createHmac('sha256', exampleSecret).update(`${atS}.${body}`).digest('hex'));
      expect([headers['X-Service-Event'], security]).toEqual([kind, []]);
    }
  });
});

describe('the served documentation', () => {
  const world = startWorld();
  const path = '/v1/openapi.json';
  const anonymous = openOnce(async () => createClient(world.url));

  test('the document is public and names the base URL of this installation', async () => {
    const { status, headers, body } = await anonymous.get(path);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('x-request-id')).toMatch(/./);
    expect(body).toEqual(readDocument(world.config.http.baseUrl, world.config.http.authUrl));
  });

  test('a matching ETag gets 304, another gets the document', async () => {
    const etag = (await anonymous.get(path)).headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[^"]{20,}"$/);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await anonymous.get(path, { 'if-none-match': known });
      expect([known, again.status, again.headers.get('etag')]).toEqual([known, 304, etag]);
      expect(again.body).toBeUndefined();
    }
    for (const unknown of ['"other"', '', etag.slice(1, -1)]) {
      expect((await anonymous.get(path, { 'if-none-match': unknown })).status).toBe(200);
    }
  });

  test('HEAD returns the headers of the document without a body', async () => {
    const [head, get] = [await anonymous.request('HEAD', path), await anonymous.get(path)];
    expect([head.status, head.body]).toEqual([200, undefined]);
    for (const name of ['etag', 'content-type', 'content-length']) {
      expect([name, head.headers.get(name)]).toEqual([name, get.headers.get(name)]);
    }
  });

  const addresses = [path, '/docs', '/docs/start.js', '/docs/scalar.js'];
  test.each(addresses)('%s refuses other methods with 405 and Allow', async (address) => {
    for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
      const answer = await anonymous.request(method, address);
      expect([method, answer.status, answer.body.code]).toEqual([method, 405, 'METHOD_NOT_ALLOWED']);
      expect(answer.headers.get('allow')).toBe('GET, HEAD');
    }
  });

  test('the document refuses query parameters with 400', async () => {
    const { status, body } = await anonymous.get(`${path}?format=yaml`);
    expect([status, body.issues]).toMatchObject([400, [{ path: ['format'] }]]);
  });

  test('the reference page and its assets load nothing from other hosts', async () => {
    const page = await fetch(`${world.url}/docs`);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none';script-src 'self';");
    expect(policy).toContain("connect-src 'self';");
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval|script-src[^;]*unsafe/);
    const text = await page.text();
    const parts = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address ?? '');
    expect(parts.filter((address) => !address.startsWith('data:'))).toHaveLength(6);
    for (const address of parts.filter((each) => !each.startsWith('data:'))) {
      const part = await fetch(new URL(address, `${world.url}/docs`));
      expect([address, part.status, (await part.text()).length > 100]).toEqual([address, 200, true]);
    }
  });

  test('the events of all statuses match the document', async () => {
    const sender = await aSender(world);
    for (const [status, externalId] of [...mailStatuses.map((each) => [each, undefined]), ['failed', 'ext-1']]) {
      const { mailJobId } = (await sender.send(externalId ? { externalId } : {})).body;
      if (status !== 'queued') await sender.http.post(`/v1/mails/${mailJobId}/simulate`, { to: status });
      const kind = eventKindOf[status as keyof typeof eventKindOf];
      const event = await Event.findOne({ subjectId: mailJobId, kind }).orFail().lean();
      const payload = JSON.parse(event.body);
      const { schema } = document.webhooks[kind].post.requestBody.content['application/json'];
      const declared = document.components.schemas[schema.$ref.split('/').at(-1)];
      expect(judge(schema, payload)).toEqual([]);
      // No undocumented field is sent.
      expect(Object.keys(payload).sort()).toEqual(Object.keys(declared.properties).sort());
      expect(payload.externalId).toBe(externalId ?? null);
    }
  });

  test('the event of a copy that came back matches the document', async () => {
    const { itemId } = await comeBack(await (await aSender(world)).sendAccepted(), world);
    const { body } = await Event.findOne({ subjectId: itemId }).orFail().lean();
    const { schema } = document.webhooks.ITEM_RETURNED.post.requestBody.content['application/json'];
    const declared = document.components.schemas[schema.$ref.split('/').at(-1)];
    expect(judge(schema, JSON.parse(body))).toEqual([]);
    expect(Object.keys(JSON.parse(body)).sort()).toEqual(Object.keys(declared.properties).sort());
  });
});
