import { createHash } from 'node:crypto';
import { areEqualDigests } from '../secrets.ts';

/** What RFC 7636 allows for verifiers and challenges alike: 43 to 128 unreserved characters. */
const shape = /^[A-Za-z0-9._~-]{43,128}$/;

export function isChallenge(text: string): boolean {
  return shape.test(text);
}

/** Whether `verifier` is the one that the challenge was made from by S256 (RFC 7636, 4.6). */
export function isVerifierOf(challenge: string, verifier: string): boolean {
  const made = createHash('sha256').update(verifier).digest('base64url');
  return shape.test(verifier) && areEqualDigests(made, challenge);
}
