import type { Language } from '../languages.ts';
import { User } from './user.model.ts';

/** What pages and mails for this user are written in; null leaves it to his browser. */
export async function setLanguage(userId: string, language: Language | null): Promise<void> {
  await User.updateOne({ _id: userId }, { language });
}
