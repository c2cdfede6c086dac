// Level: unit
import { createHmac, timingSafeEqual } from 'node:crypto';
import fc from 'fast-check';
import { newWebhookSecret } from '#common/secrets.ts';
import { type Signing, signatureHeaders } from '#common/webhooks/egress/signature.ts';
import { describe, expect, forAny, test } from '#test/support/jest.ts';

/** The published example of Standard Webhooks. Expected values were computed with the openssl command. */
const example: Signing = {
  secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  deliveryId: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  attempt: 1,
  event: 'MAIL_POSTED',
  body: Buffer.from('{"test": 2432232314}'),
  at: new Date(1614265330_000),
};

/** Verifies as a customer would by the specification. */
function isGenuine(headers: Record<string, string>, body: Buffer, secret: string, nowS: number): boolean {
  const parts = (headers['X-Service-Signature'] ?? '').split(',').map((part) => part.split('='));
  const timestampS = Number(parts.find(([name]) => name === 't')?.[1]);
  if (Math.abs(nowS - timestampS) > 300) return false;
  const text = Buffer.concat([Buffer.from(`${timestampS}.`), body]);
  const wanted = Buffer.from(createHmac('sha256', Buffer.from(secret, 'utf8')).update(text).digest('hex'));
  return parts.some(
    ([name, hex = '']) => name === 'v1' && hex.length === wanted.length && timingSafeEqual(Buffer.from(hex), wanted),
  );
}

describe('the signature headers of a delivery', () => {
  test('match the values of openssl for the published example', () => {
    expect(signatureHeaders(example)).toEqual({
      'content-type': 'application/json',
      'user-agent': expect.stringMatching(/^Bluejay-Webhooks\//),
      'X-Service-Event': 'MAIL_POSTED',
      'X-Service-Delivery': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'X-Service-Attempt': '1',
      'X-Service-Signature': 't=1614265330,v1=2e37df5d4a028c51a7f3133d64ae1e300d2c2c900f1b1d49d4369ad2530f8964',
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  test('verify for the exact bytes and nothing else', () => {
    forAny([fc.uint8Array({ maxLength: 3000 }), fc.integer({ min: 1, max: 4_000_000_000 })], (bytes, timeS) => {
      const [body, secret] = [Buffer.from(bytes), newWebhookSecret()];
      const headers = signatureHeaders({ ...example, secrets: [secret], body, at: new Date(timeS * 1000 + 999) });
      expect(isGenuine(headers, body, secret, timeS)).toBe(true);
      expect(isGenuine(headers, Buffer.concat([body, Buffer.from(' ')]), secret, timeS)).toBe(false);
      expect(isGenuine(headers, body, newWebhookSecret(), timeS)).toBe(false);
    });
  });

  test('cover the bytes of the body, in any script', () => {
    const secret = newWebhookSecret();
    const body = Buffer.from(JSON.stringify({ externalId: 'é"ß\u{1F4EE}\\'.repeat(51) }));
    const headers = signatureHeaders({ ...example, secrets: [secret], body });
    expect(isGenuine(headers, body, secret, 1614265330)).toBe(true);
  });

  test('have two signatures during a rotation, the current one first', () => {
    const [current, former] = [newWebhookSecret(), newWebhookSecret()];
    const alone = signatureHeaders({ ...example, secrets: [current] });
    const headers = signatureHeaders({ ...example, secrets: [current, former] });
    expect(headers['X-Service-Signature']).toMatch(/^t=1614265330,v1=[0-9a-f]{64},v1=[0-9a-f]{64}$/);
    expect(headers['X-Service-Signature']?.startsWith(`${alone['X-Service-Signature']},`)).toBe(true);
    expect(headers['webhook-signature']?.startsWith(`${alone['webhook-signature']} v1,`)).toBe(true);
    for (const secret of [current, former]) expect(isGenuine(headers, example.body, secret, 1614265330)).toBe(true);
  });

  test('of a retry have a new time and signature and the same id', () => {
    const secret = newWebhookSecret();
    const first = signatureHeaders({ ...example, secrets: [secret] });
    const laterS = 1614265330 + 6 * 3600;
    const retry = signatureHeaders({ ...example, secrets: [secret], attempt: 7, at: new Date(laterS * 1000) });
    expect(retry).toMatchObject({ 'X-Service-Attempt': '7', 'webhook-timestamp': String(laterS) });
    expect(retry['webhook-id']).toBe(first['webhook-id']);
    expect(isGenuine(retry, example.body, secret, laterS + 299)).toBe(true);
    expect(isGenuine(first, example.body, secret, laterS)).toBe(false);
  });

  test('cannot be replaced by additional headers', () => {
    const headers = signatureHeaders({ ...example, extra: { 'X-Trace': 'a', 'X-Service-Event': 'MAIL_FAILED' } });
    expect(headers).toMatchObject({ 'X-Trace': 'a', 'X-Service-Event': 'MAIL_POSTED' });
  });

  test.each([0, 3])('cannot be made from %d secrets', (count) => {
    const secrets = Array.from({ length: count }, newWebhookSecret);
    expect(() => signatureHeaders({ ...example, secrets })).toThrow('one or two');
  });
});
