import { z } from 'zod';
import { invalid } from '../errors.ts';
import { newId } from '../ids.ts';
import { isDuplicateKey } from '../platform/mongo.ts';
import type { AuditActor } from './audit.model.ts';
import { Organization } from './organization.model.ts';
import { assertPasswordLength, hashPassword } from './password.ts';
import { recordAudit } from './record-audit.ts';
import { User, type UserRecord } from './user.model.ts';

type NewUser = { organizationId: string; email: string; password: string; isAdmin: boolean };

/** Stores a user. Throws VALIDATION_ERROR for an unknown organization, a used or malformed e-mail, a short password. */
export async function createUser(
  { organizationId, email, password, isAdmin }: NewUser,
  at: Date,
  by?: AuditActor,
): Promise<UserRecord> {
  const address = email.trim().toLowerCase();
  if (!z.email().safeParse(address).success) throw invalid(['email'], 'Give an e-mail address.');
  assertPasswordLength(password);
  if (!(await Organization.exists({ _id: organizationId }))) {
    throw invalid(['organizationId'], 'There is no such organization.');
  }
  const passwordHash = await hashPassword(password);
  const record: UserRecord = {
    _id: newId('usr'),
    organizationId,
    email: address,
    passwordHash,
    passwordVersion: 0,
    language: null,
    isAdmin,
    createdAt: at,
  };
  try {
    await User.create([record]);
  } catch (error) {
    if (isDuplicateKey(error)) throw invalid(['email'], 'A user with this e-mail address exists already.');
    throw error;
  }
  await recordAudit({ action: 'user.created', subjectId: record._id, organizationId, detail: { isAdmin } }, by, at);

  return record;
}
