import { invalid } from '../errors.ts';
import { hashPassword, passwordLength } from './password.ts';
import { User } from './user.model.ts';

/** Gives a user another password. Throws VALIDATION_ERROR for an unknown e-mail or a password of a bad length. */
export async function setPassword(email: string, password: string): Promise<void> {
  if (password.length < passwordLength.min || password.length > passwordLength.max) {
    throw invalid(['password'], `Give ${passwordLength.min} to ${passwordLength.max} characters.`);
  }
  const passwordHash = await hashPassword(password);
  const { matchedCount } = await User.updateOne({ email: email.trim().toLowerCase() }, { passwordHash });
  if (matchedCount === 0) throw invalid(['email'], 'There is no user with this e-mail address.');
}
