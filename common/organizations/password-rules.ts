import { dictionary } from '@zxcvbn-ts/language-common';
import { invalid } from '../errors.ts';
import { passwordLength } from './password.ts';

/** What others may know about an account. */
export type PasswordOwner = { email: string; organizationName: string };

const lengthSentence = `Give ${passwordLength.min} to ${passwordLength.max} characters.`;

/** The problems of a password, by the key of their text on pages, each with its message for other callers. */
export const passwordProblems = {
  passwordTooShort: lengthSentence,
  passwordTooLong: lengthSentence,
  passwordCommon: 'This password is one of those that are tried first. Choose a few words that only you would combine.',
  passwordOwn: 'This password is made of the e-mail address or the name of the organization. Choose another one.',
} as const;
export type PasswordProblem = keyof typeof passwordProblems;

/** The 49,000 most frequent passwords in published lists, lower case (zxcvbn-ts, MIT). */
const commonPasswords = new Set(dictionary['passwords-common']);
/** Fewer added letters and digits than this do not make a known word safe. */
const minOwnCharacters = 8;
/** Shorter parts of a name occur in too many good passwords. */
const minWordLength = 4;
const sequences = ['0123456789'.repeat(2), 'abcdefghijklmnopqrstuvwxyz', 'qwertyuiopasdfghjklzxcvbnm'];

/**
 * Throws VALIDATION_ERROR at `["password"]` for a password that is too short, too long, common, or derived from the
 * account (NIST SP 800-63B, 5.1.1.2).
 */
export function assertPassword(password: string, owner: PasswordOwner): void {
  const problem = findPasswordProblem(password, owner);
  if (problem) throw invalid(['password'], passwordProblems[problem]);
}

/** Returns the problem of a password, or null. Ignores case, width and accents of letters. */
export function findPasswordProblem(password: string, owner: PasswordOwner): PasswordProblem | null {
  if (password.length < passwordLength.min) return 'passwordTooShort';
  if (password.length > passwordLength.max) return 'passwordTooLong';
  const plain = simplify(password);
  if (isBasedOnAccount(plain, owner)) return 'passwordOwn';
  const spellings = [password.toLowerCase(), ...(plain.length >= minOwnCharacters ? [plain] : [])];
  return spellings.some(isCommon) ? 'passwordCommon' : null;
}

/** Returns the letters and digits only, lower case, without accents. */
function simplify(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]/gu, '');
}

function isBasedOnAccount(plain: string, { email, organizationName }: PasswordOwner): boolean {
  const [localPart = '', domain = ''] = email.split('@');
  const words = [email, localPart, domain, domain.split('.')[0] ?? '', organizationName].map(simplify);
  return words.some((word) => {
    if (word.length < minWordLength || !plain.includes(word)) return false;
    return plain.replaceAll(word, '').length < minOwnCharacters;
  });
}

function isCommon(plain: string): boolean {
  const [unit = plain] = /^(.+?)\1+$/u.exec(plain)?.slice(1) ?? [];
  if (unit.length < minWordLength) return true;
  return [plain, unit].some((text) => isKnown(text));
}

/** Returns whether the text is a common password, alone or with a few digits and signs around it. */
function isKnown(text: string): boolean {
  if (commonPasswords.has(text) || sequences.some((sequence) => isPartOf(sequence, text))) return true;
  const core = text.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, '');
  const added = text.length - core.length;
  return core.length >= minWordLength && added < minOwnCharacters && commonPasswords.has(core);
}

function isPartOf(sequence: string, text: string): boolean {
  return sequence.includes(text) || [...sequence].reverse().join('').includes(text);
}
