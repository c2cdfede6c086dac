import { createHmac } from 'node:crypto';

/** One attempt that is to be signed. */
export type Signing = {
  /** The secrets that are valid now, the current one first: one, or two while a rotation overlaps. */
  secrets: readonly string[];
  /** `whd_…`, the same in every attempt. */
  deliveryId: string;
  /** 1, 2, … */
  attempt: number;
  /** The event kind. */
  event: string;
  /** The stored bytes, exactly as they will be sent. */
  body: Buffer;
  /** The moment of this attempt: receivers refuse a signature that is older than 300 s. */
  at: Date;
  /** More headers; they never replace one of ours. */
  extra?: Readonly<Record<string, string>>;
};

const secretPrefix = 'whsec_';
const maxSecrets = 2;
const userAgent = 'Bluejay-Webhooks/1';

/**
 * All headers of one attempt: our own and the three of Standard Webhooks, over the same bytes and the same second.
 * Throws when there is no secret, or more than two.
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

/** Lower-case hex over `<t>.<raw body>`; the key is the secret as the customer saw it, in UTF-8. */
function ownSignature(secret: string, timestampS: number, body: Buffer): string {
  return createHmac('sha256', secret).update(`${timestampS}.`).update(body).digest('hex');
}

/** Standard Webhooks 1.0.0: base64 over `<id>.<t>.<raw body>`; the key is the secret's base64 part, decoded. */
function standardSignature(secret: string, id: string, timestampS: number, body: Buffer): string {
  const encoded = secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : secret;
  const key = Buffer.from(encoded, 'base64');
  return createHmac('sha256', key).update(`${id}.${timestampS}.`).update(body).digest('base64');
}
