import mongoose, { Schema } from 'mongoose';
import { type Mode, modes } from '../modes.ts';
import { modelOptions } from '../platform/model-options.ts';
import { type EventKind, eventKinds } from './event.model.ts';

export const webhookStatuses = ['active', 'disabled'] as const;
export type WebhookStatus = (typeof webhookStatuses)[number];

export type WebhookRecord = {
  _id: string;
  organizationId: string;
  mode: Mode;
  url: string;
  events: EventKind[];
  description: string | null;
  /** Encrypted; shown once, when it is made. */
  secret: string;
  /** The secret before the last rotation, encrypted, and until when it still signs beside the new one. */
  previousSecret?: { sealed: string; until: Date } | null;
  status: WebhookStatus;
  /**
   * `GONE` after an answer of 410, `FAILING` after five days of failures, `OWNER` when its owner asked for it; null while
   * it is active.
   */
  disabledReason: 'GONE' | 'FAILING' | 'OWNER' | null;
  createdAt: Date;
  updatedAt: Date;
  /** A deleted webhook is kept for the history of its deliveries, and is not found by anyone. */
  deletedAt: Date | null;
};

const schema = new Schema<WebhookRecord>(
  {
    _id: { type: String, required: true },
    organizationId: { type: String, required: true },
    mode: { type: String, enum: modes, required: true },
    url: { type: String, required: true },
    events: { type: [{ type: String, enum: eventKinds }], required: true },
    description: { type: String, default: null },
    secret: { type: String, required: true },
    previousSecret: {
      type: new Schema(
        { sealed: { type: String, required: true }, until: { type: Date, required: true } },
        { _id: false },
      ),
      default: null,
    },
    status: { type: String, enum: webhookStatuses, required: true },
    disabledReason: { type: String, default: null },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
    deletedAt: { type: Date, default: null },
  },
  { ...modelOptions, collection: 'webhooks' },
);
schema.index({ organizationId: 1, mode: 1, deletedAt: 1, status: 1, _id: -1 });

export const Webhook = mongoose.model('Webhook', schema);

/** Binds a webhook's encrypted secret to its row. */
export const webhookSecretContext = (webhookId: string) => `webhook-secret:${webhookId}`;
