import { html } from 'hono/html';
import { z } from 'zod';
import { badges, modeBadge } from '#api/web/design/badge.ts';
import { postForm } from '#api/web/design/form.ts';
import type { Markup } from '#api/web/design/markup.ts';
import { emptyState, pageHead, section } from '#api/web/design/page-parts.ts';
import { table } from '#api/web/design/table.ts';
import { view } from '#api/web/framework/answer.ts';
import { choice } from '#api/web/framework/forms/form-fields.ts';
import type { SentForm } from '#api/web/visit/sent-form.ts';
import { actorOf } from '#api/web/visit/visit.ts';
import type { CursorCodec } from '#common/cursor.ts';
import { type Mode, modes } from '#common/modes.ts';
import { createWebhook } from '#common/webhooks/registry/create-webhook.ts';
import { listWebhooks } from '#common/webhooks/registry/read-webhooks.ts';
import { type WebhookRecord, webhookStatuses } from '#common/webhooks/registry/webhook.model.ts';
import { defineAction, definePage, type Visit } from './texts.ts';
import {
  secretView,
  webhookFields,
  webhookInputs,
  webhookPath,
  webhookStatusBadge,
  webhooksPath,
  whyDisabled,
} from './webhook-form.ts';

/** Webhooks shown per mode and status. */
const maxShown = 100;

/** Lists the webhooks of both modes, active or disabled, with the form for a new one. */
export const webhooksPage = definePage({
  path: webhooksPath,

  async show({ visit, sent }, { cursors }) {
    const texts = visit.texts.webhooks;
    const { webhooks, hasMore } = await readAll(visit.user.organizationId, cursors);
    return view({
      title: visit.texts.frame.pages.webhooks,
      body: html`${pageHead({ title: visit.texts.frame.pages.webhooks, lead: texts.lead })}
${section(
  texts.existing,
  webhooks.length === 0
    ? emptyState(texts.none, texts.noneHint)
    : html`${webhookTable(visit, webhooks)}${hasMore ? html`<p class="quiet">${texts.onlyNewest}</p>` : ''}`,
)}
${section(texts.create, createForm(visit, sent))}`,
    });
  },
});

export const createWebhookAction = defineAction({
  path: webhooksPath,
  form: z.object({ mode: choice(modes), ...webhookFields }),
  page: webhooksPage,

  async run({ visit, form: { mode, ...wanted }, now }, services) {
    const owner = { organizationId: visit.user.organizationId, mode };
    const { record, secret } = await createWebhook(owner, wanted, services, now, actorOf(visit));
    return secretView(visit, { title: visit.texts.webhooks.createdTitle, secret, webhookId: record._id });
  },
});

async function readAll(organizationId: string, cursors: CursorCodec) {
  const lists = modes.flatMap((mode) =>
    webhookStatuses.map((status) => listWebhooks({ organizationId, mode }, { status, limit: maxShown }, cursors)),
  );
  const pages = await Promise.all(lists);
  const webhooks = pages.flatMap(({ rows }) => rows).toSorted((left, right) => (left._id < right._id ? 1 : -1));
  return { webhooks, hasMore: pages.some((page) => page.hasMore) };
}

function webhookTable(visit: Visit, webhooks: readonly WebhookRecord[]): Markup {
  const { texts, format } = visit;
  const words = texts.webhooks;
  return table<WebhookRecord>(
    words.existing,
    [
      { label: words.url, cell: (webhook) => nameCell(visit, webhook) },
      { label: texts.words.labels.mode, cell: ({ mode }) => modeBadge(texts, mode) },
      { label: texts.words.labels.status, cell: ({ status }) => webhookStatusBadge(visit, status) },
      { label: words.events, cell: ({ events }) => badges(events) },
      { label: words.created, cell: ({ createdAt }) => format.date(createdAt) },
    ],
    webhooks,
  );
}

function nameCell(visit: Visit, webhook: WebhookRecord): Markup {
  const { _id, url, description } = webhook;
  const why = whyDisabled(visit, webhook);
  return html`<div class="lines"><a class="breakable" href="${visit.href(webhookPath(_id))}">${url}</a>${description === null ? '' : html`<span>${description}</span>`}${why === null ? '' : html`<span class="quiet">${why}</span>`}</div>`;
}

function createForm(visit: Visit, sent: SentForm): Markup {
  const { texts } = visit;
  const { modeHints, submit } = texts.webhooks;
  const options = modes.map((value: Mode) => ({ value, label: texts.words.modes[value], hint: modeHints[value] }));
  return postForm(
    { visit, sent, action: webhooksPath },
    (fields) => html`${fields.radios({ name: 'mode', label: texts.words.labels.mode, options, chosen: ['test'] })}
${webhookInputs(visit, fields)}
${fields.submit({ value: 'create', label: submit })}`,
  );
}
