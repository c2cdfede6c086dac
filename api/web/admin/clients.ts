import { html } from 'hono/html';
import { z } from 'zod';
import { apiKeys } from '#api/web/account/api-keys/texts.en.ts';
import type { SentForm } from '#api/web/visit/sent-form.ts';
import { actorOf, type Visit } from '#api/web/visit/visit.ts';
import { scopes } from '#common/access/scopes.ts';
import { modes } from '#common/modes.ts';
import { isPublicClient, type OAuthClientRecord } from '#common/oauth/client.model.ts';
import { disableClient, listClients, rotateClientSecret } from '#common/oauth/clients/change-client.ts';
import { maxClientIdLength } from '#common/oauth/clients/client-metadata.ts';
import { createClient, maxTokensPerMinute } from '#common/oauth/clients/create-client.ts';
import { badge, badges, modeBadge } from '../design/badge.ts';
import type { Submit } from '../design/fields.ts';
import { buttonForm, postForm } from '../design/form.ts';
import { type Markup, nothing } from '../design/markup.ts';
import { notice } from '../design/notice.ts';
import { emptyState, facts, pageHead, secretToCopy, section } from '../design/page-parts.ts';
import { table } from '../design/table.ts';
import { redirect, view } from '../framework/answer.ts';
import { choice, choices, optionalWholeNumber, requiredLine, requiredLines } from '../framework/forms/form-fields.ts';
import { defineAction, definePage } from './admin-pages.ts';

const path = '/admin/clients';
/** How long the previous secret keeps working after a rotation: the time to deploy the new one. */
const overlapHours = 24;
const clientIdField = z.object({ clientId: z.string().max(maxClientIdLength) });

export const clientsPage = definePage({
  path,

  async show({ visit, sent }) {
    const { registered, publicClients, publicCount } = await listClients();
    return view({
      title: 'Applications',
      body: html`${pageHead({ title: 'Applications', lead: 'Applications that can ask users for access through OAuth 2.0.' })}
${section(
  'Registered applications',
  registered.length === 0
    ? emptyState('No applications yet', 'Register the first one below.')
    : html`<p>After you create a new secret, the current one keeps working for ${overlapHours} hours. Disabling an application is permanent and revokes all access that users have granted.</p>${clientTable(visit, 'Registered applications', registered)}`,
)}
${publicCount === 0 ? nothing : publicSection(visit, publicClients, publicCount)}
${section('New application', createForm(visit, sent))}`,
    });
  },
});

export const createClientAction = defineAction({
  path,
  form: z.object({
    name: requiredLine(100),
    mode: choice(modes),
    redirectUris: requiredLines,
    scopes: choices(scopes),
    tokensPerMinute: optionalWholeNumber(1, maxTokensPerMinute),
  }),
  page: clientsPage,

  async run({ visit, form, now }) {
    const { record, secret } = await createClient(form, now, actorOf(visit));
    return secretView(visit, record, secret);
  },
});

export const rotateClientSecretAction = defineAction({
  path: `${path}/rotate-secret`,
  form: clientIdField,
  page: clientsPage,

  async run({ visit, form: { clientId }, now }) {
    const change = { overlapHours, at: now, by: actorOf(visit) };
    const { record, secret } = await rotateClientSecret(clientId, change);
    return secretView(visit, record, secret);
  },
});

export const disableClientAction = defineAction({
  path: `${path}/disable`,
  form: clientIdField,
  page: clientsPage,

  async run({ visit, form: { clientId }, now }) {
    await disableClient(clientId, now, actorOf(visit));
    return redirect(visit.href(path, { notice: 'changeSaved' }));
  },
});

function publicSection(visit: Visit, clients: readonly OAuthClientRecord[], count: number): Markup {
  const title = 'Public clients';
  return section(
    title,
    html`<p>Public clients that users have granted access: ${count}. Their descriptions are their own and unchecked. ${count > clients.length ? `The newest ${clients.length} are listed.` : nothing}</p>${clientTable(visit, title, clients)}`,
  );
}

function clientTable(visit: Visit, caption: string, clients: readonly OAuthClientRecord[]): Markup {
  return table<OAuthClientRecord>(
    caption,
    [
      { label: 'Name', cell: ({ name }) => html`<strong>${name}</strong>` },
      { label: 'ID', cell: ({ _id }) => html`<code>${_id}</code>` },
      { label: 'Mode', cell: ({ mode }) => (mode ? modeBadge(visit.texts, mode) : html`As the user chooses`) },
      { label: 'Scopes', cell: (client) => badges(client.scopes) },
      {
        label: 'Redirect URIs',
        cell: ({ redirectUris }) =>
          html`<span>${redirectUris.map((uri, index) => html`${index === 0 ? '' : html`<br>`}<code>${uri}</code>`)}</span>`,
      },
      { label: 'Tokens per minute', cell: ({ tokensPerMinute }) => html`${tokensPerMinute ?? 'Default'}` },
      { label: 'Actions', isLabelHidden: true, cell: (client) => rowActions(visit, client) },
    ],
    clients,
  );
}

function rowActions(visit: Visit, client: OAuthClientRecord): Markup {
  const { _id: clientId, name, disabledAt } = client;
  if (disabledAt) return html`${badge('danger', 'Disabled')}`;
  const button = (action: string, submit: Submit) => {
    const describedBy = `${submit.label}: ${name} (${clientId})`;
    return buttonForm({ visit, action: `${path}/${action}`, hidden: { clientId } }, { ...submit, describedBy });
  };
  const rotate: Submit = { value: 'rotate', label: 'New secret', kind: 'plain' };
  return html`<div class="actions">${isPublicClient(client) ? nothing : button('rotate-secret', rotate)}${button('disable', { value: 'disable', label: 'Disable', kind: 'danger' })}</div>`;
}

function createForm(visit: Visit, sent: SentForm): Markup {
  const { modes: modeTexts, scopeTexts } = apiKeys;
  return postForm(
    { visit, sent, action: path },
    (
      fields,
    ) => html`${fields.text({ name: 'name', label: 'Name', hint: 'Shown to users when the application asks for access.', maxLength: 100 })}
${fields.radios({ name: 'mode', label: 'Mode', options: modes.map((mode) => ({ value: mode, ...modeTexts[mode] })), chosen: ['test'] })}
${fields.longText({ name: 'redirectUris', label: 'Redirect URIs', hint: 'One per line, 20 at most. Use https. Test mode also allows http://127.0.0.1.' })}
${fields.checkboxes({ name: 'scopes', label: 'Scopes', hint: 'The application can ask for these scopes and no others.', options: scopes.map((scope) => ({ value: scope, label: scope, hint: scopeTexts[scope] })) })}
${fields.text({ type: 'number', name: 'tokensPerMinute', label: 'Tokens per minute', hint: 'Maximum number of successful token requests. Leave empty for the default.', isOptional: true })}
${fields.submit({ value: 'create', label: 'Register application' })}`,
  );
}

function secretView(visit: Visit, { _id, name, formerSecretEndsAt }: OAuthClientRecord, secret: string) {
  const title = `Secret for ${name}`;
  return view({
    title,
    body: html`${pageHead({ title })}
${notice('warning', 'Copy the secret now and pass it on to the developer. You cannot see it again, because only a hash is stored.')}
${section(
  'Client secret',
  html`${secretToCopy({ id: 'client-secret', secret, visit })}${facts([
    ['Client ID', html`<code>${_id}</code>`],
    ['Previous secret', formerSecretEndsAt ? `works until ${visit.format.moment(formerSecretEndsAt)}` : 'None'],
  ])}`,
)}
<p><a class="button primary" href="${visit.href(path)}">I have stored the secret</a></p>`,
  });
}
