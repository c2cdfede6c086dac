import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A delivery with its header, and whether a receiver must accept it at the time of its signature. */
export type WebhookVector = { title: string; body: string; header: string; accepted: boolean };

/**
 * A vector as it is stored. Times and signatures in `header` are placeholders, because example receivers use the real time.
 */
type Stored = {
  title: string;
  body?: string;
  /** What was signed in place of the body. */
  signedBody?: string;
  signedWith?: string;
  ageS?: number;
  header?: string;
  accepted: boolean;
};

const file = join(import.meta.dirname, '../../sdk/webhook-vectors.json');
const aBody = '{"event":"MAIL_POSTED","mailJobId":"mj_1","externalId":"order-1","status":"posted"}';

export const vectorTitles: readonly string[] = (JSON.parse(readFileSync(file, 'utf8')) as Stored[]).map(
  ({ title }) => title,
);

/** Returns the present in whole seconds, as signatures carry it. */
export function nowInSeconds(): number {
  return Math.floor(Date.now() / 1_000);
}

/**
 * Returns the vectors that both SDKs and the example receivers must judge alike, signed with this secret at `now` (in s).
 * The youngest that is too old and the oldest that is not are 2 s from the limit: judge them with the same clock.
 */
export function signVectors(secret: string, now = nowInSeconds()): WebhookVector[] {
  return (JSON.parse(readFileSync(file, 'utf8')) as Stored[]).map((stored) => {
    const { title, body = aBody, signedBody = body, signedWith = secret, ageS = 0, accepted } = stored;
    const t = now - ageS;
    const v1 = createHmac('sha256', signedWith).update(`${t}.${signedBody}`).digest('hex');
    const header = (stored.header ?? 't={t},v1={v1}')
      .replaceAll('{t}', String(t))
      .replaceAll('{now}', String(now))
      .replaceAll('{zeros}', '0'.repeat(64))
      .replaceAll('{v1:63}', v1.slice(0, 63))
      .replaceAll('{v1}', v1);
    return { title, body, header, accepted };
  });
}
