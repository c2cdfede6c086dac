import { beforeAll, describe, expect, test } from '@jest/globals';
import { mailStatuses } from '../../common/mail-jobs/lifecycle.ts';
import { eventKindOf } from '../../common/mail-jobs/mail-event.schema.ts';
import { Event } from '../../common/webhooks/event.model.ts';
import { type Client, createClient } from '../support/client.ts';
import { createJudge, readDocument } from '../support/openapi.ts';
import { aSender } from '../support/sender.ts';
import { startWorld } from '../support/world.ts';

describe('the documentation as it is served', () => {
  const world = startWorld();
  const path = '/v1/openapi.json';
  let nobody: Client;
  beforeAll(() => {
    nobody = createClient(world.url);
  });

  test('given no key, when the document is asked for, then it comes whole, with the address of this installation', async () => {
    const { status, headers, body } = await nobody.get(path);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(headers.get('x-request-id')).toMatch(/./);
    expect(body).toEqual(readDocument(world.config.http.baseUrl, world.config.http.authUrl));
  });

  test('given its ETag, when the document is asked for again, then 304 without a body; with another, the document', async () => {
    const etag = (await nobody.get(path)).headers.get('etag') ?? '';
    expect(etag).toMatch(/^"[^"]{20,}"$/);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await nobody.get(path, { 'if-none-match': known });
      expect([known, again.status, again.headers.get('etag')]).toEqual([known, 304, etag]);
      expect(again.body).toBeUndefined();
    }
    for (const unknown of ['"other"', '', etag.slice(1, -1)]) {
      expect((await nobody.get(path, { 'if-none-match': unknown })).status).toBe(200);
    }
  });

  test('given HEAD, when the document is asked for, then its headers come alone', async () => {
    const [head, get] = [await nobody.request('HEAD', path), await nobody.get(path)];
    expect([head.status, head.body]).toEqual([200, undefined]);
    for (const name of ['etag', 'content-type', 'content-length']) {
      expect([name, head.headers.get(name)]).toEqual([name, get.headers.get(name)]);
    }
  });

  test.each([path, '/docs', '/docs/start.js', '/docs/scalar.js'])(
    'given another method, when %s is asked, then 405 with Allow',
    async (address) => {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        const answer = await nobody.request(method, address);
        expect([method, answer.status, answer.body.code]).toEqual([method, 405, 'METHOD_NOT_ALLOWED']);
        expect(answer.headers.get('allow')).toBe('GET, HEAD');
      }
    },
  );

  test('given a parameter, when the document is asked for, then 400 names it', async () => {
    const { status, body } = await nobody.get(`${path}?format=yaml`);
    expect([status, body.issues]).toMatchObject([400, [{ path: ['format'] }]]);
  });

  test('given the page for people, when it and its parts are fetched, then none may load from elsewhere', async () => {
    const page = await fetch(`${world.url}/docs`);
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none';script-src 'self';");
    expect(policy).toContain("connect-src 'self';");
    expect(policy).not.toMatch(/https?:|\*|unsafe-eval|script-src[^;]*unsafe/);
    const text = await page.text();
    const parts = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => address ?? '');
    expect(parts.filter((address) => !address.startsWith('data:'))).toHaveLength(3);
    for (const address of parts.filter((each) => !each.startsWith('data:'))) {
      const part = await fetch(new URL(address, `${world.url}/docs`));
      expect([address, part.status, (await part.text()).length > 100]).toEqual([address, 200, true]);
    }
  });

  test('given letters that reach every status, when their events are held against the document, then each payload fits', async () => {
    const document = readDocument();
    const judge = createJudge(document);
    const sender = await aSender(world);
    for (const [status, externalId] of [...mailStatuses.map((each) => [each, undefined]), ['failed', 'ext-1']]) {
      // given
      const { mailJobId } = (await sender.send(externalId ? { externalId } : {})).body;
      if (status !== 'queued') await sender.http.post(`/v1/mails/${mailJobId}/simulate`, { to: status });
      // when
      const kind = eventKindOf[status as keyof typeof eventKindOf];
      const event = await Event.findOne({ subjectId: mailJobId, kind }).orFail().lean();
      const payload = JSON.parse(event.body);
      // then
      const { schema } = document.webhooks[kind].post.requestBody.content['application/json'];
      const declared = document.components.schemas[schema.$ref.split('/').at(-1)];
      expect(judge(schema, payload)).toEqual([]);
      // Nothing is sent that the document does not name.
      expect(Object.keys(payload).sort()).toEqual(Object.keys(declared.properties).sort());
      expect(payload.externalId).toBe(externalId ?? null);
    }
  });
});
