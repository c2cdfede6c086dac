import { html } from 'hono/html';
import { z } from 'zod';
import { type Mode, modes } from '../../../../common/modes.ts';
import { openJobWebhookSecrets } from '../../../../common/organizations/create-organization.ts';
import { readOrganization } from '../../../../common/organizations/read-organization.ts';
import { view } from '../../answer.ts';
import { choice } from '../../form-fields.ts';
import type { Markup } from '../../markup.ts';
import { defineAction, definePage } from '../../page.ts';
import { noForm } from '../../read-form.ts';
import { postForm } from '../../views/form.ts';
import { notice } from '../../views/notice.ts';
import { pageHead, secretToCopy, section } from '../../views/page-parts.ts';
import type { Visit } from '../../visit.ts';

const path = '/account/job-webhook-secrets';

/** The secrets that sign requests to a letter's own `webhookUrl`: none is in a page that somebody just looks at. */
export const jobWebhookSecretsPage = definePage({
  path,
  access: 'user',

  async show({ visit }) {
    const texts = visit.texts.jobSecrets;
    return view({
      title: texts.title,
      body: html`${pageHead({ title: texts.title, lead: texts.lead })}
${modes.map((mode) => section(texts.ofMode[mode], html`<p class="quiet">${texts.hidden}</p>${revealForm(visit, mode)}`))}`,
    });
  },
});

export const revealJobWebhookSecretAction = defineAction({
  path,
  access: 'user',
  form: z.object({ mode: choice(modes) }),
  page: jobWebhookSecretsPage,

  async run({ visit, form: { mode } }, { keyRing }) {
    const organization = await readOrganization(visit.user.organizationId);
    const secret = openJobWebhookSecrets(organization, keyRing)[mode];
    const texts = visit.texts.jobSecrets;
    const title = texts.shownTitle[mode];
    return view({
      title,
      body: html`${pageHead({ title })}
${notice('warning', texts.shownLead)}
${section(visit.texts.webhooks.secret, secretToCopy({ id: 'job-webhook-secret', secret, visit }))}
<p><a class="button primary" href="${visit.href(path)}">${texts.back}</a></p>`,
    });
  },
});

function revealForm(visit: Visit, mode: Mode): Markup {
  const texts = visit.texts.jobSecrets;
  return postForm(
    { visit, sent: noForm, action: path, isInline: true },
    (fields) =>
      html`${fields.hidden('mode', mode)}${fields.submit({ value: 'reveal', label: texts.reveal, kind: 'plain', describedBy: texts.revealOf[mode] })}`,
  );
}
