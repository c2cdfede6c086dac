import { hash, verify } from '@node-rs/argon2';

/** OWASP's setting for argon2id: 19 MiB, two passes, one lane. */
const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** At least 12 characters, as NIST SP 800-63B advises for a password that stands alone; the maximum bounds the work. */
export const passwordLength = { min: 12, max: 200 };

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
