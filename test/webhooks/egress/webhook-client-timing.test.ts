import { setTimeout as sleep } from 'node:timers/promises';
import { targetRules } from '#common/webhooks/egress/address-rules.ts';
import type { Lookup } from '#common/webhooks/egress/resolve-host.ts';
import type { WebhookClientOptions } from '#common/webhooks/egress/webhook-client.ts';
import { describe, eventually, expect, test } from '#test/support/jest.ts';
import { answer, type RawReply, useRawReceivers } from '#test/support/webhooks/raw-receiver.ts';

const rules = targetRules({ allowLoopback: true, allowCidrs: [], ports: [443] });
const post = { headers: { 'content-type': 'application/json' }, body: Buffer.from('{}') };

describe('time limits and cancellation of a post', () => {
  const opened = useRawReceivers();
  const receive = async (reply: RawReply) => {
    const receiver = await opened.receive(reply);
    return { receiver, url: `http://slow.localhost:${receiver.port}/` };
  };
  const newClient = (options: WebhookClientOptions) => opened.newClient(rules, { timeoutMs: 5_000, ...options });
  const namedAfter =
    (ms: number): Lookup =>
    async () => {
      await sleep(ms);
      return ['127.0.0.1'];
    };

  test('a quick connect does not call beforeWrite', async () => {
    const { receiver, url } = await receive(answer('200 OK'));
    let checks = 0;
    const beforeWrite = async () => ++checks > 0;
    expect(await newClient({ lookup: namedAfter(1) }).post({ ...post, url, beforeWrite })).toMatchObject({
      status: 200,
    });
    expect([checks, receiver.requests.length]).toEqual([0, 1]);
  });

  test('a connect of over a second calls beforeWrite once and writes once', async () => {
    const { receiver, url } = await receive(answer('200 OK'));
    let checks = 0;
    const beforeWrite = async () => {
      expect(receiver.requests).toHaveLength(0);
      return ++checks > 0;
    };
    const got = await newClient({ lookup: namedAfter(1_100) }).post({ ...post, url, beforeWrite });
    expect(got).toMatchObject({ outcome: 'answered', status: 200 });
    expect([checks, receiver.requests.length, receiver.connections()]).toEqual([1, 1, 1]);
  });

  test.each([
    ['is answered no', async () => false, 'cancelled'],
    ['fails', () => Promise.reject(new Error('the database is away')), 'stopped'],
  ])('nothing is written when beforeWrite %s', async (_name, beforeWrite, errorClass) => {
    const { receiver, url } = await receive(answer('200 OK'));
    const client = newClient({ lookup: namedAfter(1_100) });
    expect(await client.post({ ...post, url, beforeWrite })).toMatchObject({ errorClass });
    // The connection stays usable: the next delivery is the only request on it.
    expect(await client.post({ ...post, url })).toMatchObject({ status: 200 });
    expect([receiver.requests.length, receiver.connections()]).toEqual([1, 1]);
  });

  test('nothing is written when the deadline passes during the connect', async () => {
    const { receiver, url } = await receive(answer('200 OK'));
    const client = newClient({ lookup: namedAfter(600), timeoutMs: 200 });
    const got = await client.post({ ...post, url });
    expect(got).toMatchObject({ outcome: 'error', errorClass: 'timeout', remoteIp: null });
    await eventually(() => expect(receiver.connections()).toBe(1));
    await client.close();
    expect(receiver.requests).toEqual([]);
  });

  test('by default DNS times out after 3 s, TLS after 5 s and the answer after 15 s', async () => {
    const { receiver: mute } = await receive(() => {});
    const { receiver: slow } = await receive((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n');
      const timer = setInterval(() => socket.write('z'), 1_000);
      socket.once('close', () => clearInterval(timer));
    });
    const lookup: Lookup = async (name) => (name.startsWith('silent') ? new Promise(() => {}) : ['127.0.0.1']);
    const client = opened.newClient(rules, { lookup });
    const urls = [
      'https://silent.localhost/',
      `https://mute.localhost:${mute.port}/`,
      `http://slow.localhost:${slow.port}/`,
    ];
    const answers = await Promise.all(urls.map((url) => client.post({ ...post, url })));
    expect(answers).toMatchObject([{ errorClass: 'dns' }, { errorClass: 'timeout' }, { errorClass: 'timeout' }]);
    for (const [index, leastMs] of [3_000, 5_000, 15_000].entries()) {
      // A timer of undici has a resolution of half a second.
      expect(answers[index]?.durationMs).toBeGreaterThan(leastMs - 1_000);
      expect(answers[index]?.durationMs).toBeLessThan(leastMs + 3_000);
    }
  });

  test.each([
    ['before it begins', 0],
    ['while it waits for the answer', 1],
  ])('a signal that fires %s stops the post at once', async (_name, requests) => {
    const controller = new AbortController();
    if (requests === 0) controller.abort();
    const { receiver, url } = await receive(() => controller.abort());
    const { signal } = controller;
    const got = await newClient({ lookup: namedAfter(0) }).post({ ...post, url, signal });
    expect(got).toMatchObject({ outcome: 'error', errorClass: 'stopped' });
    // The deadline of 15 s would end it too, but later.
    expect(got.durationMs).toBeLessThan(5_000);
    expect(receiver.requests).toHaveLength(requests);
    await eventually(() => expect(receiver.openSockets()).toBe(0));
  });

  test('close waits for posts in flight, closes sockets and refuses later posts', async () => {
    const { receiver, url } = await receive((socket, number) => {
      setTimeout(() => answer('200 OK')(socket, number), 300);
    });
    const client = newClient({ lookup: namedAfter(0) });
    const inFlight = Array.from({ length: 5 }, () => client.post({ ...post, url }));
    await eventually(() => expect(receiver.requests).toHaveLength(5));
    await client.close();
    for (const one of inFlight) expect(await one).toMatchObject({ outcome: 'answered', status: 200 });
    await eventually(() => expect(receiver.openSockets()).toBe(0));
    expect(await client.post({ ...post, url })).toMatchObject({ errorClass: 'stopped' });
    expect(receiver.connections()).toBe(5);
  });

  test('an idle connection is closed after four seconds', async () => {
    const { receiver, url } = await receive(answer('200 OK'));
    const client = newClient({ lookup: namedAfter(0) });
    expect(await client.post({ ...post, url })).toMatchObject({ status: 200 });
    await eventually(() => expect(receiver.openSockets()).toBe(0));
    expect(await client.post({ ...post, url })).toMatchObject({ status: 200 });
    expect(receiver.connections()).toBe(2);
  });

  test('an invalid URL is an error answer, not an exception', async () => {
    const got = await newClient({}).post({ ...post, url: 'not a url' });
    expect(got).toMatchObject({ outcome: 'error', errorClass: 'http' });
  });
});
