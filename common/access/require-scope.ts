import { AppError } from '../errors.ts';
import type { Credential } from './credential.ts';
import type { Scope } from './scopes.ts';

type Caller = Pick<Credential, 'scopes' | 'id'>;

/** Creates the error of a credential that lacks a scope. */
export function lacksScope(missingScope: Scope, message = `The credential lacks the scope ${missingScope}.`): AppError {
  return new AppError('FORBIDDEN', { message, missingScope });
}

/**
 * Returns whether a caller may see what a credential has made. Security: an externalId can be guessed, and people pass
 * ids on. Without `read`, only the credential that made something sees its content.
 */
export function mayRead({ scopes, id }: Caller, made: { credentialId: string }): boolean {
  return scopes.includes('read') || made.credentialId === id;
}

/** Throws FORBIDDEN for a credential that may not see what the answer shows: `the letter`, for example. */
export function requireReadable(caller: Caller, made: { credentialId: string }, what: string): void {
  if (mayRead(caller, made)) return;
  throw lacksScope('read', `The answer shows ${what}: this needs the scope read, or the credential that made it.`);
}
