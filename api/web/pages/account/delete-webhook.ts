import { html } from 'hono/html';
import { z } from 'zod';
import { deleteWebhook } from '../../../../common/webhooks/delete-webhook.ts';
import { findWebhook } from '../../../../common/webhooks/read-webhook.ts';
import { redirect, view } from '../../answer.ts';
import { defineAction, definePage } from '../../page.ts';
import { modeBadge } from '../../views/badge.ts';
import { postForm } from '../../views/form.ts';
import { notice } from '../../views/notice.ts';
import { facts, pageHead, section } from '../../views/page-parts.ts';
import { webhookParams, webhookPath, webhooksPath } from './webhook-form.ts';

const path = '/account/webhooks/:webhookId/delete';

/** The second step, so that nobody deletes by a slip. */
export const deleteWebhookPage = definePage({
  path,
  access: 'user',
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
      [words.mode, modeBadge(texts, mode)],
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
  access: 'user',
  params: webhookParams,
  form: z.object({}),
  page: deleteWebhookPage,

  async run({ visit, params: { webhookId }, now }) {
    await deleteWebhook(await findWebhook(visit.user.organizationId, webhookId), webhookId, now);
    return redirect(visit.href(webhooksPath, { notice: 'webhookDeleted' }));
  },
});
