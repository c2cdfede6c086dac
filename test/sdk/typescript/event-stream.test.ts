import { setImmediate as soon } from 'node:timers/promises';
import { revokeApiKey } from '#common/access/api-keys.ts';
import { Transport } from '#scripts/sdk/typescript/src/http/transport.ts';
import {
  AuthenticationError,
  Bluejay,
  ConnectionError,
  InvalidRequestError,
  type StreamedEvent,
} from '#scripts/sdk/typescript/src/index.ts';
import { Events } from '#scripts/sdk/typescript/src/resources/events.ts';
import { afterEach, describe, eventually, expect, openOnce, test } from '#test/support/jest.ts';
import { aSender } from '#test/support/product/customer.ts';
import { startWorld } from '#test/support/product/world.ts';
import { startFaultProxy } from '#test/support/servers/fault-proxy.ts';

describe('events.stream', () => {
  const world = startWorld();
  const proxy = openOnce(() => startFaultProxy(world.url));
  const controllers: AbortController[] = [];
  afterEach(() => {
    for (const controller of controllers.splice(0)) controller.abort();
    proxy.set('pass');
  });

  /** Follows the stream of a new customer through the proxy, and keeps what it yields and with what it ends. */
  async function follow(options: { apiKey?: string; baseUrl?: string; after?: string; silenceMs?: number } = {}) {
    const sender = await aSender(world);
    const controller = new AbortController();
    controllers.push(controller);
    let [requests, chunks] = [0, 0];
    const counting: typeof fetch = async (...args) => {
      requests += 1;
      const response = await fetch(...args);
      const count = new TransformStream({
        transform(chunk, passed) {
          chunks += 1;
          passed.enqueue(chunk);
        },
      });
      const { status, headers } = response;
      return new Response(response.body?.pipeThrough(count) ?? null, { status, headers });
    };
    const { apiKey = sender.key, baseUrl = proxy.url.replace(/\/$/, ''), silenceMs = 45_000, after } = options;
    const transport = new Transport({
      ...{ credential: apiKey, baseUrl, fetch: counting, maxRetries: 0, timeoutMs: 10_000 },
    });
    const events = new Events(transport, { silenceMs, reconnectAfterMs: 10 });
    const seen: StreamedEvent[] = [];
    const ended = (async () => {
      for await (const event of events.stream(after ? { after } : {}, { signal: controller.signal })) seen.push(event);
    })().catch((error: unknown) => error);
    return {
      ...{ sender, seen, ended, controller },
      requests: () => requests,
      /** Resolves when the position with which a stream begins has been read. */
      open: () => eventually(() => expect(chunks).toBeGreaterThan(0)).then(() => soon()),
      /** Waits until the events of these letters, and no others, have been yielded. */
      yields: (letters: string[]) =>
        eventually(() => expect(seen.map(({ data }) => 'mailJobId' in data && data.mailJobId)).toEqual(letters)),
    };
  }

  test('each event comes once, with the body of webhooks, across broken connections', async () => {
    const { sender, open, yields, seen, requests } = await follow();
    await open();
    const letters = [await sender.sendAccepted()];
    await yields(letters);
    for (let n = 0; n < 2; n += 1) {
      proxy.breakAll();
      letters.push(await sender.sendAccepted());
      await yields(letters);
    }
    expect(requests()).toBeGreaterThan(2);
    expect(seen[0]).toEqual({
      id: expect.stringMatching(/^evt_/),
      event: 'MAIL_QUEUED',
      data: expect.objectContaining({ event: 'MAIL_QUEUED', mailJobId: letters[0], status: 'queued' }),
    });
  });

  test('an event comes although the connection broke before the first one', async () => {
    const { sender, open, yields } = await follow();
    await open();
    proxy.set('refuse');
    const letter = await sender.sendAccepted();
    proxy.set('pass');
    await yields([letter]);
  });

  test('a silent connection counts as lost', async () => {
    const { sender, open, yields, requests } = await follow({ silenceMs: 500 });
    await open();
    proxy.set('freeze');
    const before = requests();
    const letter = await sender.sendAccepted();
    await eventually(() => expect(requests()).toBeGreaterThan(before));
    proxy.set('pass');
    await yields([letter]);
  });

  test('it starts where it is told, and ends with the reason of its signal', async () => {
    const sender = await aSender(world);
    const [first, second] = [await sender.sendAccepted(), await sender.sendAccepted()];
    const bluejay = new Bluejay({ apiKey: sender.key, baseUrl: world.url });
    const { data } = await bluejay.events.list();
    const after = data.find(({ mailJobId }) => mailJobId === first)?.id ?? '';
    const { yields, controller, ended } = await follow({ apiKey: sender.key, after });
    await yields([second]);
    const reason = new Error('enough');
    controller.abort(reason);
    expect(await ended).toBe(reason);
  });

  test('leaving the loop frees the stream', async () => {
    const sender = await aSender(world);
    const bluejay = new Bluejay({ apiKey: sender.key, baseUrl: world.url });
    await sender.sendAccepted();
    const after = (await bluejay.events.list()).data[0]?.id ?? '';
    await sender.sendAccepted();
    // More than an organization may have open at a time.
    for (let n = 0; n < 15; n += 1) {
      for await (const event of bluejay.events.stream({ after })) {
        expect(event.event).toBe('MAIL_QUEUED');
        break;
      }
    }
  });

  test('it throws when it is refused, or cannot be opened at first', async () => {
    expect(await (await follow({ apiKey: 'bjk_test_0' })).ended).toBeInstanceOf(AuthenticationError);
    expect(await (await follow({ after: 'evt_0' })).ended).toBeInstanceOf(InvalidRequestError);
    expect(await (await follow({ baseUrl: 'http://127.0.0.1:2' })).ended).toBeInstanceOf(ConnectionError);
  });

  test('it throws when its key is revoked', async () => {
    const { sender, open, ended } = await follow();
    await open();
    await revokeApiKey(sender.keyId, world.revocations, new Date());
    expect(await ended).toBeInstanceOf(AuthenticationError);
  });
});

test('an open stream outlives answers of 503 and 429, and text that is split anywhere', async () => {
  const event = (id: string) =>
    `id: ${id}\r\nevent: MAIL_QUEUED\r\ndata: {"event":"MAIL_QUEUED","mailJobId":"é"}\r\n\r\n`;
  const bytes = new TextEncoder().encode(
    `retry: 2000\nid: evt_0\n\n: still here\n\n${event('evt_1')}${event('evt_2')}`,
  );
  const split = new ReadableStream({
    start(controller) {
      for (const byte of bytes) controller.enqueue(new Uint8Array([byte]));
      controller.close();
    },
  });
  const headers = { 'retry-after': '0' };
  const replies = [
    new Response(split),
    Response.json({ code: 'SERVICE_UNAVAILABLE' }, { status: 503, headers }),
    Response.json({ code: 'RATE_LIMITED' }, { status: 429, headers }),
    new Response(event('evt_2') + event('evt_3')),
    Response.json({ code: 'FORBIDDEN' }, { status: 403 }),
  ];
  const asked: (string | null)[] = [];
  const fetch = async (url: unknown) => {
    asked.push(new URL(String(url)).searchParams.get('after'));
    return replies.shift() ?? Response.error();
  };
  const transport = new Transport({
    ...{ credential: 'bjk_1', baseUrl: 'https://a.example', timeoutMs: 1_000, maxRetries: 0, fetch },
  });
  const ids: string[] = [];
  const follow = async () => {
    for await (const { id } of new Events(transport, { reconnectAfterMs: 0 }).stream()) ids.push(id);
  };
  await expect(follow()).rejects.toMatchObject({ status: 403 });
  expect(ids).toEqual(['evt_1', 'evt_2', 'evt_3']);
  expect(asked).toEqual([null, 'evt_2', 'evt_2', 'evt_2', 'evt_3']);
});
