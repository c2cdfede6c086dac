import type { Owner } from '../modes.ts';
import type { Scope } from './scopes.ts';

/** Who calls: the result of authentication, handed to every handler. */
export type Credential = Owner & {
  kind: 'api-key';
  /** What the rate limit counts by. Never the secret. */
  id: string;
  scopes: readonly Scope[];
  /** Limits of its own, where the operator set them. */
  readsPerMinute: number | null;
  writesPerMinute: number | null;
};
