// Level: unit
import { createRequire } from 'node:module';
import { targetRules } from '#common/webhooks/egress/address-rules.ts';
import type { Lookup } from '#common/webhooks/egress/resolve-host.ts';
import type { WebhookClient, WebhookClientOptions } from '#common/webhooks/egress/webhook-client.ts';
import { afterEach, describe, eventually, expect, guardMs, jest, test } from '#test/support/jest.ts';
import { useStandingTime } from '#test/support/standing-time.ts';
import { answer, type RawReply, useRawReceivers } from '#test/support/webhooks/raw-receiver.ts';

const rules = targetRules({ allowLoopback: true, allowCidrs: [], ports: [443] });
const post = { headers: { 'content-type': 'application/json' }, body: Buffer.from('{}') };
/** Timers of a second or more that undici counts itself. It does not export them. */
const undiciTimers = createRequire(import.meta.url)('undici/lib/util/timers.js') as {
  setFastTimeout(callback: () => void, ms: number): object;
  tick(ms: number): void;
};
// Their one real timer belongs to the process, so it must not start within a standing time.
undiciTimers.setFastTimeout(() => {}, 1_000);

describe('time limits and cancellation of a post', () => {
  afterEach(() => jest.restoreAllMocks());
  const opened = useRawReceivers();
  const receive = async (reply: RawReply) => {
    const receiver = await opened.receive(reply);
    return { receiver, url: `http://slow.localhost:${receiver.port}/` };
  };
  const newClient = (options: WebhookClientOptions) => opened.newClient(rules, { timeoutMs: guardMs, ...options });
  const { run, advance } = useStandingTime();
  const standing = (client: WebhookClient, ...[signed]: Parameters<WebhookClient['post']>) =>
    run(() => client.post(signed));
  const never = new AbortController().signal;
  const named: Lookup = async () => ['127.0.0.1'];
  /** The first look-up takes so long. */
  const namedAfter = (ms: number): Lookup => {
    let isFirst = true;
    return async () => {
      if (isFirst) await advance(ms);
      isFirst = false;
      return ['127.0.0.1'];
    };
  };

  test('a quick connect does not call beforeWrite', async () => {
    const { receiver, url } = await receive(answer('200 OK'));
    let checks = 0;
    const beforeWrite = async () => ++checks > 0;
    const client = newClient({ lookup: namedAfter(1_000) });
    expect(await standing(client, { ...post, url, beforeWrite })).toMatchObject({ status: 200 });
    expect([checks, receiver.requests.length]).toEqual([0, 1]);
  });

  test('a connect of over a second calls beforeWrite once and writes once', async () => {
    const { receiver, url } = await receive(answer('200 OK'));
    let checks = 0;
    const beforeWrite = async () => {
      expect(receiver.requests).toHaveLength(0);
      return ++checks > 0;
    };
    const got = await standing(newClient({ lookup: namedAfter(1_001) }), { ...post, url, beforeWrite });
    expect(got).toMatchObject({ outcome: 'answered', status: 200 });
    expect([checks, receiver.requests.length, receiver.connections()]).toEqual([1, 1, 1]);
  });

  test.each([
    ['is answered no', async () => false, 'cancelled'],
    ['fails', () => Promise.reject(new Error('the database is away')), 'stopped'],
  ])('nothing is written when beforeWrite %s', async (_name, beforeWrite, errorClass) => {
    const { receiver, url } = await receive(answer('200 OK'));
    const client = newClient({ lookup: namedAfter(1_001) });
    expect(await standing(client, { ...post, url, beforeWrite })).toMatchObject({ errorClass });
    // The connection stays usable: the next delivery is the only request on it.
    expect(await client.post({ ...post, url })).toMatchObject({ status: 200 });
    expect([receiver.requests.length, receiver.connections()]).toEqual([1, 1]);
  });

  test('nothing is written when the deadline passes during the connect', async () => {
    const { receiver, url } = await receive(answer('200 OK'));
    const client = newClient({ lookup: namedAfter(600), timeoutMs: 200 });
    const got = await standing(client, { ...post, url });
    expect(got).toMatchObject({ outcome: 'error', errorClass: 'timeout', remoteIp: null });
    await eventually(() => expect(receiver.connections()).toBe(1));
    await client.close();
    expect(receiver.requests).toEqual([]);
  });

  test('by default DNS times out after 3 s and the answer after 15 s', async () => {
    const { receiver, url } = await receive((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\nz');
    });
    const lookup: Lookup = (name) => (name.startsWith('silent') ? new Promise(() => {}) : named(name, never));
    const client = opened.newClient(rules, { lookup });
    const ended: object[] = [];
    for (const each of ['https://silent.localhost/', url])
      void standing(client, { ...post, url: each }).then((got) => ended.push(got));
    await eventually(() => expect(receiver.requests).toHaveLength(1));
    await advance(2_999);
    expect(ended).toEqual([]);
    await advance(1);
    const dns = { errorClass: 'dns', durationMs: 3_000 };
    await eventually(() => expect(ended).toMatchObject([dns]));
    await advance(11_999);
    expect(ended).toHaveLength(1);
    await advance(1);
    await eventually(() => expect(ended).toMatchObject([dns, { errorClass: 'timeout', durationMs: 15_000 }]));
  });

  test('by default TLS times out after 5 s', async () => {
    const { receiver } = await receive(() => {});
    const timers = jest.spyOn(undiciTimers, 'setFastTimeout');
    const client = opened.newClient(rules, { lookup: named });
    const got = standing(client, { ...post, url: `https://mute.localhost:${receiver.port}/` });
    await eventually(() => expect(receiver.connections()).toBe(1));
    expect(timers.mock.calls.map(([, ms]) => ms)).toEqual([5_000]);
    undiciTimers.tick(6_000);
    expect(await got).toMatchObject({ errorClass: 'timeout', message: 'The connection was not made in time' });
  });

  test.each([
    ['before it begins', 0],
    ['while it waits for the answer', 1],
  ])('a signal that fires %s stops the post at once', async (_name, requests) => {
    const controller = new AbortController();
    if (requests === 0) controller.abort();
    const { receiver, url } = await receive(() => controller.abort());
    const { signal } = controller;
    // No deadline passes in a time that stands still.
    const got = await standing(newClient({ lookup: named }), { ...post, url, signal });
    expect(got).toMatchObject({ outcome: 'error', errorClass: 'stopped' });
    expect(receiver.requests).toHaveLength(requests);
    await eventually(() => expect(receiver.openSockets()).toBe(0));
  });

  test('close waits for posts in flight, closes sockets and refuses later posts', async () => {
    const held: (() => void)[] = [];
    const { receiver, url } = await receive((socket, number) => {
      held.push(() => answer('200 OK')(socket, number));
    });
    const client = newClient({ lookup: named });
    const inFlight = Array.from({ length: 5 }, () => client.post({ ...post, url }));
    await eventually(() => expect(receiver.requests).toHaveLength(5));
    let isClosed = false;
    const closed = client.close().then(() => {
      isClosed = true;
    });
    for (const release of held) {
      expect(isClosed).toBe(false);
      release();
    }
    await closed;
    for (const one of inFlight) expect(await one).toMatchObject({ outcome: 'answered', status: 200 });
    await eventually(() => expect(receiver.openSockets()).toBe(0));
    expect(await client.post({ ...post, url })).toMatchObject({ errorClass: 'stopped' });
    expect(receiver.connections()).toBe(5);
  });

  test('an idle connection is closed after four seconds', async () => {
    const { receiver, url } = await receive(answer('200 OK'));
    const client = newClient({ lookup: named });
    expect(await standing(client, { ...post, url })).toMatchObject({ status: 200 });
    await advance(3_999);
    expect(await standing(client, { ...post, url })).toMatchObject({ status: 200 });
    expect(receiver.connections()).toBe(1);
    await advance(4_000);
    await eventually(() => expect(receiver.openSockets()).toBe(0));
    expect(await standing(client, { ...post, url })).toMatchObject({ status: 200 });
    expect(receiver.connections()).toBe(2);
  });

  test('an invalid URL is an error answer, not an exception', async () => {
    const got = await newClient({}).post({ ...post, url: 'not a url' });
    expect(got).toMatchObject({ outcome: 'error', errorClass: 'http' });
  });
});
