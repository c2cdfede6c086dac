import { recordAudit } from '../audit/record-audit.ts';
import { invalid } from '../errors.ts';
import { inTransaction } from '../platform/mongo/transaction.ts';
import { commandAddress, hashPassword } from './password.ts';
import { assertPassword } from './password-rules.ts';
import { readOrganization } from './read-organizations.ts';
import { User, type UserRecord } from './user.model.ts';

/**
 * Sets a user's password, which ends all sessions of the user. For commands. Throws VALIDATION_ERROR for an unknown
 * e-mail address or an unacceptable password.
 */
export async function setPassword(email: string, password: string): Promise<void> {
  const user = await User.findOne({ email: email.trim().toLowerCase() }).lean<UserRecord>();
  if (!user) throw invalid(['email'], 'There is no user with this e-mail address.');
  await assertPasswordOf(user, password);
  await User.updateOne({ _id: user._id }, await passwordChange(password, commandAddress));
}

async function assertPasswordOf({ email, organizationId }: UserRecord, password: string): Promise<void> {
  const { name: organizationName } = await readOrganization(organizationId);
  assertPassword(password, { email, organizationName });
}

/**
 * Replaces the password of a user at `passwordVersion` and records it in the audit log as the user's own action.
 * `address` is where the request comes from. Returns false if another change came first. Throws VALIDATION_ERROR for an
 * unacceptable password, and RATE_LIMITED as `hashPassword` does.
 */
export async function replacePassword(
  user: UserRecord,
  password: string,
  { action, address, at }: { action: 'user.password-changed' | 'user.password-reset'; address: string; at: Date },
): Promise<boolean> {
  await assertPasswordOf(user, password);
  const { _id: userId, organizationId, passwordVersion } = user;
  const change = await passwordChange(password, address);
  return await inTransaction(async (transaction) => {
    const session = { session: transaction };
    const { matchedCount } = await User.updateOne({ _id: userId, passwordVersion }, change, session);
    if (matchedCount === 0) return false;
    const entry = { action, subjectId: userId, organizationId };
    await recordAudit(entry, { kind: 'user', id: userId }, at, transaction);
    return true;
  });
}

async function passwordChange(password: string, address: string) {
  return { $set: { passwordHash: await hashPassword(password, address) }, $inc: { passwordVersion: 1 } };
}
