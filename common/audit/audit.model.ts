import mongoose from 'mongoose';
import { modes } from '../modes.ts';
import * as row from '../platform/mongo/row.ts';

/**
 * Who acted. The id is: `user` the user id, `key` the key id, `application` the OAuth client id, `cli` the operator's
 * account on that machine, `system` the part of the service, `anonymous` always `visitor`.
 */
export const actorKinds = ['user', 'key', 'application', 'cli', 'system', 'anonymous'] as const;
export const actorFields = {
  kind: row.oneOf(actorKinds),
  id: row.text,
  /** Of an application: the consent under which it acted. */
  grantId: row.optional(row.text),
};
export type AuditActor = row.RecordOf<typeof actorFields>;

/** Every recorded action. The word before the dot is the kind of the subject. */
export const auditActions = [
  'organization.created',
  'organization.cover-pages-set',
  'organization.limit-set',
  'letterhead.set',
  'user.created',
  'user.signed-in',
  'user.sign-in-failed',
  'user.password-changed',
  'user.password-reset',
  'key.created',
  'key.revoked',
  'grant.created',
  'grant.revoked',
  'webhook.created',
  'webhook.moved',
  'webhook.enabled',
  'webhook.disabled',
  'webhook.secret-rotated',
  'webhook.deleted',
  'job-webhook-secret.revealed',
  'job-webhook-secret.rotated',
  'wallet.topped-up',
  'wallet.adjusted',
  'wallet.threshold-set',
  'tariff.imported',
  'tariff.removed',
  'client.created',
  'client.secret-rotated',
  'client.limit-set',
  'client.disabled',
  'letter.status-set',
  'letter.cancelled',
  'letter.redacted',
  'bulk.confirmed',
  'bulk.cancelled',
  'batch.closed-early',
  'batch.printed',
  'batch.posted',
  'batch.printed-again',
  'item.status-set',
  'item.reprinted',
  'item.tracked',
  'item.returned',
  'tracking-range.added',
  'tracking-range.closed',
  'tracking-range.skipped',
  'secrets.resealed',
  'work.paused',
  'work.resumed',
  'work.requeued',
] as const;
export type AuditAction = (typeof auditActions)[number];

const fields = {
  /** Contains `at`: ids sort by time. */
  _id: row.text,
  at: row.date,
  actor: row.part(actorFields),
  action: row.oneOf(auditActions),
  /** Null for actions that concern the whole installation. */
  organizationId: row.nullable(row.text),
  /** Null if the action concerns both modes or none. */
  mode: row.nullable(row.oneOf(modes)),
  subjectId: row.text,
  /** A few plain values; never secrets, names or addresses of people. */
  detail: row.mixed<Record<string, string | number | boolean | null>>(),
};
/** One action. Append-only. */
export type AuditEntryRecord = row.RecordOf<typeof fields>;

const schema = row.schemaOf('audit_entries', fields);
schema.index({ organizationId: 1, _id: -1 });
row.makeAppendOnly(schema, 'The audit log is append only');

export const AuditEntry = mongoose.model('AuditEntry', schema);
