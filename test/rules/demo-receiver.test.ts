// Level: unit
import { signatureHeaders } from '#common/webhooks/egress/signature.ts';
import { findSignatureProblem } from '#scripts/demo/webhook-receiver.ts';
import { describe, expect, test } from '../support/jest.ts';

describe("the demonstration's signature check", () => {
  const secret = `whsec_${Buffer.alloc(32, 3).toString('base64')}`;
  const body = Buffer.from('{"event":"MAIL_POSTED","externalId":"é"}');
  const at = new Date('2026-03-01T12:00:00.000Z');
  const header = signatureHeaders({
    secrets: [secret],
    deliveryId: 'whd_1',
    attempt: 1,
    event: 'MAIL_POSTED',
    body,
    at,
  })['X-Service-Signature'];
  const later = (seconds: number) => at.getTime() + seconds * 1_000;

  test('a signed delivery is valid for 300 s', () => {
    expect(findSignatureProblem(header, body, secret, later(0))).toBeNull();
    expect(findSignatureProblem(header, body, secret, later(300))).toBeNull();
  });

  test.each([
    ['is 301 s old', header, body, secret, later(301), 'outdated'],
    ['has another body', header, Buffer.from('{}'), secret, later(0), 'wrong'],
    ['is checked with another secret', header, body, 'whsec_other', later(0), 'wrong'],
    ['has no signature', undefined, body, secret, later(0), 'without'],
    ['has a signature in capitals', header?.toUpperCase(), body, secret, later(0), 'without'],
  ])('a delivery that %s is refused', (_what, given, bytes, key, nowMs, reason) => {
    expect(findSignatureProblem(given, bytes, key, nowMs)).toMatch(reason);
  });
});
