import { z } from 'zod';
import type { AuditActor } from '../audit/audit.model.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { invalid } from '../errors.ts';
import { newId } from '../ids.ts';
import { isDuplicateKey } from '../platform/mongo/mongo.ts';
import { Organization } from './organization.model.ts';
import { hashPassword } from './password.ts';
import { assertPassword } from './password-rules.ts';
import { User, type UserRecord } from './user.model.ts';

type NewUser = {
  organizationId: string;
  email: string;
  password: string;
  isAdmin: boolean;
  /** Where the request comes from, as in `hashPassword`. */
  address: string;
};

/**
 * Creates a user. Throws VALIDATION_ERROR for an unknown organization, a malformed or used e-mail address, or an
 * unacceptable password.
 */
export async function createUser(
  { organizationId, email: typed, password, isAdmin, address }: NewUser,
  at: Date,
  by?: AuditActor,
): Promise<UserRecord> {
  const email = typed.trim().toLowerCase();
  if (!z.email().safeParse(email).success) throw invalid(['email'], 'Give an e-mail address.');
  const organization = await Organization.findById(organizationId, { name: 1 }).lean<{ name: string }>();
  if (!organization) throw invalid(['organizationId'], 'There is no such organization.');
  assertPassword(password, { email, organizationName: organization.name });
  const passwordHash = await hashPassword(password, address);
  const record: UserRecord = {
    _id: newId('usr'),
    organizationId,
    email,
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
