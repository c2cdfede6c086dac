import { isPasswordOf } from './password.ts';
import { User, type UserRecord } from './user.model.ts';

/** The user with this e-mail and password, or null; as slow for an unknown e-mail as for a wrong password. */
export async function verifyUser(email: string, password: string): Promise<UserRecord | null> {
  const user = await User.findOne({ email: email.trim().toLowerCase() }).lean<UserRecord>();
  return (await isPasswordOf(user?.passwordHash ?? null, password)) ? user : null;
}
