import type { AuditActor } from '../audit/audit.model.ts';
import type { Owner } from '../modes.ts';
import type { OrganizationQuota } from '../organizations/quota-reader.ts';
import type { Scope } from './scopes.ts';

/** The authenticated caller, passed to every handler. */
export type Credential = Owner & {
  /** An API key of the organization, or an access token of an OAuth application. */
  kind: 'api-key' | 'oauth';
  /** The rate limit key: the id of the API key or grant. Never the secret. */
  id: string;
  /** The caller in the audit log: the API key or the application. */
  actor: AuditActor;
  scopes: readonly Scope[];
  /** Of an API key, if it has one. Null for an access token, whose application has a name. */
  name: string | null;
  /** When the API key was created, or the access granted. */
  createdAt: Date;
  /** When an access token expires. Null for an API key. */
  expiresAt: Date | null;
  /** The only resource that an access token is for (RFC 8707); null or absent for the whole API. */
  resource?: string | null;
  /** Rate limits set by the operator for this credential; null for the default. */
  readsPerMinute: number | null;
  writesPerMinute: number | null;
  /** Rate limits set by the operator for all credentials of the organization together. */
  organizationQuota?: OrganizationQuota;
};
