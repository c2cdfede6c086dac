import { createHash } from 'node:crypto';
import { areEqualDigests } from '../secrets.ts';

/** Verifiers and challenges are 43 to 128 unreserved characters (RFC 7636, 4.1 and 4.2). */
const shape = /^[A-Za-z0-9._~-]{43,128}$/;

export function isChallenge(text: string): boolean {
  return shape.test(text);
}

/** Returns whether `challenge` is the S256 challenge of `verifier` (RFC 7636, 4.6). */
export function isVerifierOf(challenge: string, verifier: string): boolean {
  const made = createHash('sha256').update(verifier).digest('base64url');
  return shape.test(verifier) && areEqualDigests(made, challenge);
}
