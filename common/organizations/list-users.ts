import { User, type UserRecord } from './user.model.ts';

export type UserRow = Pick<UserRecord, '_id' | 'email' | 'isAdmin' | 'createdAt'>;

/** More than any organization has. */
const maxUsers = 500;

/** The users of an organization, in the order in which they were made. */
export async function listUsers(organizationId: string): Promise<UserRow[]> {
  return await User.find({ organizationId }, { email: 1, isAdmin: 1, createdAt: 1 })
    .sort({ _id: 1 })
    .limit(maxUsers)
    .lean<UserRow[]>();
}

/** About how many there are in all organizations, by the collection's own count. */
export async function countUsers(): Promise<number> {
  return await User.estimatedDocumentCount();
}
