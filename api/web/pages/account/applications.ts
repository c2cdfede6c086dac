import { html } from 'hono/html';
import { z } from 'zod';
import { AppError } from '../../../../common/errors.ts';
import { type GrantedApplication, listGrants } from '../../../../common/oauth/list-grants.ts';
import { revokeGrantsOf } from '../../../../common/oauth/revoke-grants.ts';
import { redirect, view } from '../../answer.ts';
import type { Markup } from '../../markup.ts';
import { defineAction, definePage } from '../../page.ts';
import { noForm } from '../../read-form.ts';
import { badge, modeBadge } from '../../views/badge.ts';
import { postForm } from '../../views/form.ts';
import { emptyState, pageHead, section } from '../../views/page-parts.ts';
import { table } from '../../views/table.ts';
import type { Visit } from '../../visit.ts';

const path = '/account/applications';

/** Who may act for the organization, and the way to end it. */
export const applicationsPage = definePage({
  path,
  access: 'user',

  async show({ visit, now }) {
    const texts = visit.texts.applications;
    const applications = await listGrants(visit.user.organizationId, now);
    return view({
      title: texts.title,
      body: html`${pageHead({ title: texts.title, lead: texts.lead })}
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
  access: 'user',
  form: z.object({ clientId: z.string().max(100) }),
  page: applicationsPage,

  async run({ visit, form: { clientId }, now }) {
    const { organizationId } = visit.user;
    if ((await revokeGrantsOf({ clientId, organizationId }, now)) === 0) throw new AppError('NOT_FOUND');
    return redirect(visit.href(path, { notice: 'applicationRevoked' }));
  },
});

function applicationTable(visit: Visit, applications: readonly GrantedApplication[]): Markup {
  const { texts, format } = visit;
  const words = texts.applications;
  return table<GrantedApplication>(
    words.existing,
    [
      { label: words.name, cell: ({ name }) => html`<strong>${name}</strong>` },
      { label: words.mode, cell: ({ mode }) => modeBadge(texts, mode) },
      {
        label: words.scopes,
        cell: ({ scopes }) => html`<span class="badges">${scopes.map((scope) => badge('neutral', scope))}</span>`,
      },
      { label: words.since, cell: ({ firstGrantedAt }) => format.date(firstGrantedAt) },
      { label: words.lastUsed, cell: ({ lastUsedAt }) => format.moment(lastUsedAt) },
      { label: words.revoke, isLabelHidden: true, cell: (application) => revokeForm(visit, application) },
    ],
    applications,
  );
}

function revokeForm(visit: Visit, { clientId, name }: GrantedApplication): Markup {
  const { revoke, revokeOf } = visit.texts.applications;
  return postForm(
    { visit, sent: noForm, action: `${path}/revoke`, isInline: true },
    (fields) =>
      html`${fields.hidden('clientId', clientId)}${fields.submit({ value: 'revoke', label: revoke, kind: 'danger', describedBy: revokeOf(name) })}`,
  );
}
