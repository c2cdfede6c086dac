import { html } from 'hono/html';
import { z } from 'zod';
import { isId } from '../../../../common/ids.ts';
import { eventKinds } from '../../../../common/webhooks/event.model.ts';
import type { WebhookRecord, WebhookStatus } from '../../../../common/webhooks/webhook.model.ts';
import { type View, view } from '../../answer.ts';
import { choices, optionalLine, requiredLine } from '../../form-fields.ts';
import type { Markup } from '../../markup.ts';
import { type BadgeKind, badge } from '../../views/badge.ts';
import type { fieldSet } from '../../views/fields.ts';
import { notice } from '../../views/notice.ts';
import { pageHead, secretToCopy, section } from '../../views/page-parts.ts';
import type { Visit } from '../../visit.ts';

/** What the pages of webhooks have in common. */
export const webhooksPath = '/account/webhooks';

/** The address of a webhook's page, without language. */
export function webhookPath(webhookId: string): string {
  return `${webhooksPath}/${webhookId}`;
}

export const webhookParams = z.object({ webhookId: z.string().refine((id) => isId('wh', id)) });

/** What can be set of a webhook at any time. Whether its address may be called is for the domain to say. */
export const webhookFields = {
  url: requiredLine(2_048),
  events: choices(eventKinds),
  description: optionalLine(255),
};

/** The same as fields of a form, with what is set now. */
export function webhookInputs(
  visit: Visit,
  fields: ReturnType<typeof fieldSet>,
  webhook?: Pick<WebhookRecord, 'url' | 'events' | 'description'>,
): Markup {
  const texts = visit.texts.webhooks;
  const events = eventKinds.map((kind) => ({ value: kind, label: kind, hint: texts.eventTexts[kind] }));
  return html`${fields.text({ name: 'url', type: 'url', label: texts.url, hint: texts.urlHint, maxLength: 2_048, value: webhook?.url ?? '' })}
${fields.checkboxes({ name: 'events', label: texts.events, options: events, chosen: webhook?.events ?? eventKinds })}
${fields.text({ name: 'description', label: texts.description, hint: texts.descriptionHint, isOptional: true, maxLength: 255, value: webhook?.description ?? '' })}`;
}

const statusKinds: Record<WebhookStatus, BadgeKind> = { active: 'success', disabled: 'warning' };

export function webhookStatusBadge({ texts }: Visit, status: WebhookStatus): Markup {
  return badge(statusKinds[status], texts.webhooks.statuses[status]);
}

/** Why a webhook is disabled and what to do; null for an active one. */
export function whyDisabled({ texts }: Visit, { status, disabledReason }: WebhookRecord): string | null {
  if (status === 'active') return null;
  return texts.webhooks.disabledBecause[disabledReason ?? 'other'];
}

/** The page that a new signing secret is on, this once. */
export function secretView(
  visit: Visit,
  { title, secret, webhookId, remark }: { title: string; secret: string; webhookId: string; remark?: string },
): View {
  const texts = visit.texts.webhooks;
  return view({
    title,
    body: html`${pageHead({ title })}
${notice('warning', texts.secretLead)}
${section(texts.secret, html`${secretToCopy({ id: 'webhook-secret', secret, visit })}${remark === undefined ? '' : html`<p class="quiet">${remark}</p>`}`)}
<p><a class="button primary" href="${visit.href(webhookPath(webhookId))}">${texts.secretStored}</a></p>`,
  });
}
