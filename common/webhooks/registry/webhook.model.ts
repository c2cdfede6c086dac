import mongoose from 'mongoose';
import { createdByField } from '#common/audit/created-by.ts';
import { eventKinds } from '#common/events/event.model.ts';
import { previousSecretField } from '#common/organizations/organization.model.ts';
import * as row from '#common/platform/mongo/row.ts';

export const webhookStatuses = ['active', 'disabled'] as const;
export type WebhookStatus = (typeof webhookStatuses)[number];

/** Binds a webhook's encrypted secret to its row. */
export const webhookSecretContext = (webhookId: string) => `webhook-secret:${webhookId}`;

const fields = {
  _id: row.text,
  ...row.owned,
  url: row.text,
  events: row.list(row.oneOf(eventKinds)),
  description: row.nullable(row.text),
  /** Shown only once, on creation. */
  secret: row.sealed(webhookSecretContext),
  /** The secret before the last rotation, which signs in addition to the new one. */
  previousSecret: previousSecretField(webhookSecretContext),
  status: row.oneOf(webhookStatuses),
  /**
   * `GONE`: answer 410. `FAILING`: five days without a success. `OWNER`: by its owner. `CONSENT_ENDED`: the end of its grant.
   * Null while active.
   */
  disabledReason: row.nullable(row.textOf<'GONE' | 'FAILING' | 'OWNER' | 'CONSENT_ENDED'>()),
  createdBy: createdByField,
  /** The OAuth grant whose end disables it: of the application that last set its URL or enabled it. Absent for others. */
  grantId: row.optional(row.text),
  /**
   * Incremented when the webhook is disabled, re-enabled or deleted. Each delivery has the epoch in which it was stored
   * or last retried manually; deliveries of an ended epoch are discarded.
   */
  epoch: row.defaulting(row.number, 0),
  createdAt: row.date,
  updatedAt: row.date,
  /** A deleted webhook is kept only for the history of its deliveries. */
  deletedAt: row.nullable(row.date),
};
export type WebhookRecord = row.RecordOf<typeof fields>;

const schema = row.schemaOf('webhooks', fields);
schema.index({ organizationId: 1, mode: 1, deletedAt: 1, status: 1, _id: -1 });

// Only webhooks of applications cost a write.
schema.index({ grantId: 1 }, { sparse: true });

export const Webhook = mongoose.model('Webhook', schema);
