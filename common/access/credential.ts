import type { Owner } from '../modes.ts';
import type { Scope } from './scopes.ts';

/** Who calls: the result of authentication, handed to every handler. */
export type Credential = Owner & {
  /** A key of the organization's own, or the access token of an application that it let in. */
  kind: 'api-key' | 'oauth';
  /** What the rate limit counts by: the key's id or the grant's. Never the secret. */
  id: string;
  scopes: readonly Scope[];
  /** Limits of its own, where the operator set them. */
  readsPerMinute: number | null;
  writesPerMinute: number | null;
};
