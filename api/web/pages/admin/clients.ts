import { html } from 'hono/html';
import { z } from 'zod';
import { scopes } from '../../../../common/access/scopes.ts';
import { modes } from '../../../../common/modes.ts';
import { disableClient, listClients, rotateClientSecret } from '../../../../common/oauth/change-client.ts';
import type { OAuthClientRecord } from '../../../../common/oauth/client.model.ts';
import { createClient } from '../../../../common/oauth/create-client.ts';
import { redirect, view } from '../../answer.ts';
import { choice, choices, requiredLine, requiredLines } from '../../form-fields.ts';
import type { Markup } from '../../markup.ts';
import { defineAction, definePage } from '../../page.ts';
import { noForm, type SentForm } from '../../read-form.ts';
import { badge, modeBadge } from '../../views/badge.ts';
import { postForm } from '../../views/form.ts';
import { notice } from '../../views/notice.ts';
import { emptyState, facts, pageHead, secretToCopy, section } from '../../views/page-parts.ts';
import { table } from '../../views/table.ts';
import { actorOf, type Visit } from '../../visit.ts';

const path = '/admin/clients';
/** How long the secret before goes on working after a rotation: time to bring the new one to the application. */
const overlapHours = 24;
const clientIdField = z.object({ clientId: z.string().max(100) });

export const clientsPage = definePage({
  path,
  access: 'admin',

  async show({ visit, sent }) {
    const clients = await listClients();
    return view({
      title: 'Applications',
      body: html`${pageHead({ title: 'Applications', lead: 'What may ask users for access to their letters, by OAuth 2.0.' })}
${section(
  'Registered applications',
  clients.length === 0
    ? emptyState('No applications yet', 'Register the first one below.')
    : html`<p>A new secret leaves the present one working for ${overlapHours} hours. Disabling is for good, and ends every access that users gave.</p>${clientTable(visit, clients)}`,
)}
${section('New application', createForm(visit, sent))}`,
    });
  },
});

export const createClientAction = defineAction({
  path,
  access: 'admin',
  form: z.object({
    name: requiredLine(100),
    mode: choice(modes),
    redirectUris: requiredLines,
    scopes: choices(scopes),
  }),
  page: clientsPage,

  async run({ visit, form, now }) {
    const { record, secret } = await createClient(form, now, actorOf(visit));
    return secretView(visit, record, secret);
  },
});

export const rotateClientSecretAction = defineAction({
  path: `${path}/rotate-secret`,
  access: 'admin',
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
  access: 'admin',
  form: clientIdField,
  page: clientsPage,

  async run({ visit, form: { clientId }, now }) {
    await disableClient(clientId, now, actorOf(visit));
    return redirect(visit.href(path, { notice: 'changeSaved' }));
  },
});

function clientTable(visit: Visit, clients: readonly OAuthClientRecord[]): Markup {
  return table<OAuthClientRecord>(
    'Registered applications',
    [
      { label: 'Name', cell: ({ name }) => html`<strong>${name}</strong>` },
      { label: 'Id', cell: ({ _id }) => html`<code>${_id}</code>` },
      { label: 'Mode', cell: ({ mode }) => modeBadge(visit.texts, mode) },
      {
        label: 'Scopes',
        cell: (client) => html`<span class="badges">${client.scopes.map((scope) => badge('neutral', scope))}</span>`,
      },
      {
        label: 'Redirect URIs',
        cell: ({ redirectUris }) =>
          html`<span>${redirectUris.map((uri, index) => html`${index === 0 ? '' : html`<br>`}<code>${uri}</code>`)}</span>`,
      },
      { label: 'Actions', isLabelHidden: true, cell: (client) => rowActions(visit, client) },
    ],
    clients,
  );
}

function rowActions(visit: Visit, { _id: clientId, name, disabledAt }: OAuthClientRecord): Markup {
  if (disabledAt) return html`${badge('danger', 'Disabled')}`;
  const button = (action: string, submit: { value: string; label: string; kind: 'plain' | 'danger' }) =>
    postForm(
      { visit, sent: noForm, action: `${path}/${action}`, isInline: true },
      (fields) =>
        html`${fields.hidden('clientId', clientId)}${fields.submit({ ...submit, describedBy: `${submit.label}: ${name} (${clientId})` })}`,
    );
  return html`<div class="actions">${button('rotate-secret', { value: 'rotate', label: 'New secret', kind: 'plain' })}${button('disable', { value: 'disable', label: 'Disable', kind: 'danger' })}</div>`;
}

function createForm(visit: Visit, sent: SentForm): Markup {
  const { modes: modeTexts, scopeTexts } = visit.texts.apiKeys;
  return postForm(
    { visit, sent, action: path },
    (
      fields,
    ) => html`${fields.text({ name: 'name', label: 'Name', hint: 'What users see when they are asked.', maxLength: 100 })}
${fields.radios({ name: 'mode', label: 'Mode', options: modes.map((mode) => ({ value: mode, ...modeTexts[mode] })), chosen: ['test'] })}
${fields.longText({ name: 'redirectUris', label: 'Redirect URIs', hint: 'One a line, 20 at most: https, in test mode also http://127.0.0.1.' })}
${fields.checkboxes({ name: 'scopes', label: 'Scopes', hint: 'The most that it may ask for.', options: scopes.map((scope) => ({ value: scope, label: scope, hint: scopeTexts[scope] })) })}
${fields.submit({ value: 'create', label: 'Register the application' })}`,
  );
}

function secretView(visit: Visit, { _id, name, formerSecretEndsAt }: OAuthClientRecord, secret: string) {
  const title = `Secret of ${name}`;
  return view({
    title,
    body: html`${pageHead({ title })}
${notice('warning', 'Hand it over now: it is shown this once, and only a fingerprint of it is stored.')}
${section(
  'Client secret',
  html`${secretToCopy({ id: 'client-secret', secret, visit })}${facts([
    ['Client id', html`<code>${_id}</code>`],
    ['Secret before', formerSecretEndsAt ? `works until ${visit.format.moment(formerSecretEndsAt)}` : 'None'],
  ])}`,
)}
<p><a class="button primary" href="${visit.href(path)}">The secret is stored</a></p>`,
  });
}
