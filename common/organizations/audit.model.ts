import mongoose, { Schema } from 'mongoose';
import { modelOptions } from '../platform/model-options.ts';

/** Who has changed something: a user by his id, whoever runs a command by his account on that machine, or the service. */
export const actorKinds = ['user', 'cli', 'system'] as const;
export type AuditActor = { kind: (typeof actorKinds)[number]; id: string };

/** Every change that is written down; what comes before the dot is the kind of the subject. */
export const auditActions = [
  'organization.created',
  'user.created',
  'key.created',
  'key.revoked',
  'wallet.topped-up',
  'wallet.adjusted',
  'wallet.threshold-set',
  'tariff.imported',
  'tariff.removed',
  'client.created',
  'client.secret-rotated',
  'client.disabled',
  'letter.status-set',
] as const;
export type AuditAction = (typeof auditActions)[number];

/** One change by people, written once and never changed. */
export type AuditEntryRecord = {
  /** Carries `at`: ids sort by time. */
  _id: string;
  at: Date;
  actor: AuditActor;
  action: AuditAction;
  /** Whose affairs were changed; null for what belongs to the installation. */
  organizationId: string | null;
  subjectId: string;
  /** A few plain values; never a secret, nor anybody's name or address. */
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
    subjectId: text,
    detail: { type: Schema.Types.Mixed, required: true },
  },
  { ...modelOptions, collection: 'audit_entries' },
);
schema.index({ organizationId: 1, _id: -1 });

/** Refuses what would change or remove an entry. */
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
