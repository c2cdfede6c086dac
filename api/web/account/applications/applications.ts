import { html } from 'hono/html';
import { z } from 'zod';
import { badges, modeBadge } from '#api/web/design/badge.ts';
import { buttonForm } from '#api/web/design/form.ts';
import { type Markup, nothing } from '#api/web/design/markup.ts';
import { emptyState, pageHead, section } from '#api/web/design/page-parts.ts';
import { table } from '#api/web/design/table.ts';
import { redirect, view } from '#api/web/framework/answer.ts';
import { actorOf } from '#api/web/visit/visit.ts';
import { AppError } from '#common/errors.ts';
import { type GrantedApplication, listGrants } from '#common/oauth/authorization/list-grants.ts';
import { isMetadataUrl, maxClientIdLength } from '#common/oauth/clients/client-metadata.ts';
import { revokeGrantsOf } from '#common/oauth/tokens/revoke-grants.ts';
import { defineAction, definePage, type Visit } from './texts.ts';

const path = '/account/applications';

/** Lists the applications with access to the organization, each with a form to revoke it. */
export const applicationsPage = definePage({
  path,

  async show({ visit, now }) {
    const texts = visit.texts.applications;
    const applications = await listGrants(visit.user.organizationId, now);
    return view({
      title: visit.texts.frame.pages.applications,
      body: html`${pageHead({ title: visit.texts.frame.pages.applications, lead: texts.lead })}
${section(
  texts.existing,
  applications.length === 0
    ? emptyState(texts.none, texts.noneHint)
    : html`${applicationTable(visit, applications)}<p class="quiet">${texts.atOnce}</p>`,
)}`,
    });
  },
});

export const revokeApplicationAction = defineAction({
  path: `${path}/revoke`,
  form: z.object({ clientId: z.string().max(maxClientIdLength) }),
  page: applicationsPage,

  async run({ visit, form: { clientId }, now }) {
    const { organizationId } = visit.user;
    const endedCount = await revokeGrantsOf({ clientId, organizationId }, now, actorOf(visit));
    if (endedCount === 0) throw new AppError('NOT_FOUND');
    return redirect(visit.href(path, { notice: 'applicationRevoked' }));
  },
});

function applicationTable(visit: Visit, applications: readonly GrantedApplication[]): Markup {
  const { texts, format } = visit;
  const words = texts.applications;
  return table<GrantedApplication>(
    words.existing,
    [
      { label: words.name, cell: ({ clientId, name }) => html`<strong>${name}</strong>${originOf(clientId)}` },
      { label: texts.words.labels.mode, cell: ({ mode }) => modeBadge(texts, mode) },
      { label: words.scopes, cell: ({ scopes }) => badges(scopes) },
      { label: words.since, cell: ({ firstGrantedAt }) => format.date(firstGrantedAt) },
      { label: words.lastUsed, cell: ({ lastUsedAt }) => format.moment(lastUsedAt) },
      { label: words.revoke, isLabelHidden: true, cell: (application) => revokeForm(visit, application) },
    ],
    applications,
  );
}

/** A public client chose its name itself: its host tells who it is. */
function originOf(clientId: string): Markup {
  return isMetadataUrl(clientId) ? html` <code>${new URL(clientId).host}</code>` : nothing;
}

function revokeForm(visit: Visit, { clientId, name }: GrantedApplication): Markup {
  const { revoke, revokeOf } = visit.texts.applications;
  const form = { visit, action: `${path}/revoke`, hidden: { clientId } };
  return buttonForm(form, { value: 'revoke', label: revoke, kind: 'danger', describedBy: revokeOf(name) });
}
