import { html } from 'hono/html';
import { z } from 'zod';
import { modeBadge } from '#api/web/design/badge.ts';
import { postForm } from '#api/web/design/form.ts';
import { notice } from '#api/web/design/notice.ts';
import { facts, pageHead, section } from '#api/web/design/page-parts.ts';
import { redirect, view } from '#api/web/framework/answer.ts';
import { actorOf } from '#api/web/visit/visit.ts';
import { deleteWebhook } from '#common/webhooks/console/delete-webhook.ts';
import { findWebhook } from '#common/webhooks/registry/read-webhooks.ts';
import { defineAction, definePage } from './texts.ts';
import { webhookParams, webhookPath, webhooksPath } from './webhook-form.ts';

const path = '/account/webhooks/:webhookId/delete';

/** Asks for confirmation, to prevent accidental deletion. */
export const deleteWebhookPage = definePage({
  path,
  params: webhookParams,

  async show({ visit, params: { webhookId }, sent }) {
    const { texts } = visit;
    const words = texts.webhooks;
    const { url, mode } = await findWebhook(visit.user.organizationId, webhookId);
    const form = postForm(
      { visit, sent, action: `${webhookPath(webhookId)}/delete`, isInline: true },
      (fields) => html`${fields.submit({ value: 'delete', label: words.removeSubmit, kind: 'danger' })}
<a class="button plain" href="${visit.href(webhookPath(webhookId))}">${words.keep}</a>`,
    );
    const about = facts([
      [words.url, html`<code>${url}</code>`],
      [texts.words.labels.mode, modeBadge(texts, mode)],
    ]);
    return view({
      title: words.removeTitle,
      body: html`${pageHead({ title: words.removeTitle })}
${notice('warning', words.removeLead)}
${section(words.detailTitle, html`${about}${form}`)}`,
    });
  },
});

export const deleteWebhookAction = defineAction({
  path,
  params: webhookParams,
  form: z.object({}),
  page: deleteWebhookPage,

  async run({ visit, params: { webhookId }, now }) {
    const webhook = await findWebhook(visit.user.organizationId, webhookId);
    await deleteWebhook(webhook, webhookId, now, actorOf(visit));
    return redirect(visit.href(webhooksPath, { notice: 'webhookDeleted' }));
  },
});
