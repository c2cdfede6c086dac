import { networkInterfaces } from 'node:os';
import { afterAll, describe, expect, test } from '@jest/globals';
import { targetRules } from '../../common/webhooks/address-rules.ts';
import { createWebhookSender, type SenderOptions, type WebhookSender } from '../../common/webhooks/post-signed.ts';
import type { Lookup } from '../../common/webhooks/resolve-host.ts';
import { answer, type RawReceiver, startRawReceiver, testAuthority, testIdentity } from '../support/raw-receiver.ts';

const body = Buffer.from('{}');
const headers = { 'content-type': 'application/json' };
/** Without IPv6 in the kernel nobody can listen on `::`. */
const hasIpv6 = Object.values(networkInterfaces()).some((list) => list?.some(({ family }) => family === 'IPv6'));
const everyAddress = hasIpv6 ? '::' : '0.0.0.0';
const receivers: RawReceiver[] = [];
const senders: WebhookSender[] = [];
const receive = async (...args: Parameters<typeof startRawReceiver>) => {
  const receiver = await startRawReceiver(...args);
  receivers.push(receiver);
  return receiver;
};
/** As in production, with the test authority known; `ports` are let through for all hosts. */
const newSender = (ports: number[], options: SenderOptions, allowCidrs: string[] = []) => {
  const rules = targetRules({ allowLoopback: false, allowCidrs, ports });
  const sender = createWebhookSender(rules, { extraCa: testAuthority(), timeoutMs: 5_000, ...options });
  senders.push(sender);
  return sender;
};
const leadsTo =
  (...addresses: string[]): Lookup =>
  async () =>
    addresses;

afterAll(async () => {
  await Promise.all(senders.map((sender) => sender.close()));
  await Promise.all(receivers.map((receiver) => receiver.close()));
});

describe('where a delivery may connect to', () => {
  const inside = ['127.0.0.1', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1', '0.0.0.0', '::', '127.0.0.2'];

  test.each(inside)(
    'given a name that leads to %s, when it is posted to, then it is blocked and nobody is called',
    async (ip) => {
      const receiver = await receive(answer('200 OK'), { tls: testIdentity('hooks'), host: everyAddress });
      const sender = newSender([receiver.port], { lookup: leadsTo(ip) });
      const got = await sender.post({ url: `https://hooks.example.test:${receiver.port}/`, headers, body });
      expect(got).toMatchObject({ outcome: 'error', errorClass: 'blocked_ip', remoteIp: null });
      expect(receiver.connections()).toBe(0);
    },
  );

  test.each(['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1', 'localhost', 'localhost.'])(
    'given the literal %s, when it is posted to, then it is blocked without asking for a name',
    async (host) => {
      const receiver = await receive(answer('200 OK'), { tls: testIdentity('hooks'), host: everyAddress });
      const sender = newSender([receiver.port], { lookup: leadsTo('127.0.0.1') }, []);
      const got = await sender.post({ url: `https://${host}:${receiver.port}/`, headers, body });
      expect(got).toMatchObject({ outcome: 'error', errorClass: 'blocked_ip' });
      expect(receiver.connections()).toBe(0);
    },
  );

  test('given an address that is allowed and leads elsewhere, when it is posted to, then the connection is looked at again and nothing is sent', async () => {
    const receiver = await receive(answer('200 OK'), { tls: testIdentity('hooks'), host: everyAddress });
    // To this one a machine connects to itself: the other end is 127.0.0.1.
    const blocked: string[] = [];
    const options = { lookup: leadsTo('0.0.0.0'), onBlocked: (reason: string) => void blocked.push(reason) };
    const sender = newSender([receiver.port], options, ['0.0.0.0/32']);
    const got = await sender.post({ url: `https://hooks.example.test:${receiver.port}/`, headers, body });
    expect(got).toMatchObject({ outcome: 'error', errorClass: 'blocked_ip', remoteIp: null });
    expect([blocked, receiver.connections(), receiver.requests]).toEqual([['peer'], 1, []]);
  });

  test('given an address of a private network among good ones, when it is posted to, then no one is called', async () => {
    const receiver = await receive(answer('200 OK'), { tls: testIdentity('hooks') });
    const lookup = leadsTo('127.0.0.1', '10.0.0.1');
    const sender = newSender([receiver.port], { lookup }, ['127.0.0.1/32']);
    const got = await sender.post({ url: `https://hooks.example.test:${receiver.port}/`, headers, body });
    expect(got).toMatchObject({ outcome: 'error', errorClass: 'blocked_ip' });
    expect(receiver.connections()).toBe(0);
  });

  test('given a name that changes its address, when it is posted to twice, then each connect has asked once and the second is blocked', async () => {
    // given: the first address is allowed; the receiver listens on the second one as well
    const receiver = await receive((socket) => socket.end('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n'), {
      tls: testIdentity('hooks'),
      host: '0.0.0.0',
    });
    let asked = 0;
    const lookup: Lookup = async () => [++asked === 1 ? '127.0.0.1' : '127.0.0.2'];
    const sender = newSender([receiver.port], { lookup }, ['127.0.0.1/32']);
    const url = `https://hooks.example.test:${receiver.port}/`;
    // when
    const first = await sender.post({ url, headers, body });
    const second = await sender.post({ url, headers, body });
    // then
    expect(first).toMatchObject({ outcome: 'answered', status: 200, remoteIp: '127.0.0.1' });
    expect(second).toMatchObject({ outcome: 'error', errorClass: 'blocked_ip' });
    expect([asked, receiver.connections()]).toEqual([2, 1]);
  });

  test('given an address that is let through and leads to another one, when the connection is made, then it is dropped and nothing is sent', async () => {
    // given: the kernel takes 0.0.0.0 for this machine
    const receiver = await receive(answer('200 OK'), { tls: testIdentity('hooks') });
    const reasons: string[] = [];
    const options = { lookup: leadsTo('0.0.0.0'), onBlocked: (reason: string) => void reasons.push(reason) };
    const sender = newSender([receiver.port], options, ['0.0.0.0/32']);
    // when
    const got = await sender.post({ url: `https://hooks.example.test:${receiver.port}/`, headers, body });
    // then
    expect(got).toMatchObject({ outcome: 'error', errorClass: 'blocked_ip', remoteIp: null });
    expect([receiver.connections(), receiver.requests, reasons]).toEqual([1, [], ['peer']]);
  });

  test('given a url that the rules no longer allow, when it is posted to, then nobody is called', async () => {
    const receiver = await receive(answer('200 OK'));
    const sender = newSender([443], { lookup: leadsTo('127.0.0.1') }, ['127.0.0.0/8']);
    for (const scheme of ['http', 'https']) {
      const got = await sender.post({ url: `${scheme}://hooks.example.test:${receiver.port}/`, headers, body });
      expect(got).toMatchObject({ outcome: 'error', errorClass: 'blocked_ip' });
    }
    // Where loopback is allowed, it is for hosts that are local by their own name.
    const local = createWebhookSender(targetRules({ allowLoopback: true, allowCidrs: [], ports: [443] }), {
      lookup: leadsTo('127.0.0.1'),
    });
    senders.push(local);
    const named = await local.post({ url: `http://hooks.example.test:${receiver.port}/`, headers, body });
    expect(named).toMatchObject({ outcome: 'error', errorClass: 'blocked_ip' });
    expect(receiver.connections()).toBe(0);
  });

  test.each([
    ['is silent', () => new Promise<string[]>(() => {})],
    ['knows nothing', () => Promise.reject(new Error('queryA ENOTFOUND'))],
  ] as [string, Lookup][])(
    'given a name server that %s, when it is posted to, then it is a dns error',
    async (_name, lookup) => {
      const sender = newSender([443], { lookup, dnsTimeoutMs: 200 });
      const got = await sender.post({ url: 'https://hooks.example.test/', headers, body });
      expect(got).toMatchObject({ outcome: 'error', errorClass: 'dns', remoteIp: null });
      expect(got.durationMs).toBeLessThan(1_000);
    },
  );

  test('given many silent names, when a good one is posted to, then it does not wait for them', async () => {
    const receiver = await receive(answer('200 OK'), { tls: testIdentity('hooks') });
    const lookup: Lookup = (name) =>
      name.startsWith('hooks') ? Promise.resolve(['127.0.0.1']) : new Promise<string[]>(() => {});
    const sender = newSender([443, receiver.port], { lookup, dnsTimeoutMs: 2_000 }, ['127.0.0.1/32']);
    const silent = Array.from({ length: 50 }, (_, n) =>
      sender.post({ url: `https://n${n}.example.test/`, headers, body }),
    );
    const got = await sender.post({ url: `https://hooks.example.test:${receiver.port}/`, headers, body });
    expect(got).toMatchObject({ outcome: 'answered', status: 200 });
    expect(got.durationMs).toBeLessThan(1_000);
    const late = await Promise.all(silent);
    expect(new Set(late.map((one) => one.outcome === 'error' && one.errorClass))).toEqual(new Set(['dns']));
  });
});

describe('whom a delivery trusts', () => {
  const post = async (receiver: RawReceiver, options: SenderOptions = {}, host = 'hooks.example.test') => {
    const sender = newSender([receiver.port], { lookup: leadsTo('127.0.0.1'), ...options }, ['127.0.0.1/32']);
    return await sender.post({ url: `https://${host}:${receiver.port}/`, headers, body });
  };

  test.each(['hooks.example.test', '127.0.0.1'])(
    'given a certificate for %s, when it is posted to, then its Host is that and it is answered',
    async (host) => {
      const receiver = await receive(answer('200 OK'), { tls: testIdentity('hooks') });
      expect(await post(receiver, {}, host)).toMatchObject({ outcome: 'answered', status: 200, remoteIp: '127.0.0.1' });
      expect(receiver.requests[0]).toContain(`\r\nhost: ${host}:${receiver.port}\r\n`);
    },
  );

  test('given a certificate for another name, when it is posted to, then it is a tls error and nothing is sent', async () => {
    const receiver = await receive(answer('200 OK'), { tls: testIdentity('other') });
    expect(await post(receiver)).toMatchObject({ outcome: 'error', errorClass: 'tls' });
    expect(receiver.requests).toEqual([]);
  });

  test('given a certificate of an unknown authority, when it is posted to, then it is a tls error and nothing is sent', async () => {
    const receiver = await receive(answer('200 OK'), { tls: testIdentity('hooks') });
    const rules = targetRules({ allowLoopback: false, allowCidrs: ['127.0.0.1/32'], ports: [receiver.port] });
    const sender = createWebhookSender(rules, { lookup: leadsTo('127.0.0.1') });
    senders.push(sender);
    const got = await sender.post({ url: `https://hooks.example.test:${receiver.port}/`, headers, body });
    expect(got).toMatchObject({ outcome: 'error', errorClass: 'tls' });
    expect(receiver.requests).toEqual([]);
  });

  test('given a receiver that knows only TLS 1.1, when it is posted to, then it is a tls error', async () => {
    const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
    const receiver = await receive(answer('200 OK'), { tls: { ...testIdentity('hooks'), ...old } });
    expect(await post(receiver)).toMatchObject({ outcome: 'error', errorClass: 'tls' });
  });

  test('given a receiver that accepts and never says a word of TLS, when it is posted to, then it is a timeout', async () => {
    const receiver = await receive(answer('200 OK'));
    const got = await post(receiver, { connectTimeoutMs: 300 });
    expect(got).toMatchObject({ outcome: 'error', errorClass: 'timeout' });
    expect([receiver.connections(), got.durationMs < 2_000]).toEqual([1, true]);
  });
});
