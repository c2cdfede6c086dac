import { html } from 'hono/html';
import { z } from 'zod';
import { idOf } from '#api/requests/path-id.ts';
import { type BadgeKind, badge } from '#api/web/design/badge.ts';
import type { fieldSet } from '#api/web/design/fields.ts';
import { type PostFormOptions, postForm } from '#api/web/design/form.ts';
import type { Markup } from '#api/web/design/markup.ts';
import { notice } from '#api/web/design/notice.ts';
import { pageHead, secretToCopy, section } from '#api/web/design/page-parts.ts';
import { type View, view } from '#api/web/framework/answer.ts';
import { choices, optionalLine, requiredLine } from '#api/web/framework/forms/form-fields.ts';
import { eventKinds, mailEventKinds } from '#common/events/event.model.ts';
import type { Rotation } from '#common/webhooks/console/rotate-secret.ts';
import type { WebhookRecord, WebhookStatus } from '#common/webhooks/registry/webhook.model.ts';
import type { Visit } from './texts.ts';

export const webhooksPath = '/account/webhooks';

/** Returns the path of a webhook's page, without the language. */
export function webhookPath(webhookId: string): string {
  return `${webhooksPath}/${webhookId}`;
}

export const webhookParams = z.object({ webhookId: idOf('wh') });

/** The editable fields of a webhook. `common` checks whether the URL is allowed. */
export const webhookFields = {
  url: requiredLine(2_048),
  events: choices(eventKinds),
  description: optionalLine(255),
};

/** Renders the editable fields, filled in with the current values. */
export function webhookInputs(
  visit: Visit,
  fields: ReturnType<typeof fieldSet>,
  webhook?: Pick<WebhookRecord, 'url' | 'events' | 'description'>,
): Markup {
  const texts = visit.texts.webhooks;
  const events = eventKinds.map((kind) => ({ value: kind, label: kind, hint: texts.eventTexts[kind] }));
  return html`${fields.text({ name: 'url', type: 'url', label: texts.url, hint: texts.urlHint, maxLength: 2_048, value: webhook?.url ?? '' })}
${fields.checkboxes({ name: 'events', label: texts.events, options: events, chosen: webhook?.events ?? mailEventKinds })}
${fields.text({ name: 'description', label: texts.description, hint: texts.descriptionHint, isOptional: true, maxLength: 255, value: webhook?.description ?? '' })}`;
}

const statusKinds: Record<WebhookStatus, BadgeKind> = { active: 'success', disabled: 'warning' };

export function webhookStatusBadge({ texts }: Visit, status: WebhookStatus): Markup {
  return badge(statusKinds[status], texts.webhooks.statuses[status]);
}

/** Returns why a webhook is disabled and what to do. Null for active webhooks. */
export function whyDisabled({ texts }: Visit, { status, disabledReason }: WebhookRecord): string | null {
  if (status === 'active') return null;
  return texts.webhooks.disabledBecause[disabledReason ?? 'other'];
}

/** Renders the form that rotates a signing secret. */
export function rotateForm(form: PostFormOptions & { visit: Visit }): Markup {
  const { overlapHours, overlapHoursHint, rotateSubmit } = form.visit.texts.webhooks;
  return postForm(
    form,
    (fields) =>
      html`${fields.text({ name: 'overlapHours', type: 'number', label: overlapHours, hint: overlapHoursHint, value: '24' })}
${fields.submit({ value: 'rotate', label: rotateSubmit, kind: 'plain' })}`,
  );
}

/** Returns until when the old secret is used after a rotation, as a sentence. */
export function remarkOn({ previousSecretUntil }: Rotation, { texts, format }: Visit): string {
  const { oldSecretEnded, oldSecretUntil } = texts.webhooks;
  return previousSecretUntil === null ? oldSecretEnded : oldSecretUntil(format.moment(new Date(previousSecretUntil)));
}

/** Returns the page that shows a new signing secret once. */
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
