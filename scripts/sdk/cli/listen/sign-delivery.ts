import { createHmac, randomBytes } from 'node:crypto';

const idCharacters = '0123456789abcdefghjkmnpqrstvwxyz';
const idLength = 26;

/** What the headers of a forwarded event are made from. */
export type Delivery = { secret: string; event: string; body: Buffer };

/** Returns the headers of a webhook delivery, with both signatures and a new delivery id. */
export function signDelivery({ secret, event, body }: Delivery): Record<string, string> {
  const timestampS = Math.floor(Date.now() / 1_000);
  const id = `whd_${newIdPart()}`;
  const own = createHmac('sha256', secret).update(`${timestampS}.`).update(body).digest('hex');
  // Standard Webhooks 1.0.0: the key is the decoded base64 behind the prefix.
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const standard = createHmac('sha256', key).update(`${id}.${timestampS}.`).update(body).digest('base64');
  return {
    'content-type': 'application/json',
    'user-agent': 'Bluejay-Webhooks/1',
    'X-Service-Event': event,
    'X-Service-Delivery': id,
    'X-Service-Attempt': '1',
    'X-Service-Signature': `t=${timestampS},v1=${own}`,
    'webhook-id': id,
    'webhook-timestamp': String(timestampS),
    'webhook-signature': `v1,${standard}`,
  };
}

/** Returns a new signing secret, `whsec_` followed by base64. */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** Ids are TypeIDs: 128 bits in 26 characters, the first at most 7. */
function newIdPart(): string {
  const bytes = [...randomBytes(idLength)];
  return bytes.map((byte, index) => idCharacters[byte % (index === 0 ? 8 : 32)]).join('');
}
