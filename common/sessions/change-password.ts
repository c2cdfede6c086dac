import { isPasswordOf } from '../organizations/password.ts';
import { replacePassword } from '../organizations/set-password.ts';
import { User, type UserRecord } from '../organizations/user.model.ts';
import { removeSessionsOf } from './sessions.ts';

/**
 * Changes the password of a user who knows the current one, and ends all sessions of the user; the caller starts a new
 * one. `address` is where the request comes from. Returns null if the current password is wrong. Throws VALIDATION_ERROR
 * for an unacceptable new password.
 */
export async function changePassword(
  userId: string,
  { currentPassword, password, address }: { currentPassword: string; password: string; address: string },
  at: Date,
): Promise<UserRecord | null> {
  const user = await User.findById(userId).lean<UserRecord>();
  if (!user || !(await isPasswordOf(user.passwordHash, currentPassword, address))) return null;
  // A concurrent change made the current password wrong.
  if (!(await replacePassword(user, password, { action: 'user.password-changed', address, at }))) return null;
  await removeSessionsOf(userId);

  return await User.findById(userId).lean<UserRecord>();
}
