import mongoose, { Schema } from 'mongoose';
import { type Mode, modes } from '../modes.ts';
import { modelOptions } from '../platform/mongo/model-options.ts';

/** The kinds of notices. They do not go through webhooks, because a webhook may be what is broken. */
export const noticeKinds = ['WEBHOOK_DISABLED', 'LOW_BALANCE'] as const;
export type NoticeKind = (typeof noticeKinds)[number];

export type NoticeRecord = {
  /** `ntc_…`. */
  _id: string;
  organizationId: string;
  mode: Mode;
  kind: NoticeKind;
  /** The id of the webhook or wallet concerned. */
  subjectId: string;
  /** Identifies the cause. Unique: each cause has one notice. */
  key: string;
  /** Values for the texts. Never a secret. */
  data: Record<string, string | number>;
  at: Date;
  /** When all users had received it by e-mail; null until then. */
  mailedAt: Date | null;
  /** When to mail it next; null if nothing is left to do. */
  mailAt: Date | null;
  /** Rounds of mailing started so far. */
  mailRounds: number;
  /** Ids of users who received it. A later round skips them. */
  mailedTo: string[];
};

const schema = new Schema<NoticeRecord>(
  {
    _id: { type: String, required: true },
    organizationId: { type: String, required: true },
    mode: { type: String, enum: modes, required: true },
    kind: { type: String, enum: noticeKinds, required: true },
    subjectId: { type: String, required: true },
    key: { type: String, required: true },
    data: { type: Schema.Types.Mixed, required: true },
    at: { type: Date, required: true },
    mailedAt: { type: Date, default: null },
    mailAt: { type: Date, default: null },
    mailRounds: { type: Number, default: 0 },
    mailedTo: { type: [String], default: [] },
  },
  { ...modelOptions, collection: 'notices', minimize: false },
);
schema.index({ key: 1 }, { unique: true });
schema.index({ organizationId: 1, mode: 1, _id: -1 });
// Notices waiting to be mailed, longest waiting first.
schema.index({ mailAt: 1 }, { partialFilterExpression: { mailAt: { $type: 'date' } } });

export const Notice = mongoose.model('Notice', schema);
