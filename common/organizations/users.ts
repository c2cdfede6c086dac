import type { Language } from '../languages.ts';
import { isPasswordOf } from './password.ts';
import { User, type UserRecord } from './user.model.ts';

export type UserRow = Pick<UserRecord, '_id' | 'email' | 'isAdmin' | 'createdAt'>;

const maxUsers = 500;

/** Returns the users of an organization in creation order, at most 500: more than any organization has. */
export async function listUsers(organizationId: string): Promise<UserRow[]> {
  return await User.find({ organizationId }, { email: 1, isAdmin: 1, createdAt: 1 })
    .sort({ _id: 1 })
    .limit(maxUsers)
    .lean<UserRow[]>();
}

/** Returns the approximate number of users in all organizations, from collection metadata. */
export async function countUsers(): Promise<number> {
  return await User.estimatedDocumentCount();
}

/** Sets the language of a user's pages and mails; null follows the browser. */
export async function setLanguage(userId: string, language: Language | null): Promise<void> {
  await User.updateOne({ _id: userId }, { language });
}

/**
 * Returns the user with this e-mail address and password, or null. Takes the same time for an unknown e-mail address as
 * for a wrong password. `address` (of the visitor) and errors as in `isPasswordOf`.
 */
export async function verifyUser(email: string, password: string, address: string): Promise<UserRecord | null> {
  const user = await User.findOne({ email: email.trim().toLowerCase() }).lean<UserRecord>();
  return (await isPasswordOf(user?.passwordHash ?? null, password, address)) ? user : null;
}
