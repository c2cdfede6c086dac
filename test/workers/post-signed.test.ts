import { afterAll, describe, expect, test } from '@jest/globals';
import { targetRules } from '../../common/webhooks/address-rules.ts';
import { isAccepted } from '../../common/webhooks/delivery-answer.ts';
import { createWebhookSender, type WebhookSender } from '../../common/webhooks/post-signed.ts';
import { eventually } from '../support/eventually.ts';
import { answer, type RawReceiver, type RawReply, startRawReceiver } from '../support/raw-receiver.ts';

const rules = targetRules({ allowLoopback: true, allowCidrs: [], ports: [443, 8443] });
const body = Buffer.from('{"event":"MAIL_POSTED","externalId":"é\u{1F4EE}"}');
const headers = { 'content-type': 'application/json', 'X-Service-Event': 'MAIL_POSTED' };

describe('one attempt of a delivery', () => {
  const receivers: RawReceiver[] = [];
  const senders: WebhookSender[] = [];
  const receive = async (reply: RawReply) => {
    const receiver = await startRawReceiver(reply);
    receivers.push(receiver);
    return { receiver, url: `http://127.0.0.1:${receiver.port}/hooks?from=bluejay` };
  };
  const newSender = (...[options]: [Parameters<typeof createWebhookSender>[1]?]) => {
    const sender = createWebhookSender(rules, { timeoutMs: 5_000, ...options });
    senders.push(sender);
    return sender;
  };
  const sender = newSender();
  const hasty = newSender({ timeoutMs: 600 });
  afterAll(async () => {
    await Promise.all(senders.map((one) => one.close()));
    await Promise.all(receivers.map((receiver) => receiver.close()));
  });

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
  ])(
    'given a receiver that says %s, when it is posted to, then that is the answer, after one request',
    async (line, isTaken) => {
      const { receiver, url } = await receive(
        answer(line, line.startsWith('204') ? {} : { 'Retry-After': '17' }, 'ok'),
      );
      const got = await sender.post({ url, headers, body });
      expect(got).toMatchObject({ outcome: 'answered', status: Number(line.slice(0, 3)), remoteIp: '127.0.0.1' });
      expect(isAccepted(got)).toBe(isTaken);
      if (got.outcome === 'answered' && !line.startsWith('204'))
        expect(got).toMatchObject({ retryAfter: '17', head: 'ok' });
      expect(receiver.requests).toHaveLength(1);
    },
  );

  test('given a body of bytes, when it is posted, then it goes out byte for byte under our headers', async () => {
    const { receiver, url } = await receive(answer('200 OK'));
    await sender.post({ url, headers, body });
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

  test.each([301, 302, 303, 307, 308])(
    'given a redirect %d, when it is answered, then its target is never visited',
    async (status) => {
      const { receiver: target, url: elsewhere } = await receive(answer('200 OK'));
      const { url } = await receive(answer(`${status} Moved`, { Location: elsewhere }));
      expect(await sender.post({ url, headers, body })).toMatchObject({ outcome: 'answered', status });
      expect(target.connections()).toBe(0);
    },
  );

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
  ] as [string, RawReply][])(
    'given a receiver that %s, when it is posted to, then it is an http error',
    async (_name, reply) => {
      const { receiver, url } = await receive(reply);
      const got = await sender.post({ url, headers, body });
      expect(got).toMatchObject({ outcome: 'error', errorClass: 'http', remoteIp: '127.0.0.1' });
      expect(receiver.requests).toHaveLength(1);
    },
  );

  test('given nobody listens, when it is posted to, then it is a connect error', async () => {
    const { receiver, url } = await receive(answer('200 OK'));
    await receiver.close();
    receivers.splice(receivers.indexOf(receiver), 1);
    expect(await sender.post({ url, headers, body })).toMatchObject({ outcome: 'error', errorClass: 'connect' });
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
  ] as [string, RawReply][])(
    'given a receiver that %s, when the deadline passes, then it is a timeout and the socket is gone',
    async (_name, reply) => {
      const { receiver, url } = await receive(reply);
      const got = await hasty.post({ url, headers, body });
      expect(got).toMatchObject({ outcome: 'error', errorClass: 'timeout', remoteIp: '127.0.0.1' });
      expect(got.durationMs).toBeGreaterThanOrEqual(590);
      expect(got.durationMs).toBeLessThan(1_500);
      await eventually(() => expect(receiver.openSockets()).toBe(0), { withinMs: 2_000 });
    },
  );

  test('given an endless reply, when 20,000 bytes of it are read, then the status counts and the socket is gone', async () => {
    // given
    let offered = 0;
    const { receiver, url } = await receive((socket) => {
      const more = () => {
        while (!socket.destroyed && socket.write('é'.repeat(5_000))) offered += 10_000;
      };
      socket.on('drain', more);
      socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: identity\r\n\r\n');
      more();
    });
    // when
    const got = await sender.post({ url, headers, body });
    // then
    expect(got).toMatchObject({ outcome: 'answered', status: 200, head: 'é'.repeat(1_024) });
    await eventually(() => expect(receiver.openSockets()).toBe(0), { withinMs: 2_000 });
    // What lies in the two kernels' buffers was taken by them, not by us.
    expect(offered).toBeLessThan(20_000_000);
  });

  test('given a reply of just the length that is read, when it ends, then its connection is used again', async () => {
    const { receiver, url } = await receive(answer('200 OK', {}, 'x'.repeat(19_999)));
    for (let round = 0; round < 5; round += 1) {
      expect(await sender.post({ url, headers, body })).toMatchObject({ status: 200, head: 'x'.repeat(2_048) });
    }
    expect(receiver.connections()).toBe(1);
  });

  test('given more posts at once than sockets for an origin, when all are answered, then no more were opened', async () => {
    const narrow = newSender({ socketsPerOrigin: 3 });
    const { receiver, url } = await receive(answer('200 OK'));
    const answers = await Promise.all(Array.from({ length: 30 }, () => narrow.post({ url, headers, body })));
    expect(answers.every(isAccepted)).toBe(true);
    expect(receiver.connections()).toBe(3);
  });
});
