import { recordAudit } from '../audit/record-audit.ts';
import type { UserRecord } from '../organizations/user.model.ts';
import { verifyUser } from '../organizations/users.ts';
import type { GcraLimiter, LimitCheck } from '../platform/rate-limit/gcra-limiter.ts';
import { accountKey, countAttempt, undoAttempt } from './failed-sign-ins.ts';

export type SignInAttempt = {
  email: string;
  password: string;
  /** The visitor's network address, for limits and the queue of password hashes. */
  address: string;
  /** The id of a browser that has signed in to this account before; null for any other. */
  deviceId: string | null;
};

export type SignInResult =
  | { outcome: 'signed-in'; user: UserRecord }
  | { outcome: 'wrong' }
  | { outcome: 'throttled'; retryAfterS: number };

type Limit = Omit<LimitCheck, 'key'>;

/** Guesses for one account from one address, or in one known browser. A successful sign-in resets it. */
const guessLimit: Limit = { limit: 20, burst: 10 };
/**
 * Guesses for all accounts from one address. High, for offices behind one address. Never reset, because an attacker may
 * own an account there.
 */
const addressLimit: Limit = { limit: 300, burst: 100 };
/** Guesses for one account from all addresses, against distributed attacks. */
const accountLimit: Limit = { limit: 120, burst: 60 };
/**
 * Successful sign-ins to one account, also from known browsers. Each creates a session with limits of its own, resets
 * the guesses, and adds a permanent entry to the audit log. A right password beyond the limit does none of that. The
 * limits of guesses bound the hashes that it costs.
 */
const successLimit: Limit = { limit: 120, burst: 60 };

/**
 * Signs a user in. Known and unknown accounts have the same limits and cost the same work.
 *
 * A stranger cannot lock the owner out by guessing. The limits per minute do not count refused attempts, so each opens
 * again within a minute. The daily limit of failures lasts until the day ends, but only for unknown browsers: each
 * known browser has a count of its own, and a password reset clears the count and makes the browser known.
 */
export async function signIn(attempt: SignInAttempt, limiter: GcraLimiter, at: Date): Promise<SignInResult> {
  const checks = limitsOf(attempt);
  // Count before the password is checked: otherwise many concurrent guesses would all be checked.
  for (const check of checks) {
    const { isAllowed, retryAfterS } = await limiter.take(check);
    if (!isAllowed) return { outcome: 'throttled', retryAfterS };
  }
  const { isAllowed, retryAfterS } = await countAttempt(attempt, at);
  if (!isAllowed) return { outcome: 'throttled', retryAfterS };
  let user: UserRecord | null;
  try {
    user = await verifyUser(attempt.email, attempt.password, attempt.address);
  } catch (error) {
    // The password was not checked.
    await undoAttempt(attempt, at);
    throw error;
  }
  if (!user) return { outcome: 'wrong' };
  await undoAttempt(attempt, at);
  // Count only now: wrong passwords, even those being checked, must not use up the owner's successes.
  const success = await limiter.take({ key: `sign-in:successes:${accountKey(attempt.email)}`, ...successLimit });
  if (!success.isAllowed) return { outcome: 'throttled', retryAfterS: success.retryAfterS };
  const [guesses] = checks;
  if (guesses) await limiter.reset(guesses.key);
  const { _id: userId, organizationId } = user;
  const detail = { isKnownBrowser: attempt.deviceId !== null };
  const entry = { action: 'user.signed-in', subjectId: userId, organizationId, detail } as const;
  await recordAudit(entry, { kind: 'user', id: userId }, at);

  return { outcome: 'signed-in', user };
}

/** Returns the limits of an attempt, narrowest first, so an attack on one account does not use up the wider ones. */
function limitsOf({ email, address, deviceId }: SignInAttempt): LimitCheck[] {
  const account = accountKey(email);
  if (deviceId !== null) {
    return [{ key: `sign-in:${account}:device:${deviceId}`, ...guessLimit }];
  }
  return [
    { key: `sign-in:${account}:${address}`, ...guessLimit },
    { key: `sign-in:address:${address}`, ...addressLimit },
    { key: `sign-in:account:${account}`, ...accountLimit },
  ];
}
