import { z } from 'zod';
import { invalid } from '../errors.ts';
import { newId } from '../ids.ts';
import { isDuplicateKey } from '../platform/mongo.ts';
import { Organization } from './organization.model.ts';
import { hashPassword, passwordLength } from './password.ts';
import { User, type UserRecord } from './user.model.ts';

type NewUser = { organizationId: string; email: string; password: string; isAdmin: boolean };

/** Stores a user. Throws VALIDATION_ERROR for an unknown organization, a used or malformed e-mail, a short password. */
export async function createUser({ organizationId, email, password, isAdmin }: NewUser, at: Date): Promise<UserRecord> {
  const address = email.trim().toLowerCase();
  if (!z.email().safeParse(address).success) throw invalid(['email'], 'Give an e-mail address.');
  if (password.length < passwordLength.min || password.length > passwordLength.max) {
    throw invalid(['password'], `Give ${passwordLength.min} to ${passwordLength.max} characters.`);
  }
  if (!(await Organization.exists({ _id: organizationId }))) {
    throw invalid(['organizationId'], 'There is no such organization.');
  }
  const passwordHash = await hashPassword(password);
  const record: UserRecord = {
    _id: newId('usr'),
    organizationId,
    email: address,
    passwordHash,
    isAdmin,
    createdAt: at,
  };
  try {
    await User.create([record]);
  } catch (error) {
    if (isDuplicateKey(error)) throw invalid(['email'], 'A user with this e-mail address exists already.');
    throw error;
  }
  return record;
}
