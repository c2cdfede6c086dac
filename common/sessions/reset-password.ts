import { randomBytes } from 'node:crypto';
import { plusMs } from '../clock.ts';
import { replacePassword } from '../organizations/set-password.ts';
import { User, type UserRecord } from '../organizations/user.model.ts';
import { isDuplicateKey } from '../platform/mongo/mongo.ts';
import { sha256Hex } from '../secrets.ts';
import { forgetFailedSignIns } from './failed-sign-ins.ts';
import { PasswordReset, type PasswordResetRecord } from './password-reset.model.ts';
import { removeSessionsOf } from './sessions.ts';

/** How long a link is valid, in minutes. */
export const resetLinkMinutes = 60;
/** Valid links per user, so strangers who type the address cannot flood the inbox. */
const maxLinks = 3;

/**
 * Creates a reset link for the user with this e-mail address. Returns null if there is no such user or the user has
 * enough valid links.
 */
export async function createPasswordReset(
  email: string,
  at: Date,
): Promise<{ user: UserRecord; token: string } | null> {
  const user = await User.findOne({ email: email.trim().toLowerCase() }).lean<UserRecord>();
  if (!user) return null;
  const { _id: userId, passwordVersion } = user;
  const token = randomBytes(32).toString('base64url');
  const expiresAt = plusMs(at, resetLinkMinutes * 60_000);
  await PasswordReset.deleteMany({ userId, expiresAt: { $lte: at } });
  for (let place = 1; place <= maxLinks; place += 1) {
    try {
      await PasswordReset.create([{ _id: sha256Hex(token), userId, place, passwordVersion, expiresAt }]);
      return { user, token };
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
  }
  return null;
}

/** Removes a link that could not be mailed, so an unreachable mail server does not use up the user's links. */
export async function removePasswordReset(token: string): Promise<void> {
  await PasswordReset.deleteOne({ _id: sha256Hex(token) });
}

const findReset = (token: string, at: Date) =>
  PasswordReset.findOne({ _id: sha256Hex(token), expiresAt: { $gt: at } }).lean<PasswordResetRecord>();

/** Returns whether a link is still valid. */
export async function isResetTokenValid(token: string, at: Date): Promise<boolean> {
  const reset = await findReset(token, at);
  return reset !== null && (await User.exists({ _id: reset.userId, passwordVersion: reset.passwordVersion })) !== null;
}

/**
 * Sets the password of the link's user, uses up the link, ends all sessions and clears the day's failed sign-ins:
 * control of the mailbox is enough, whatever strangers tried. `address` is where the request comes from. Returns null
 * for an invalid link. Throws VALIDATION_ERROR for an unacceptable password and keeps the link.
 */
export async function resetPassword(
  { token, password, address }: { token: string; password: string; address: string },
  at: Date,
): Promise<UserRecord | null> {
  const reset = await findReset(token, at);
  const user = reset && (await User.findById(reset.userId).lean<UserRecord>());
  if (!reset || !user) return null;
  const { passwordVersion } = reset;
  // Of two concurrent requests, the version check lets one succeed. A refusal, also one for too many concurrent hashes,
  // keeps the link valid.
  const change = { action: 'user.password-reset', address, at } as const;
  if (!(await replacePassword({ ...user, passwordVersion }, password, change))) return null;
  await PasswordReset.deleteOne({ _id: reset._id });
  await removeSessionsOf(user._id);
  await forgetFailedSignIns(user.email);

  return await User.findById(user._id).lean<UserRecord>();
}
