// Level: unit
import { networkInterfaces } from 'node:os';
import { targetRules } from '#common/webhooks/egress/address-rules.ts';
import type { Lookup } from '#common/webhooks/egress/resolve-host.ts';
import type { WebhookClientOptions } from '#common/webhooks/egress/webhook-client.ts';
import { describe, eventually, expect, guardMs, test } from '#test/support/jest.ts';
import { useStandingTime } from '#test/support/standing-time.ts';
import {
  answer,
  type RawReceiver,
  testAuthority,
  testIdentity,
  useRawReceivers,
} from '#test/support/webhooks/raw-receiver.ts';

const body = Buffer.from('{}');
const headers = { 'content-type': 'application/json' };
/** Without IPv6 in the kernel, listening on `::` fails. */
const hasIpv6 = Object.values(networkInterfaces()).some((list) => list?.some(({ family }) => family === 'IPv6'));
const everyAddress = hasIpv6 ? '::' : '0.0.0.0';
const { receive, newClient: openClient } = useRawReceivers();
const { run, advance } = useStandingTime();
/** Configured as in production plus the test authority. `ports` are allowed for all hosts. */
const newClient = (ports: number[], options: WebhookClientOptions, allowCidrs: string[] = []) => {
  const rules = targetRules({ allowLoopback: false, allowCidrs, ports });
  return openClient(rules, { extraCa: testAuthority(), timeoutMs: guardMs, ...options });
};
const leadsTo =
  (...addresses: string[]): Lookup =>
  async () =>
    addresses;

describe('the targets of a delivery', () => {
  const inside = ['127.0.0.1', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1', '0.0.0.0', '::', '127.0.0.2'];

  test.each(inside)('a name that resolves to %s is blocked without a connection', async (ip) => {
    const receiver = await receive(answer('200 OK'), { tls: testIdentity('hooks'), host: everyAddress });
    const client = newClient([receiver.port], { lookup: leadsTo(ip) });
    const got = await client.post({ url: `https://hooks.example.test:${receiver.port}/`, headers, body });
    expect(got).toMatchObject({ outcome: 'error', errorClass: 'blocked_ip', remoteIp: null });
    expect(receiver.connections()).toBe(0);
  });

  const literals = ['127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '0x7f.1', 'localhost', 'localhost.'];
  test.each(literals)('the literal %s is blocked without a DNS query', async (host) => {
    const receiver = await receive(answer('200 OK'), { tls: testIdentity('hooks'), host: everyAddress });
    const client = newClient([receiver.port], { lookup: leadsTo('127.0.0.1') }, []);
    const got = await client.post({ url: `https://${host}:${receiver.port}/`, headers, body });
    expect(got).toMatchObject({ outcome: 'error', errorClass: 'blocked_ip' });
    expect(receiver.connections()).toBe(0);
  });

  test('the remote address of a connection is checked again before anything is sent', async () => {
    const receiver = await receive(answer('200 OK'), { tls: testIdentity('hooks'), host: everyAddress });
    // A connection to 0.0.0.0 reaches this machine: its remote address is 127.0.0.1.
    const blocked: string[] = [];
    const options = { lookup: leadsTo('0.0.0.0'), onBlocked: (reason: string) => void blocked.push(reason) };
    const client = newClient([receiver.port], options, ['0.0.0.0/32']);
    const got = await client.post({ url: `https://hooks.example.test:${receiver.port}/`, headers, body });
    expect(got).toMatchObject({ outcome: 'error', errorClass: 'blocked_ip', remoteIp: null });
    expect([blocked, receiver.connections(), receiver.requests]).toEqual([['peer'], 1, []]);
  });

  test('a private address among public ones blocks the post', async () => {
    const receiver = await receive(answer('200 OK'), { tls: testIdentity('hooks') });
    const lookup = leadsTo('127.0.0.1', '10.0.0.1');
    const client = newClient([receiver.port], { lookup }, ['127.0.0.1/32']);
    const got = await client.post({ url: `https://hooks.example.test:${receiver.port}/`, headers, body });
    expect(got).toMatchObject({ outcome: 'error', errorClass: 'blocked_ip' });
    expect(receiver.connections()).toBe(0);
  });

  test('each connect resolves the name once, and a changed private address is blocked', async () => {
    // The first address is allowed. The receiver listens on the second address too.
    const receiver = await receive((socket) => socket.end('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n'), {
      tls: testIdentity('hooks'),
      host: '0.0.0.0',
    });
    let lookUps = 0;
    const lookup: Lookup = async () => [++lookUps === 1 ? '127.0.0.1' : '127.0.0.2'];
    const client = newClient([receiver.port], { lookup }, ['127.0.0.1/32']);
    const url = `https://hooks.example.test:${receiver.port}/`;
    const first = await client.post({ url, headers, body });
    const second = await client.post({ url, headers, body });
    expect(first).toMatchObject({ outcome: 'answered', status: 200, remoteIp: '127.0.0.1' });
    expect(second).toMatchObject({ outcome: 'error', errorClass: 'blocked_ip' });
    expect([lookUps, receiver.connections()]).toEqual([2, 1]);
  });

  test('a URL that the rules no longer allow is not connected to', async () => {
    const receiver = await receive(answer('200 OK'));
    const client = newClient([443], { lookup: leadsTo('127.0.0.1') }, ['127.0.0.0/8']);
    for (const scheme of ['http', 'https']) {
      const got = await client.post({ url: `${scheme}://hooks.example.test:${receiver.port}/`, headers, body });
      expect(got).toMatchObject({ outcome: 'error', errorClass: 'blocked_ip' });
    }
    // Allowing loopback applies only to hosts that are local by name.
    const rules = targetRules({ allowLoopback: true, allowCidrs: [], ports: [443] });
    const local = openClient(rules, { lookup: leadsTo('127.0.0.1') });
    const named = await local.post({ url: `http://hooks.example.test:${receiver.port}/`, headers, body });
    expect(named).toMatchObject({ outcome: 'error', errorClass: 'blocked_ip' });
    expect(receiver.connections()).toBe(0);
  });

  test.each([
    ['is silent', () => new Promise<string[]>(() => {}), 'The name servers gave no answer for %s within 200 ms'],
    ['knows nothing', () => Promise.reject(new Error('queryA ENOTFOUND')), '%s cannot be resolved'],
  ] as [string, Lookup, string][])('a name server that %s causes a dns error', async (_name, lookup, message) => {
    const client = newClient([443], { lookup, dnsTimeoutMs: 200 });
    const got = await client.post({ url: 'https://hooks.example.test/', headers, body });
    const error = { errorClass: 'dns', message: message.replace('%s', 'hooks.example.test') };
    expect(got).toMatchObject({ outcome: 'error', remoteIp: null, ...error });
  });

  test('names that do not resolve do not delay other posts', async () => {
    const receiver = await receive(answer('200 OK'), { tls: testIdentity('hooks') });
    const lookup: Lookup = (name) =>
      name.startsWith('hooks') ? Promise.resolve(['127.0.0.1']) : new Promise<string[]>(() => {});
    const client = newClient([443, receiver.port], { lookup, dnsTimeoutMs: 4_000 }, ['127.0.0.1/32']);
    const silent = Array.from({ length: 50 }, (_, n) =>
      run(() => client.post({ url: `https://n${n}.example.test/`, headers, body })),
    );
    let ended = 0;
    for (const post of silent) void post.then(() => (ended += 1));
    const got = await client.post({ url: `https://hooks.example.test:${receiver.port}/`, headers, body });
    expect(got).toMatchObject({ outcome: 'answered', status: 200 });
    expect(ended).toBe(0);
    await advance(4_000);
    const late = await Promise.all(silent);
    expect(new Set(late.map((one) => one.outcome === 'error' && one.errorClass))).toEqual(new Set(['dns']));
  });
});

describe('TLS of a delivery', () => {
  const post = async (receiver: RawReceiver, options: WebhookClientOptions = {}, host = 'hooks.example.test') => {
    const client = newClient([receiver.port], { lookup: leadsTo('127.0.0.1'), ...options }, ['127.0.0.1/32']);
    return await client.post({ url: `https://${host}:${receiver.port}/`, headers, body });
  };

  test.each(['hooks.example.test', '127.0.0.1'])('accepts a certificate for %s and sends it as Host', async (host) => {
    const receiver = await receive(answer('200 OK'), { tls: testIdentity('hooks') });
    expect(await post(receiver, {}, host)).toMatchObject({ outcome: 'answered', status: 200, remoteIp: '127.0.0.1' });
    expect(receiver.requests[0]).toContain(`\r\nhost: ${host}:${receiver.port}\r\n`);
  });

  test('refuses a certificate for another name and sends nothing', async () => {
    const receiver = await receive(answer('200 OK'), { tls: testIdentity('other') });
    expect(await post(receiver)).toMatchObject({ outcome: 'error', errorClass: 'tls' });
    expect(receiver.requests).toEqual([]);
  });

  test('refuses a certificate of an unknown authority and sends nothing', async () => {
    const receiver = await receive(answer('200 OK'), { tls: testIdentity('hooks') });
    const rules = targetRules({ allowLoopback: false, allowCidrs: ['127.0.0.1/32'], ports: [receiver.port] });
    const client = openClient(rules, { lookup: leadsTo('127.0.0.1') });
    const got = await client.post({ url: `https://hooks.example.test:${receiver.port}/`, headers, body });
    expect(got).toMatchObject({ outcome: 'error', errorClass: 'tls' });
    expect(receiver.requests).toEqual([]);
  });

  test('refuses a receiver that supports only TLS 1.1', async () => {
    const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
    const receiver = await receive(answer('200 OK'), { tls: { ...testIdentity('hooks'), ...old } });
    expect(await post(receiver)).toMatchObject({ outcome: 'error', errorClass: 'tls' });
  });

  test('times out when the receiver never answers the handshake', async () => {
    const receiver = await receive(answer('200 OK'));
    const message = 'The connection was not made in time';
    const got = await post(receiver, { connectTimeoutMs: 300 });
    expect(got).toMatchObject({ outcome: 'error', errorClass: 'timeout', message });
    await eventually(() => expect(receiver.connections()).toBe(1));
  });
});
