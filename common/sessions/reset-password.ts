import { randomBytes } from 'node:crypto';
import { plusMs } from '../clock.ts';
import { assertPasswordLength } from '../organizations/password.ts';
import { replacePassword } from '../organizations/set-password.ts';
import { User, type UserRecord } from '../organizations/user.model.ts';
import { sha256Hex } from '../secrets.ts';
import { PasswordReset, type PasswordResetRecord } from './password-reset.model.ts';
import { removeSessionsOf } from './sessions.ts';

/** How long a link is good for, in minutes. */
export const resetLinkMinutes = 60;
/** Links of one user that are good at the same time: nobody's inbox is flooded by strangers who type his address. */
const maxLinks = 3;

/** A link's token for the user with this e-mail; null when there is none, or when he has been sent enough. */
export async function createPasswordReset(
  email: string,
  at: Date,
): Promise<{ user: UserRecord; token: string } | null> {
  const user = await User.findOne({ email: email.trim().toLowerCase() }).lean<UserRecord>();
  if (!user) return null;
  const { _id: userId, passwordVersion } = user;
  if ((await PasswordReset.countDocuments({ userId, expiresAt: { $gt: at } })) >= maxLinks) return null;
  const token = randomBytes(32).toString('base64url');
  const expiresAt = plusMs(at, resetLinkMinutes * 60_000);
  await PasswordReset.create([{ _id: sha256Hex(token), userId, passwordVersion, expiresAt }]);

  return { user, token };
}

/** Whether a link is still good. */
export async function isResetTokenGood(token: string, at: Date): Promise<boolean> {
  const reset = await PasswordReset.findOne({
    _id: sha256Hex(token),
    expiresAt: { $gt: at },
  }).lean<PasswordResetRecord>();
  return reset !== null && (await User.exists({ _id: reset.userId, passwordVersion: reset.passwordVersion })) !== null;
}

/**
 * Sets the password of the link's user, uses the link up and ends all his sessions. Null when the link is not good.
 * Throws VALIDATION_ERROR for a password of a bad length, and then leaves the link as it was.
 */
export async function resetPassword(token: string, password: string, at: Date): Promise<UserRecord | null> {
  assertPasswordLength(password);
  const reset = await PasswordReset.findOneAndDelete({
    _id: sha256Hex(token),
    expiresAt: { $gt: at },
  }).lean<PasswordResetRecord>();
  if (!reset || !(await replacePassword(reset.userId, reset.passwordVersion, password))) return null;
  await removeSessionsOf(reset.userId);

  return await User.findById(reset.userId).lean<UserRecord>();
}
