import { invalid } from '../errors.ts';
import { assertPasswordLength, hashPassword } from './password.ts';
import { User } from './user.model.ts';

/**
 * Gives a user another password, which ends every session of his.
 * Throws VALIDATION_ERROR for an unknown e-mail or a password of a bad length.
 */
export async function setPassword(email: string, password: string): Promise<void> {
  assertPasswordLength(password);
  const change = await passwordChange(password);
  const { matchedCount } = await User.updateOne({ email: email.trim().toLowerCase() }, change);
  if (matchedCount === 0) throw invalid(['email'], 'There is no user with this e-mail address.');
}

/**
 * The same for a user who stands at `passwordVersion`; false when another change came first, which then stands.
 * Throws VALIDATION_ERROR for a password of a bad length.
 */
export async function replacePassword(userId: string, passwordVersion: number, password: string): Promise<boolean> {
  assertPasswordLength(password);
  const change = await passwordChange(password);
  const { matchedCount } = await User.updateOne({ _id: userId, passwordVersion }, change);
  return matchedCount === 1;
}

async function passwordChange(password: string) {
  return { $set: { passwordHash: await hashPassword(password) }, $inc: { passwordVersion: 1 } };
}
