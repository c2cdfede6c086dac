import { createHmac } from 'node:crypto';

/** What the headers of one attempt are made from. */
export type Signing = {
  /** One valid secret, or two during a rotation overlap, the current one first. */
  secrets: readonly string[];
  /** `whd_…`, the same for every attempt. */
  deliveryId: string;
  /** From 1. */
  attempt: number;
  event: string;
  /** The exact bytes that are sent. */
  body: Buffer;
  /** Time of this attempt: receivers reject signatures older than 300 s. */
  at: Date;
  /** Additional headers, which cannot replace the others. */
  extra?: Readonly<Record<string, string>>;
};

const secretPrefix = 'whsec_';
const maxSecrets = 2;
const userAgent = 'Bluejay-Webhooks/1';

/**
 * Returns all headers of one attempt: our own signature and the three headers of Standard Webhooks, over the same bytes
 * and timestamp. Throws unless there are one or two secrets.
 */
export function signatureHeaders(signing: Signing): Record<string, string> {
  const { secrets, deliveryId, attempt, event, body, at, extra } = signing;
  if (secrets.length < 1 || secrets.length > maxSecrets)
    throw new Error('A delivery is signed with one or two secrets');
  const timestampS = Math.floor(at.getTime() / 1000);
  const own = secrets.map((secret) => `v1=${ownSignature(secret, timestampS, body)}`);
  const standard = secrets.map((secret) => `v1,${standardSignature(secret, deliveryId, timestampS, body)}`);

  return {
    ...extra,
    'content-type': 'application/json',
    'user-agent': userAgent,
    'X-Service-Event': event,
    'X-Service-Delivery': deliveryId,
    'X-Service-Attempt': String(attempt),
    'X-Service-Signature': `t=${timestampS},${own.join(',')}`,
    'webhook-id': deliveryId,
    'webhook-timestamp': String(timestampS),
    'webhook-signature': standard.join(' '),
  };
}

/** Lower-case hex HMAC-SHA256 of `<t>.<raw body>`. The key is the whole secret in UTF-8. */
function ownSignature(secret: string, timestampS: number, body: Buffer): string {
  return createHmac('sha256', secret).update(`${timestampS}.`).update(body).digest('hex');
}

/** Standard Webhooks 1.0.0: base64 HMAC-SHA256 of `<id>.<t>.<raw body>`. The key is the decoded base64 of the secret. */
function standardSignature(secret: string, id: string, timestampS: number, body: Buffer): string {
  const encoded = secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : secret;
  const key = Buffer.from(encoded, 'base64');
  return createHmac('sha256', key).update(`${id}.${timestampS}.`).update(body).digest('base64');
}
