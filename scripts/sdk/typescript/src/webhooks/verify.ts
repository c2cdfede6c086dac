import type { Schemas } from '../api/types.ts';
import { WebhookVerificationError } from '../errors.ts';

/** The body of a delivery. `event` tells the kinds apart. More kinds may be added. */
export type WebhookEvent =
  | Schemas['MailQueuedEvent']
  | Schemas['MailPrintedEvent']
  | Schemas['MailPostedEvent']
  | Schemas['MailDeliveredEvent']
  | Schemas['MailFailedEvent']
  | Schemas['ItemReturnedEvent']
  | Schemas['BulkCompletedEvent'];

/** The headers of a delivery, or the value of `X-Service-Signature`. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>> | string | null;

export type VerifyOptions = {
  /** How old a delivery may be, in seconds. 300 by default, as the API demands. */
  toleranceS?: number;
  /** The present in ms, for tests. */
  nowMs?: number;
};

const defaultToleranceS = 300;
const signatureHeader = 'x-service-signature';
const encoder = new TextEncoder();

/**
 * Checks the signature of a delivery in constant time and returns its event. `rawBody` is the body as it arrived, not
 * parsed. Any of several `v1=` values may fit, because a rotated secret signs beside the new one for a while. Throws a
 * `WebhookVerificationError` whose code is `INVALID_SIGNATURE` or `TOO_OLD`.
 */
export async function verifyWebhook(
  rawBody: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string,
  { toleranceS = defaultToleranceS, nowMs = Date.now() }: VerifyOptions = {},
): Promise<WebhookEvent> {
  if (!secret) throw new TypeError('Give the secret of the webhook.');
  const body = typeof rawBody === 'string' ? encoder.encode(rawBody) : rawBody;
  const parts = readSignature(headers).split(',');
  const time = parts.find((part) => part.startsWith('t='))?.slice(2) ?? '';
  const isSigned = /^\d{1,12}$/.test(time) && (await fitsAny(parts, concat(encoder.encode(`${time}.`), body), secret));
  if (!isSigned) throw refuse('INVALID_SIGNATURE', 'The signature of the delivery does not fit its body.');
  const ageS = nowMs / 1_000 - Number(time);
  if (ageS > toleranceS) throw refuse('TOO_OLD', `The delivery is older than ${toleranceS} s.`);
  return JSON.parse(new TextDecoder().decode(body));
}

function readSignature(headers: WebhookHeaders): string {
  if (headers === null || typeof headers === 'string') return headers ?? '';
  if (headers instanceof Headers) return headers.get(signatureHeader) ?? '';
  const [, value = ''] = Object.entries(headers).find(([name]) => name.toLowerCase() === signatureHeader) ?? [];
  return typeof value === 'string' ? value : value.join(',');
}

/** `crypto.subtle.verify` compares in constant time. */
async function fitsAny(parts: readonly string[], signed: Uint8Array<ArrayBuffer>, secret: string): Promise<boolean> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', encoder.encode(secret), algorithm, false, ['verify']);
  const signatures = parts.flatMap((part) => /^v1=([0-9a-f]{64})$/.exec(part)?.[1] ?? []);
  const checks = signatures.map((hex) => crypto.subtle.verify('HMAC', key, fromHex(hex), signed));
  return (await Promise.all(checks)).includes(true);
}

function fromHex(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(hex.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
}

function concat(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

function refuse(code: 'INVALID_SIGNATURE' | 'TOO_OLD', message: string): WebhookVerificationError {
  return new WebhookVerificationError({ code, message, status: 401 });
}
