import { hash, verify } from '@node-rs/argon2';
import { invalid } from '../errors.ts';

/** OWASP's setting for argon2id: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** At least 12 characters, as NIST SP 800-63B advises for a password that stands alone; the maximum bounds the work. */
export const passwordLength = { min: 12, max: 200 };

/** Throws VALIDATION_ERROR for a password that is too short or too long. */
export function assertPasswordLength(password: string): void {
  if (password.length >= passwordLength.min && password.length <= passwordLength.max) return;
  throw invalid(['password'], `Give ${passwordLength.min} to ${passwordLength.max} characters.`);
}

export async function hashPassword(password: string): Promise<string> {
  return await hash(password.normalize('NFKC'), cost);
}

let unknownAccountHash: Promise<string> | undefined;

/**
 * Whether the password belongs to the hash. For an account that does not exist (`null`) the same work is done and the
 * answer is false, so that the time of the answer does not tell which accounts exist.
 */
export async function isPasswordOf(passwordHash: string | null, password: string): Promise<boolean> {
  unknownAccountHash ??= hashPassword('no account has this password');
  const isRight = await verify(passwordHash ?? (await unknownAccountHash), password.normalize('NFKC'));
  return passwordHash !== null && isRight;
}
