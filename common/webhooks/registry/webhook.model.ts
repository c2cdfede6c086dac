import mongoose, { Schema } from 'mongoose';
import { type EventKind, eventKinds } from '#common/events/event.model.ts';
import { type Mode, modes } from '#common/modes.ts';
import { modelOptions } from '#common/platform/mongo/model-options.ts';

export const webhookStatuses = ['active', 'disabled'] as const;
export type WebhookStatus = (typeof webhookStatuses)[number];

export type WebhookRecord = {
  _id: string;
  organizationId: string;
  mode: Mode;
  url: string;
  events: EventKind[];
  description: string | null;
  /** Encrypted. Shown only once, on creation. */
  secret: string;
  /** The encrypted secret before the last rotation, and until when it signs in addition to the new one. */
  previousSecret?: { sealed: string; until: Date } | null;
  status: WebhookStatus;
  /** `GONE`: answer 410. `FAILING`: five days without a success. `OWNER`: by its owner. Null while active. */
  disabledReason: 'GONE' | 'FAILING' | 'OWNER' | null;
  /**
   * Incremented when the webhook is disabled, re-enabled or deleted. Each delivery has the epoch in which it was stored
   * or last retried manually; deliveries of an ended epoch are discarded.
   */
  epoch: number;
  createdAt: Date;
  updatedAt: Date;
  /** A deleted webhook is kept only for the history of its deliveries. */
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
    epoch: { type: Number, default: 0 },
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
