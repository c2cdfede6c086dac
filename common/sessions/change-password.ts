import { isPasswordOf } from '../organizations/password.ts';
import { replacePassword } from '../organizations/set-password.ts';
import { User, type UserRecord } from '../organizations/user.model.ts';
import { removeSessionsOf } from './sessions.ts';

/**
 * Changes the password of somebody who knows the present one, and ends all his sessions; the caller begins a new one.
 * Null when the present password is wrong. Throws VALIDATION_ERROR for a new one of a bad length.
 */
export async function changePassword(
  userId: string,
  { currentPassword, password }: { currentPassword: string; password: string },
): Promise<UserRecord | null> {
  const user = await User.findById(userId).lean<UserRecord>();
  if (!user || !(await isPasswordOf(user.passwordHash, currentPassword))) return null;
  // Another change that came in between has made the present password a wrong one.
  if (!(await replacePassword(userId, user.passwordVersion, password))) return null;
  await removeSessionsOf(userId);

  return await User.findById(userId).lean<UserRecord>();
}
