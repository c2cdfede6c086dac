import { availableParallelism } from 'node:os';
import { hash, verify } from '@node-rs/argon2';
import { AppError } from '../errors.ts';
import { createFairSemaphore, SemaphoreFullError, withPermit } from '../platform/concurrency/fair-semaphore.ts';

/** OWASP's parameters for argon2id: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/**
 * At least 12 characters, as NIST SP 800-63B advises for a password without a second factor. The maximum bounds the
 * work.
 */
export const passwordLength = { min: 12, max: 200 };

/**
 * Concurrent hashes: at most two, and one processor stays free if there are several. A hash takes a processor for about
 * 30 ms and one of libuv's four threads (UV_THREADPOOL_SIZE), which DNS look-ups and files also need. On two busy
 * processors, two concurrent hashes made API requests take up to five times as long, one at most twice as long.
 */
const maxConcurrent = Math.max(1, Math.min(2, availableParallelism() - 1));
/** Running and waiting hashes of all addresses. */
const maxHashes = 100;
/** Waiting hashes of one address. More would fill the queue for the others. */
const maxWaitingPerAddress = 10;

const permits = createFairSemaphore({
  permits: maxConcurrent,
  maxWaiting: maxHashes - maxConcurrent,
  maxWaitingPerGroup: maxWaitingPerAddress,
});

/** The address of operator commands, which have no visitor. */
export const commandAddress = 'command';

/**
 * Runs one hash when its address gets a permit. Throws RATE_LIMITED if too many hashes wait, of the address or in
 * total.
 */
async function whenPermitted<T>(address: string, work: () => Promise<T>): Promise<T> {
  try {
    return await withPermit(permits, address, work);
  } catch (error) {
    if (error instanceof SemaphoreFullError) throw new AppError('RATE_LIMITED', { retryAfterS: 1, cause: error });
    throw error;
  }
}

/**
 * Returns the argon2id hash of a password. `address` is the visitor's, or `commandAddress`; addresses share the
 * processor fairly. Throws RATE_LIMITED if too many hashes wait.
 */
export async function hashPassword(password: string, address: string): Promise<string> {
  return await whenPermitted(address, () => hash(password.normalize('NFKC'), cost));
}

/** The hash of discarded random bytes, at `cost`. */
const unknownAccountHash =
  '$argon2id$v=19$m=19456,t=2,p=1$ZxJlHUPKGU6e1gaZGV2aAw$wHG3kUYnIwBzkz1luAjJ9E3hDcIcyoXxMPq6zQ6UvMg';

/**
 * Returns whether the password matches the hash. For an unknown account (`null`) it does the same work and returns
 * false, so the response time does not reveal which accounts exist. `address` and errors as in `hashPassword`.
 */
export async function isPasswordOf(passwordHash: string | null, password: string, address: string): Promise<boolean> {
  const check = () => verify(passwordHash ?? unknownAccountHash, password.normalize('NFKC'));
  const isRight = await whenPermitted(address, check);
  return passwordHash !== null && isRight;
}
