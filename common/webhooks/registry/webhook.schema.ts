import { z } from 'zod';
import type { Credential } from '#common/access/credential.ts';
import { CreatedBy, toCreatedBy } from '#common/audit/created-by.ts';
import { eventKinds } from '#common/events/event.model.ts';
import { lineOfText } from '#common/fields/text.schema.ts';
import { modes } from '#common/modes.ts';
import { type WebhookRecord, webhookStatuses } from './webhook.model.ts';

/** A URL as sent by a client. `checkTargetUrl` decides whether deliveries may go to it. */
export const TargetUrl = lineOfText(2_048).meta({ format: 'uri', pattern: '^https://' });

const EventKinds = z.array(z.enum(eventKinds));

/** Body of POST /v1/webhooks. Duplicate kinds are merged. */
export const WebhookRequest = z
  .strictObject({
    url: TargetUrl.describe('https, on port 443 or 8443, at a public address.'),
    events: EventKinds.min(1)
      .max(100)
      .describe(
        'The kinds that it gets: the five of mail jobs, `ITEM_RETURNED` for copies that come back, and `BULK_COMPLETED` for bulks whose letters are all sent.',
      ),
    description: lineOfText(255).nullish(),
  })
  .meta({ id: 'WebhookRequest' });
export type WebhookRequest = z.infer<typeof WebhookRequest>;

/**
 * Body of PATCH /v1/webhooks/{id}, a merge patch (RFC 7396): absent fields stay, null clears the description.
 */
export const WebhookPatch = z
  .strictObject({
    url: TargetUrl.optional(),
    events: EventKinds.min(1).max(100).optional(),
    description: lineOfText(255).nullish(),
    status: z.enum(webhookStatuses).optional(),
  })
  .refine((patch) => Object.keys(patch).length > 0, 'Give at least one field to change.')
  .meta({ id: 'WebhookPatch', minProperties: 1 });
export type WebhookPatch = z.infer<typeof WebhookPatch>;

/** A webhook in answers, always without its secret. */
export const WebhookView = z
  .object({
    id: z.string(),
    url: z.string(),
    events: EventKinds,
    description: z.string().nullable(),
    mode: z.enum(modes),
    status: z.enum(webhookStatuses),
    disabledReason: z
      .string()
      .nullable()
      .describe(
        '`OWNER`: you asked for it; `GONE`: its receiver answered 410; `FAILING`: no success for five days; `CONSENT_ENDED`: the user or the operator ended the access of the application that created it, or last set its URL or enabled it. More may come; null while it is active.',
      ),
    createdBy: CreatedBy,
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'Webhook' });
export type WebhookView = z.infer<typeof WebhookView>;

/** Returns a webhook as `viewer` may see it. */
export function toWebhookView(record: WebhookRecord, viewer: Pick<Credential, 'actor'>): WebhookView {
  const { _id: id, url, events, description, mode, status, disabledReason, createdAt, updatedAt } = record;
  const times = { createdAt: createdAt.toISOString(), updatedAt: updatedAt.toISOString() };
  return {
    id,
    url,
    events,
    description,
    mode,
    status,
    disabledReason,
    createdBy: toCreatedBy(record, viewer),
    ...times,
  };
}
