import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, describe, expect, test } from '@jest/globals';
import { targetRules } from '../../common/webhooks/address-rules.ts';
import { createWebhookSender, type SenderOptions, type WebhookSender } from '../../common/webhooks/post-signed.ts';
import type { Lookup } from '../../common/webhooks/resolve-host.ts';
import { eventually } from '../support/eventually.ts';
import { answer, type RawReceiver, type RawReply, startRawReceiver } from '../support/raw-receiver.ts';

const rules = targetRules({ allowLoopback: true, allowCidrs: [], ports: [443] });
const post = { headers: { 'content-type': 'application/json' }, body: Buffer.from('{}') };

describe('a delivery that is overtaken by something else', () => {
  const receivers: RawReceiver[] = [];
  const senders: WebhookSender[] = [];
  const receive = async (reply: RawReply) => {
    const receiver = await startRawReceiver(reply);
    receivers.push(receiver);
    return { receiver, url: `http://slow.localhost:${receiver.port}/` };
  };
  const newSender = (options: SenderOptions) => {
    const sender = createWebhookSender(rules, { timeoutMs: 5_000, ...options });
    senders.push(sender);
    return sender;
  };
  const namedAfter =
    (ms: number): Lookup =>
    async () => {
      await delay(ms);
      return ['127.0.0.1'];
    };
  afterAll(async () => {
    await Promise.all(senders.map((sender) => sender.close()));
    await Promise.all(receivers.map((receiver) => receiver.close()));
  });

  test('given a quick connect, when it is posted, then nobody is asked before the write', async () => {
    const { receiver, url } = await receive(answer('200 OK'));
    let asked = 0;
    const beforeWrite = async () => ++asked > 0;
    expect(await newSender({ lookup: namedAfter(1) }).post({ ...post, url, beforeWrite })).toMatchObject({
      status: 200,
    });
    expect([asked, receiver.requests.length]).toEqual([0, 1]);
  });

  test('given a connect of over a second, when the delivery is still wanted, then it is asked once and written once', async () => {
    const { receiver, url } = await receive(answer('200 OK'));
    let asked = 0;
    const beforeWrite = async () => {
      expect(receiver.requests).toHaveLength(0);
      return ++asked > 0;
    };
    const got = await newSender({ lookup: namedAfter(1_100) }).post({ ...post, url, beforeWrite });
    expect(got).toMatchObject({ outcome: 'answered', status: 200 });
    expect([asked, receiver.requests.length, receiver.connections()]).toEqual([1, 1, 1]);
  });

  test.each([
    ['is answered no', async () => false, 'cancelled'],
    ['fails', () => Promise.reject(new Error('the database is away')), 'stopped'],
  ])(
    'given a connect of over a second, when the question %s, then nothing is written',
    async (_name, beforeWrite, errorClass) => {
      const { receiver, url } = await receive(answer('200 OK'));
      const sender = newSender({ lookup: namedAfter(1_100) });
      expect(await sender.post({ ...post, url, beforeWrite })).toMatchObject({ errorClass });
      // The connection was made and is fit for the next delivery, which is all that it carries.
      expect(await sender.post({ ...post, url })).toMatchObject({ status: 200 });
      expect([receiver.requests.length, receiver.connections()]).toEqual([1, 1]);
    },
  );

  test('given a deadline that passes during the connect, when the connect is made, then nothing is written', async () => {
    // given
    const { receiver, url } = await receive(answer('200 OK'));
    const sender = newSender({ lookup: namedAfter(600), timeoutMs: 200 });
    // when
    const got = await sender.post({ ...post, url });
    // then
    expect(got).toMatchObject({ outcome: 'error', errorClass: 'timeout', remoteIp: null });
    await eventually(() => expect(receiver.connections()).toBe(1), { withinMs: 3_000 });
    await sender.close();
    expect(receiver.requests).toEqual([]);
  });

  test('given the times of production, when a name, an encryption and an answer never come, then each ends at its own: 3 s, 5 s, 15 s', async () => {
    // given
    const { receiver: mute } = await receive(() => {});
    const { receiver: slow } = await receive((socket) => {
      socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1000\r\n\r\n');
      const timer = setInterval(() => socket.write('z'), 1_000);
      socket.once('close', () => clearInterval(timer));
    });
    const lookup: Lookup = async (name) => (name.startsWith('nobody') ? new Promise(() => {}) : ['127.0.0.1']);
    const sender = createWebhookSender(rules, { lookup });
    senders.push(sender);
    // when
    const urls = [
      'https://nobody.localhost/',
      `https://mute.localhost:${mute.port}/`,
      `http://slow.localhost:${slow.port}/`,
    ];
    const answers = await Promise.all(urls.map((url) => sender.post({ ...post, url })));
    // then
    expect(answers).toMatchObject([{ errorClass: 'dns' }, { errorClass: 'timeout' }, { errorClass: 'timeout' }]);
    for (const [index, leastMs] of [3_000, 5_000, 15_000].entries()) {
      // A timer of the HTTP client goes by half seconds.
      expect(answers[index]?.durationMs).toBeGreaterThan(leastMs - 1_000);
      expect(answers[index]?.durationMs).toBeLessThan(leastMs + 3_000);
    }
  }, 40_000);

  test.each([
    ['before it begins', 0],
    ['while it waits for the answer', 100],
  ])('given a signal, when it fires %s, then the delivery is stopped at once', async (_name, afterMs) => {
    const { receiver, url } = await receive(() => {});
    const signal = afterMs === 0 ? AbortSignal.abort() : AbortSignal.timeout(afterMs);
    const got = await newSender({ lookup: namedAfter(0) }).post({ ...post, url, signal });
    expect(got).toMatchObject({ outcome: 'error', errorClass: 'stopped' });
    expect(got.durationMs).toBeLessThan(1_000);
    expect(receiver.requests).toHaveLength(afterMs === 0 ? 0 : 1);
    await eventually(() => expect(receiver.openSockets()).toBe(0), { withinMs: 2_000 });
  });

  test('given deliveries under way, when the sender is closed, then they end well, sockets go and later ones are refused', async () => {
    // given
    const { receiver, url } = await receive((socket, number) => {
      setTimeout(() => answer('200 OK')(socket, number), 300);
    });
    const sender = newSender({ lookup: namedAfter(0) });
    const underWay = Array.from({ length: 5 }, () => sender.post({ ...post, url }));
    await eventually(() => expect(receiver.requests).toHaveLength(5), { withinMs: 2_000 });
    // when
    await sender.close();
    // then
    for (const one of underWay) expect(await one).toMatchObject({ outcome: 'answered', status: 200 });
    await eventually(() => expect(receiver.openSockets()).toBe(0), { withinMs: 2_000 });
    expect(await sender.post({ ...post, url })).toMatchObject({ errorClass: 'stopped' });
    expect(receiver.connections()).toBe(5);
  });

  test('given an idle connection, when four seconds pass, then it is closed and the next post opens another', async () => {
    const { receiver, url } = await receive(answer('200 OK'));
    const sender = newSender({ lookup: namedAfter(0) });
    expect(await sender.post({ ...post, url })).toMatchObject({ status: 200 });
    await eventually(() => expect(receiver.openSockets()).toBe(0), { withinMs: 8_000 });
    expect(await sender.post({ ...post, url })).toMatchObject({ status: 200 });
    expect(receiver.connections()).toBe(2);
  });

  test('given something that is no url, when it is posted to, then it is an answer and not an exception', async () => {
    const got = await newSender({}).post({ ...post, url: 'not a url' });
    expect(got).toMatchObject({ outcome: 'error', errorClass: 'http' });
  });
});
