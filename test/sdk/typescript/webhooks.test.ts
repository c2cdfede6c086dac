// Level: unit
import { createServer } from 'node:http';
import express from 'express';
import { Hono } from 'hono';
import { closeServer, listen } from '#common/platform/process/metrics.ts';
import {
  expressWebhook,
  honoWebhook,
  nextWebhook,
  verifyWebhook,
  type WebhookEvent,
  WebhookVerificationError,
} from '#scripts/sdk/typescript/src/index.ts';
import { describe, expect, test } from '#test/support/jest.ts';
import { nowInSeconds, signVectors, vectorTitles } from '#test/support/sdk/webhook-vectors.ts';

const secret = 'whsec_of_the_tests';
const vectorOf = (title: string, now = nowInSeconds()) =>
  signVectors(secret, now).find((vector) => vector.title === title);
const nameOfHeader = 'x-service-signature';

describe('webhooks.verify', () => {
  test.each(vectorTitles)('it judges %s as every receiver does', async (title) => {
    const now = nowInSeconds();
    const { body = '', header = '', accepted } = vectorOf(title, now) ?? {};
    const judged = verifyWebhook(body, { 'X-Service-Signature': header }, secret, { nowMs: now * 1_000 });
    if (accepted) expect(await judged).toEqual(JSON.parse(body));
    else await expect(judged).rejects.toThrow(WebhookVerificationError);
  });

  test('headers may be a Headers object, a record or the signature, the body text or bytes', async () => {
    const { body = '', header = '' } = vectorOf('a genuine delivery') ?? {};
    for (const headers of [new Headers({ [nameOfHeader]: header }), { [nameOfHeader]: [header] }, header]) {
      expect(await verifyWebhook(Buffer.from(body), headers, secret)).toMatchObject({ event: 'MAIL_POSTED' });
    }
    await expect(verifyWebhook(body, {}, secret)).rejects.toMatchObject({ code: 'INVALID_SIGNATURE', status: 401 });
  });

  test('the tolerance can be changed', async () => {
    const { body = '', header = '' } = vectorOf('a delivery of 302 s ago') ?? {};
    await expect(verifyWebhook(body, header, secret)).rejects.toMatchObject({ code: 'TOO_OLD' });
    expect(await verifyWebhook(body, header, secret, { toleranceS: 400 })).toMatchObject({ mailJobId: 'mj_1' });
  });
});

type OnEvent = (event: WebhookEvent) => unknown;
type Handle = (request: Request) => Promise<Response>;

/** Serves an Express application for one request. */
const byExpress =
  (mount: (app: express.Express, onEvent: OnEvent) => unknown) =>
  (onEvent: OnEvent): Handle =>
  async (request) => {
    const app = express();
    mount(app, onEvent);
    app.use(((_error, _request, response, _next) => void response.sendStatus(500)) as express.ErrorRequestHandler);
    const server = createServer(app);
    const port = await listen(server, 0);
    const { headers } = request;
    const answer = await fetch(`http://127.0.0.1:${port}/hooks`, {
      method: 'POST',
      headers,
      body: await request.text(),
    });
    await answer.text();
    server.closeAllConnections();
    await closeServer(server);
    return answer;
  };

const handlers: [string, (onEvent: OnEvent) => Handle][] = [
  ['Next.js', (onEvent) => nextWebhook(secret, onEvent)],
  [
    'Hono',
    (onEvent) => async (request) => {
      const app = new Hono();
      app.post('/hooks', honoWebhook(secret, onEvent));
      app.onError((_error, context) => context.body(null, 500));
      return await app.request(request);
    },
  ],
  ['Express', byExpress((app, onEvent) => app.post('/hooks', expressWebhook(secret, onEvent)))],
  [
    'Express behind express.raw()',
    byExpress((app, onEvent) => app.post('/hooks', express.raw({ type: '*/*' }), expressWebhook(secret, onEvent))),
  ],
];

describe.each(handlers)('the handler for %s', (_name, create) => {
  const deliver = async (title: string, onEvent: OnEvent, body?: string) => {
    const vector = vectorOf(title);
    const headers = { [nameOfHeader]: vector?.header ?? '', 'content-type': 'application/json' };
    const init = { method: 'POST', headers, body: body ?? vector?.body ?? '' };
    return (await create(onEvent)(new Request('http://localhost/hooks', init))).status;
  };

  test('it passes genuine events and refuses the others', async () => {
    const events: WebhookEvent[] = [];
    const keep = (event: WebhookEvent) => void events.push(event);
    expect(await deliver('a genuine delivery', keep)).toBe(204);
    expect(await deliver('another body', keep)).toBe(401);
    expect(await deliver('a delivery of 302 s ago', keep)).toBe(401);
    expect(events).toMatchObject([{ event: 'MAIL_POSTED', mailJobId: 'mj_1' }]);
  });

  test('a failure of the application is not answered with success', async () => {
    const fail = async () => await Promise.reject(new Error('the database is away'));
    const status = await deliver('a genuine delivery', fail).catch(() => 500);
    expect(status).toBe(500);
  });

  test('a body larger than any event is refused', async () => {
    expect(await deliver('a genuine delivery', () => {}, 'x'.repeat(70_000)).catch(() => 413)).toBe(413);
  });
});

test('behind express.json() the handler for Express says what is wrong', async () => {
  const mount = (app: express.Express, onEvent: OnEvent) =>
    app.post('/hooks', express.json(), expressWebhook(secret, onEvent));
  const { body = '', header = '' } = vectorOf('a genuine delivery') ?? {};
  const headers = { [nameOfHeader]: header, 'content-type': 'application/json' };
  const request = new Request('http://localhost/hooks', { method: 'POST', headers, body });
  expect((await byExpress(mount)(() => {})(request)).status).toBe(500);
});
