import mongoose, { Schema } from 'mongoose';
import { type Mode, modes } from '../modes.ts';
import { modelOptions } from '../platform/mongo/model-options.ts';

/**
 * Who acted. The id is: `user` the user id, `key` the key id, `application` the OAuth client id, `cli` the operator's
 * account on that machine, `system` the part of the service, `anonymous` always `visitor`.
 */
export const actorKinds = ['user', 'key', 'application', 'cli', 'system', 'anonymous'] as const;
export type AuditActor = { kind: (typeof actorKinds)[number]; id: string };

/** Every recorded action. The word before the dot is the kind of the subject. */
export const auditActions = [
  'organization.created',
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
  'secrets.resealed',
] as const;
export type AuditAction = (typeof auditActions)[number];

/** One action. Append-only. */
export type AuditEntryRecord = {
  /** Contains `at`: ids sort by time. */
  _id: string;
  at: Date;
  actor: AuditActor;
  action: AuditAction;
  /** Null for actions that concern the whole installation. */
  organizationId: string | null;
  /** Null if the action concerns both modes or none. */
  mode: Mode | null;
  subjectId: string;
  /** A few plain values; never secrets, names or addresses of people. */
  detail: Record<string, string | number | boolean | null>;
};

const text = { type: String, required: true };
const schema = new Schema<AuditEntryRecord>(
  {
    _id: text,
    at: { type: Date, required: true },
    actor: { type: new Schema({ kind: { type: String, enum: actorKinds, required: true }, id: text }, { _id: false }) },
    action: { type: String, enum: auditActions, required: true },
    organizationId: { type: String, default: null },
    mode: { type: String, enum: [...modes, null], default: null },
    subjectId: text,
    detail: { type: Schema.Types.Mixed, required: true },
  },
  { ...modelOptions, collection: 'audit_entries' },
);
schema.index({ organizationId: 1, _id: -1 });

function refuse(): never {
  throw new Error('The audit log is append only');
}
schema.pre(['updateOne', 'updateMany', 'replaceOne', 'findOneAndUpdate', 'findOneAndReplace'], refuse);
schema.pre(['deleteOne', 'deleteMany', 'findOneAndDelete'], refuse);
schema.pre(['updateOne', 'deleteOne'], { document: true, query: false }, refuse);
schema.pre('save', function () {
  if (!this.isNew) refuse();
});

export const AuditEntry = mongoose.model('AuditEntry', schema);
