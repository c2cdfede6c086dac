import { html } from 'hono/html';
import { z } from 'zod';
import { badge, modeBadge } from '#api/web/design/badge.ts';
import { buttonForm, postForm } from '#api/web/design/form.ts';
import { type Markup, nothing } from '#api/web/design/markup.ts';
import { notice } from '#api/web/design/notice.ts';
import { creatorFacts, facts, pageHead, section } from '#api/web/design/page-parts.ts';
import { view } from '#api/web/framework/answer.ts';
import type { SentForm } from '#api/web/visit/sent-form.ts';
import { eventKinds } from '#common/events/event.model.ts';
import { lineOfText } from '#common/fields/text.schema.ts';
import { deliveryStates } from '#common/webhooks/deliveries/delivery.model.ts';
import { listDeliveries } from '#common/webhooks/deliveries/list-deliveries.ts';
import { findWebhook } from '#common/webhooks/registry/read-webhooks.ts';
import type { WebhookRecord } from '#common/webhooks/registry/webhook.model.ts';
import { deliverySection } from './delivery-section.ts';
import { definePage, type Visit } from './texts.ts';
import {
  rotateForm,
  webhookInputs,
  webhookParams,
  webhookPath,
  webhookStatusBadge,
  whyDisabled,
} from './webhook-form.ts';

const deliveriesShown = 20;
const spans = ['hour', 'day', 'week', 'fortnight'] as const;

/** The page of one webhook: status, deliveries, settings and actions. */
export const webhookPage = definePage({
  path: '/account/webhooks/:webhookId',
  params: webhookParams,
  query: z.object({
    state: z.enum(deliveryStates).optional(),
    event: z.enum(eventKinds).optional(),
    mailJobId: lineOfText(100).optional(),
    cursor: z.string().max(1_024).optional(),
  }),

  async show({ visit, params: { webhookId }, query, sent }, { cursors }) {
    const texts = visit.texts.webhooks;
    const webhook = await findWebhook(visit.user.organizationId, webhookId);
    const page = await listDeliveries(webhook, webhookId, { ...query, limit: deliveriesShown }, cursors);
    const why = whyDisabled(visit, webhook);
    return view({
      title: texts.detailTitle,
      body: html`${pageHead({ title: texts.detailTitle, actions: headActions(visit, webhook, sent) })}
${why === null ? nothing : notice('warning', why)}
<div class="sheet">${webhookFacts(visit, webhook)}</div>
${deliverySection(visit, { webhook, page, query, sent })}
${section(visit.texts.deliveries.redeliverFailed, redeliverForm(visit, webhook, sent))}
${section(texts.settings, settingsForm(visit, webhook, sent))}
${section(texts.rotate, html`<p class="quiet">${texts.rotateLead}</p>${rotateForm({ visit, sent, action: `${webhookPath(webhookId)}/rotate` })}`)}
<p><a class="button danger" href="${visit.href(`${webhookPath(webhookId)}/delete`)}">${texts.remove}</a></p>`,
    });
  },
});

function webhookFacts(visit: Visit, webhook: WebhookRecord): Markup {
  const { _id, url, mode, status, events, description, createdAt, createdBy } = webhook;
  const { texts, format } = visit;
  const words = texts.webhooks;
  return facts([
    [words.url, html`<code>${url}</code>`],
    [texts.words.labels.status, webhookStatusBadge(visit, status)],
    [texts.words.labels.mode, modeBadge(texts, mode)],
    [words.events, html`<span class="badges at-start">${events.map((kind) => badge('neutral', kind))}</span>`],
    ...(description === null ? [] : ([[words.description, description]] as const)),
    [words.id, html`<code>${_id}</code>`],
    [words.created, format.moment(createdAt)],
    ...creatorFacts(visit, createdBy),
  ]);
}

function headActions(visit: Visit, { _id, status }: WebhookRecord, sent: SentForm): Markup {
  const { ping, enable, disable } = visit.texts.webhooks;
  const setStatus = { visit, sent, action: `${webhookPath(_id)}/status` };
  if (status !== 'active') {
    return buttonForm({ ...setStatus, hidden: { status: 'active' } }, { value: 'enable', label: enable });
  }
  const sendPing = { visit, sent, action: `${webhookPath(_id)}/ping` };
  const pingForm = buttonForm(sendPing, { value: 'ping', label: ping, kind: 'plain' });
  const submit = { value: 'disable', label: disable, kind: 'plain' } as const;
  return html`${pingForm}${buttonForm({ ...setStatus, hidden: { status: 'disabled' } }, submit)}`;
}

function settingsForm(visit: Visit, webhook: WebhookRecord, sent: SentForm): Markup {
  return postForm(
    { visit, sent, action: `${webhookPath(webhook._id)}/change` },
    (fields) =>
      html`${webhookInputs(visit, fields, webhook)}
${fields.submit({ value: 'save', label: visit.texts.webhooks.save })}`,
  );
}

function redeliverForm(visit: Visit, { _id }: WebhookRecord, sent: SentForm): Markup {
  const { redeliverFailedLead, since, sinceOptions, redeliverFailedSubmit } = visit.texts.deliveries;
  const options = spans.map((value) => ({ value, label: sinceOptions[value] }));
  return html`<p class="quiet">${redeliverFailedLead}</p>
${postForm(
  { visit, sent, action: `${webhookPath(_id)}/redeliver-failed` },
  (fields) => html`${fields.select({ name: 'since', label: since, options, chosen: ['day'] })}
${fields.submit({ value: 'redeliver-failed', label: redeliverFailedSubmit, kind: 'plain' })}`,
)}`;
}
