// Level: unit
import { targetRules } from '#common/webhooks/egress/address-rules.ts';
import { isAccepted } from '#common/webhooks/egress/delivery-answer.ts';
import type { WebhookClientOptions } from '#common/webhooks/egress/webhook-client.ts';
import { describe, eventually, expect, guardMs, test } from '#test/support/jest.ts';
import { useStandingTime } from '#test/support/standing-time.ts';
import { answer, type RawReply, startRawReceiver, useRawReceivers } from '#test/support/webhooks/raw-receiver.ts';

const rules = targetRules({ allowLoopback: true, allowCidrs: [], ports: [443, 8443] });
const body = Buffer.from('{"event":"MAIL_POSTED","externalId":"é\u{1F4EE}"}');
const headers = { 'content-type': 'application/json', 'X-Service-Event': 'MAIL_POSTED' };

describe('one post of a delivery', () => {
  const opened = useRawReceivers();
  const receive = async (reply: RawReply) => {
    const receiver = await opened.receive(reply);
    return { receiver, url: `http://127.0.0.1:${receiver.port}/hooks?from=bluejay` };
  };
  const newClient = (options: WebhookClientOptions = {}) => opened.newClient(rules, { timeoutMs: guardMs, ...options });
  const client = newClient();
  const { run, advance } = useStandingTime();

  test.each([
    ['200 OK', true],
    ['201 Created', true],
    ['204 No Content', true],
    ['299 Odd', true],
    ['300 Multiple Choices', false],
    ['400 Bad Request', false],
    ['404 Not Found', false],
    ['410 Gone', false],
    ['429 Too Many Requests', false],
    ['500 Internal Server Error', false],
    ['999 Odd', false],
  ])('returns %s after one request', async (line, isTaken) => {
    const { receiver, url } = await receive(answer(line, line.startsWith('204') ? {} : { 'Retry-After': '17' }, 'ok'));
    const got = await client.post({ url, headers, body });
    expect(got).toMatchObject({ outcome: 'answered', status: Number(line.slice(0, 3)), remoteIp: '127.0.0.1' });
    expect(isAccepted(got)).toBe(isTaken);
    if (got.outcome === 'answered' && !line.startsWith('204'))
      expect(got).toMatchObject({ retryAfter: '17', head: 'ok' });
    expect(receiver.requests).toHaveLength(1);
  });

  test('sends the body byte for byte with our headers', async () => {
    const { receiver, url } = await receive(answer('200 OK'));
    await client.post({ url, headers, body });
    const [head = '', sent = ''] = receiver.requests[0]?.split('\r\n\r\n') ?? [];
    expect(head.split('\r\n')).toEqual([
      'POST /hooks?from=bluejay HTTP/1.1',
      `host: 127.0.0.1:${receiver.port}`,
      'connection: keep-alive',
      'content-type: application/json',
      'X-Service-Event: MAIL_POSTED',
      `content-length: ${body.length}`,
    ]);
    expect(Buffer.from(sent, 'latin1').equals(body)).toBe(true);
  });

  test.each([301, 302, 303, 307, 308])('does not follow a redirect %d', async (status) => {
    const { receiver: target, url: elsewhere } = await receive(answer('200 OK'));
    const { url } = await receive(answer(`${status} Moved`, { Location: elsewhere }));
    expect(await client.post({ url, headers, body })).toMatchObject({ outcome: 'answered', status });
    expect(target.connections()).toBe(0);
  });

  test.each([
    ['closes without a word', (socket) => socket.end()],
    [
      'resets in the middle of its headers',
      (socket) => socket.write('HTTP/1.1 200 OK\r\nx-', () => socket.resetAndDestroy()),
    ],
    ['closes in the middle of its body', (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\nhal')],
    ['speaks another language', (socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n')],
    ['says only 199', (socket) => socket.end('HTTP/1.1 199 Odd\r\n\r\n')],
    ['switches protocols', (socket) => socket.end('HTTP/1.1 101 Odd\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n')],
    ['sends 100 kB of headers', (socket) => socket.end(`HTTP/1.1 200 OK\r\n${'x-a: bcdefgh\r\n'.repeat(8_000)}\r\n`)],
  ] as [string, RawReply][])('to a receiver that %s is an http error', async (_name, reply) => {
    const { receiver, url } = await receive(reply);
    const got = await client.post({ url, headers, body });
    expect(got).toMatchObject({ outcome: 'error', errorClass: 'http', remoteIp: '127.0.0.1' });
    expect(receiver.requests).toHaveLength(1);
  });

  test('to a closed port is a connect error', async () => {
    const { port, close } = await startRawReceiver(answer('200 OK'));
    await close();
    const url = `http://127.0.0.1:${port}/`;
    expect(await client.post({ url, headers, body })).toMatchObject({ outcome: 'error', errorClass: 'connect' });
  });

  const drip =
    (text: string, first = ''): RawReply =>
    (socket) => {
      socket.write(first);
      let sent = 0;
      const timer = setInterval(() => socket.write(text.charAt(sent++ % text.length)), 50);
      socket.once('close', () => clearInterval(timer));
    };
  test.each([
    ['never answers', () => {}],
    ['drips its headers', drip('HTTP/1.1 200 OK\r\nx: '.padEnd(1000, 'y'))],
    ['drips its body', drip('z', 'HTTP/1.1 200 OK\r\ncontent-length: 900\r\n\r\n')],
    ['sends interim answers for ever', drip('HTTP/1.1 102 Processing\r\n\r\n')],
  ] as [string, RawReply][])('to a receiver that %s times out and closes the socket', async (_name, reply) => {
    const { receiver, url } = await receive(reply);
    const hasty = newClient({ timeoutMs: 600 });
    const posted = run(() => hasty.post({ url, headers, body }));
    await eventually(() => expect(receiver.requests).toHaveLength(1));
    await advance(600);
    const durationMs = 600;
    expect(await posted).toMatchObject({ outcome: 'error', errorClass: 'timeout', remoteIp: '127.0.0.1', durationMs });
    await eventually(() => expect(receiver.openSockets()).toBe(0));
  });

  test('reads 20,000 bytes of an endless reply, returns the status and closes the socket', async () => {
    let offered = 0;
    const { receiver, url } = await receive((socket) => {
      const more = () => {
        while (!socket.destroyed && socket.write('é'.repeat(5_000))) offered += 10_000;
      };
      socket.on('drain', more);
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: identity\r\n\r\n');
      more();
    });
    const got = await client.post({ url, headers, body });
    expect(got).toMatchObject({ outcome: 'answered', status: 200, head: 'é'.repeat(1_024) });
    await eventually(() => expect(receiver.openSockets()).toBe(0));
    // The kernels' socket buffers accept more than we read.
    expect(offered).toBeLessThan(20_000_000);
  });

  test('reuses the connection after a reply of exactly the read limit', async () => {
    const { receiver, url } = await receive(answer('200 OK', {}, 'x'.repeat(19_999)));
    for (let round = 0; round < 5; round += 1) {
      expect(await client.post({ url, headers, body })).toMatchObject({ status: 200, head: 'x'.repeat(2_048) });
    }
    expect(receiver.connections()).toBe(1);
  });

  test('opens no more sockets than allowed for an origin', async () => {
    const narrow = newClient({ socketsPerOrigin: 3 });
    const { receiver, url } = await receive(answer('200 OK'));
    const answers = await Promise.all(Array.from({ length: 30 }, () => narrow.post({ url, headers, body })));
    expect(answers.every(isAccepted)).toBe(true);
    expect(receiver.connections()).toBe(3);
  });
});
