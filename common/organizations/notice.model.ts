import mongoose, { Schema } from 'mongoose';
import { type Mode, modes } from '../modes.ts';
import { modelOptions } from '../platform/model-options.ts';

/** What an organization is told of beside its webhooks, which may be the very thing that is broken. */
export const noticeKinds = ['WEBHOOK_DISABLED', 'LOW_BALANCE'] as const;
export type NoticeKind = (typeof noticeKinds)[number];

export type NoticeRecord = {
  /** `ntc_…`. */
  _id: string;
  organizationId: string;
  mode: Mode;
  kind: NoticeKind;
  /** What it is about: a webhook's id, a wallet's. */
  subjectId: string;
  /** Names the cause: the same cause is told once. */
  key: string;
  /** What a text about it needs. Never a secret. */
  data: Record<string, string | number>;
  at: Date;
  /** When everybody had it by e-mail; null until then. */
  mailedAt: Date | null;
  /** When to mail it next; null when nothing is left to do. */
  mailAt: Date | null;
  /** Rounds of mailing that were begun. */
  mailRounds: number;
  /** The users who have it: a round that begins anew leaves them out. */
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
// Those that wait to be mailed, the longest waiting first.
schema.index({ mailAt: 1 }, { partialFilterExpression: { mailAt: { $type: 'date' } } });

export const Notice = mongoose.model('Notice', schema);
