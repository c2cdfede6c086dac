import type { KeyRing } from '../secrets.ts';
import type { EndpointRecord } from './endpoint.model.ts';
import { findPostTarget, type PostTarget } from './signing-secrets.ts';

/** How old the knowledge that a webhook is active may be. A deletion outwaits it while a worker holds the endpoint. */
export const gateAgeMs = 500;

/**
 * Asks where posts to an endpoint may start, null for nowhere: one look for all that ask within half a second. With
 * `maxAgeMs` 0 it looks at once.
 */
export type PostGate = (maxAgeMs?: number) => Promise<PostTarget | null>;

export function createPostGate(endpoint: EndpointRecord, keyRing: KeyRing): PostGate {
  let asked: Promise<PostTarget | null> = Promise.resolve(null);
  let askedAt = Number.NEGATIVE_INFINITY;

  return async (maxAgeMs = gateAgeMs) => {
    if (performance.now() - askedAt > maxAgeMs || maxAgeMs === 0) {
      askedAt = performance.now();
      asked = findPostTarget(endpoint, keyRing);
    }
    return await asked;
  };
}
