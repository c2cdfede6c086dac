import type { UserRecord } from '../organizations/user.model.ts';
import { verifyUser } from '../organizations/verify-user.ts';
import type { GcraLimiter, LimitQuestion } from '../platform/gcra-limiter.ts';
import { sha256Hex } from '../secrets.ts';

export type SignInAttempt = {
  email: string;
  password: string;
  /** Where it comes from, as far as one visitor can be told from another by it. */
  address: string;
  /** The id of a browser on which this very account has signed in before; null for any other. */
  deviceId: string | null;
};

export type SignInResult =
  | { outcome: 'signed-in'; user: UserRecord }
  | { outcome: 'wrong' }
  | { outcome: 'throttled'; retryAfterS: number };

type Limit = Omit<LimitQuestion, 'key'>;

/** Passwords tried on one account from one address, or on a browser that it knows. One that fits clears the count. */
const guessLimit: Limit = { limit: 20, burst: 10 };
/** On all accounts from one address: wide, for offices behind one; never cleared, since one may own an account there. */
const addressLimit: Limit = { limit: 300, burst: 100 };
/** On one account from everywhere, against many addresses at once. */
const accountLimit: Limit = { limit: 120, burst: 60 };

/**
 * Finds out who signs in. Known and unknown accounts are throttled alike and cost the same work.
 *
 * Whoever guesses cannot lock the owner out: what was refused is not counted, so each limit opens again within a
 * minute; and a browser that knows the account is counted by itself alone, whatever goes on elsewhere.
 */
export async function signIn(attempt: SignInAttempt, limiter: GcraLimiter): Promise<SignInResult> {
  const questions = limitsOf(attempt);
  for (const question of questions) {
    const { isAllowed, retryAfterS } = await limiter.take(question);
    if (!isAllowed) return { outcome: 'throttled', retryAfterS };
  }
  const user = await verifyUser(attempt.email, attempt.password);
  if (!user) return { outcome: 'wrong' };
  const [guesses] = questions;
  if (guesses) await limiter.forget(guesses.key);

  return { outcome: 'signed-in', user };
}

/** What the attempt is counted by, the narrowest first, so that one account under attack uses up nothing wider. */
function limitsOf({ email, address, deviceId }: SignInAttempt): LimitQuestion[] {
  const account = accountKey(email);
  if (deviceId !== null) return [{ key: `sign-in:${account}:device:${deviceId}`, ...guessLimit }];
  return [
    { key: `sign-in:${account}:${address}`, ...guessLimit },
    { key: `sign-in:address:${address}`, ...addressLimit },
    { key: `sign-in:account:${account}`, ...accountLimit },
  ];
}

/** Not the address itself: what is typed may be of any length, and is nobody else's business. */
export function accountKey(email: string): string {
  return sha256Hex(email.trim().toLowerCase()).slice(0, 32);
}
