import { html } from 'hono/html';
import { z } from 'zod';
import { buttonForm } from '#api/web/design/form.ts';
import { type Markup, nothing } from '#api/web/design/markup.ts';
import { notice } from '#api/web/design/notice.ts';
import { pageHead, secretToCopy, section } from '#api/web/design/page-parts.ts';
import { type View, view } from '#api/web/framework/answer.ts';
import { choice, wholeNumber } from '#api/web/framework/forms/form-fields.ts';
import { actorOf } from '#api/web/visit/visit.ts';
import { type Mode, modes } from '#common/modes.ts';
import { revealJobWebhookSecrets } from '#common/organizations/reveal-job-webhook-secret.ts';
import { rotateJobWebhookSecret } from '#common/webhooks/console/rotate-secret.ts';
import { defineAction, definePage, type Visit } from './texts.ts';
import { remarkOn, rotateForm } from './webhook-form.ts';

const path = '/account/job-webhook-secrets';

/** The secrets that sign requests to a mail job's own `webhookUrl`. The page itself does not show them. */
export const jobWebhookSecretsPage = definePage({
  path,

  async show({ visit, sent }) {
    const texts = visit.texts.jobSecrets;
    return view({
      title: visit.texts.frame.pages.jobWebhookSecrets,
      body: html`${pageHead({ title: visit.texts.frame.pages.jobWebhookSecrets, lead: texts.lead })}
${modes.map((mode) => section(texts.ofMode[mode], html`<p class="quiet">${texts.hidden}</p>${revealForm(visit, mode)}<p class="quiet">${visit.texts.webhooks.rotateLead}</p>${rotateForm({ visit, sent, action: `${path}/${mode}/rotate` })}`))}`,
    });
  },
});

export const revealJobWebhookSecretAction = defineAction({
  path,
  form: z.object({ mode: choice(modes) }),
  page: jobWebhookSecretsPage,

  async run({ visit, form: { mode }, now }, services) {
    const { organizationId } = visit.user;
    const secrets = await revealJobWebhookSecrets(organizationId, mode, services, now, actorOf(visit));
    return secretView(visit, mode, secrets[mode]);
  },
});

export const rotateJobWebhookSecretAction = defineAction({
  path: `${path}/:mode/rotate`,
  params: z.object({ mode: z.enum(modes) }),
  form: z.object({ overlapHours: wholeNumber(0, 24) }),
  page: jobWebhookSecretsPage,

  async run({ visit, params: { mode }, form: { overlapHours }, now }, services) {
    const owner = { organizationId: visit.user.organizationId, mode };
    const rotation = await rotateJobWebhookSecret(owner, overlapHours, services, now, actorOf(visit));
    return secretView(visit, mode, rotation.secret, remarkOn(rotation, visit));
  },
});

function secretView(visit: Visit, mode: Mode, secret: string, remark?: string): View {
  const texts = visit.texts.jobSecrets;
  const title = texts.shownTitle[mode];
  const shown = secretToCopy({ id: 'job-webhook-secret', secret, visit });
  return view({
    title,
    body: html`${pageHead({ title })}
${notice('warning', texts.shownLead)}
${section(visit.texts.webhooks.secret, html`${shown}${remark === undefined ? nothing : html`<p class="quiet">${remark}</p>`}`)}
<p><a class="button primary" href="${visit.href(path)}">${texts.back}</a></p>`,
  });
}

function revealForm(visit: Visit, mode: Mode): Markup {
  const { reveal, revealOf } = visit.texts.jobSecrets;
  const submit = { value: 'reveal', label: reveal, kind: 'plain', describedBy: revealOf[mode] } as const;
  return buttonForm({ visit, action: path, hidden: { mode } }, submit);
}
