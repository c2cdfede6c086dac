import { html } from 'hono/html';
import { z } from 'zod';
import { badges, modeBadge } from '#api/web/design/badge.ts';
import { buttonForm, postForm } from '#api/web/design/form.ts';
import type { Markup } from '#api/web/design/markup.ts';
import { accountLinks } from '#api/web/design/navigation.ts';
import { notice } from '#api/web/design/notice.ts';
import { emptyState, pageHead, pagination, secretToCopy, section } from '#api/web/design/page-parts.ts';
import { table } from '#api/web/design/table.ts';
import { redirect, view } from '#api/web/framework/answer.ts';
import { choice, choices, optionalLine } from '#api/web/framework/forms/form-fields.ts';
import { FormRefusal } from '#api/web/framework/forms/form-refusal.ts';
import type { SentForm } from '#api/web/visit/sent-form.ts';
import { actorOf } from '#api/web/visit/visit.ts';
import type { ApiKeyRecord } from '#common/access/api-key.model.ts';
import { createApiKey, revokeApiKey } from '#common/access/api-keys.ts';
import { findApiKey, listApiKeys } from '#common/access/list-api-keys.ts';
import { type Scope, scopes } from '#common/access/scopes.ts';
import { hasCode } from '#common/errors.ts';
import { type Mode, modes } from '#common/modes.ts';
import { defineAction, definePage, type Visit } from './texts.ts';

const path = '/account/api-keys';
/** More than almost any organization has. */
const pageSize = 200;

export const apiKeysPage = definePage({
  path,
  query: z.object({ cursor: z.string().max(1_024).optional() }),

  async show({ visit, query: { cursor }, sent }, { cursors }) {
    const texts = visit.texts.apiKeys;
    const page = await listApiKeys(visit.user.organizationId, { limit: pageSize, cursor }, cursors);
    const { rows, nextCursor } = page;
    return view({
      title: visit.texts.frame.pages.apiKeys,
      body: html`${pageHead({ title: visit.texts.frame.pages.apiKeys, lead: texts.lead })}
${section(texts.create, createForm(visit, sent))}
${section(
  texts.existing,
  rows.length === 0
    ? emptyState(texts.none, texts.noneHint)
    : html`${keyTable(visit, rows)}${pagination({ visit, path, query: {}, cursor, nextCursor })}`,
)}
${section(texts.more, accountList(visit))}`,
    });
  },
});

export const createKeyAction = defineAction({
  path,
  form: z.object({ name: optionalLine(100), mode: choice(modes), scopes: choices(scopes) }),
  page: apiKeysPage,

  async run({ visit, form, now }, { baseUrl }) {
    const wanted = { organizationId: visit.user.organizationId, ...form };
    const { key } = await createApiKey(wanted, now, actorOf(visit)).catch((error: unknown) => {
      throw hasCode(error, 'LIMIT_REACHED') ? new FormRefusal({ '': 'tooManyKeys' }, { status: 409 }) : error;
    });
    return newKeyView(visit, key, baseUrl);
  },
});

export const revokeKeyAction = defineAction({
  path: `${path}/revoke`,
  form: z.object({ keyId: z.string().max(100) }),
  page: apiKeysPage,

  async run({ visit, form: { keyId }, now }, { revocations }) {
    const { _id } = await findApiKey(visit.user.organizationId, keyId);
    await revokeApiKey(_id, revocations, now, actorOf(visit));
    return redirect(visit.href(path, { notice: 'keyRevoked' }));
  },
});

function createForm(visit: Visit, sent: SentForm): Markup {
  const texts = visit.texts.apiKeys;
  const modeOptions = modes.map((mode: Mode) => ({ value: mode, ...texts.modes[mode] }));
  const scopeOptions = scopes.map((scope: Scope) => ({ value: scope, label: scope, hint: texts.scopeTexts[scope] }));
  return postForm(
    { visit, sent, action: path },
    (
      fields,
    ) => html`${fields.text({ name: 'name', label: texts.name, hint: texts.nameHint, isOptional: true, maxLength: 100 })}
${fields.radios({ name: 'mode', label: visit.texts.words.labels.mode, options: modeOptions, chosen: ['test'] })}
${fields.checkboxes({ name: 'scopes', label: texts.scopes, hint: texts.scopesHint, options: scopeOptions, chosen: ['read', 'send'] })}
${fields.submit({ value: 'create', label: texts.submit })}`,
  );
}

function keyTable(visit: Visit, rows: readonly ApiKeyRecord[]): Markup {
  const { texts, format } = visit;
  const words = texts.apiKeys;
  const nameOf = ({ name }: ApiKeyRecord) => name ?? words.unnamed;
  const revoke = (key: ApiKeyRecord) => {
    const describedBy = words.revokeOf(`${nameOf(key)} (${key._id})`);
    const form = { visit, action: `${path}/revoke`, hidden: { keyId: key._id } };
    return buttonForm(form, { value: 'revoke', label: words.revoke, kind: 'danger', describedBy });
  };
  return table<ApiKeyRecord>(
    words.existing,
    [
      { label: words.name, cell: (key) => html`<strong>${nameOf(key)}</strong>` },
      { label: words.id, cell: ({ _id }) => html`<code>${_id}</code>` },
      { label: texts.words.labels.mode, cell: ({ mode }) => modeBadge(texts, mode) },
      { label: words.scopes, cell: (key) => badges(key.scopes) },
      { label: words.created, cell: ({ createdAt }) => format.date(createdAt) },
      { label: words.lastUsed, cell: ({ lastUsedAt }) => (lastUsedAt ? format.moment(lastUsedAt) : words.never) },
      { label: words.revoke, isLabelHidden: true, cell: revoke },
    ],
    // IDs are random. Users look for the key that they created last, so sort by creation time.
    rows.toSorted((left, right) => right.createdAt.getTime() - left.createdAt.getTime()),
  );
}

/** Links to all other pages of the account. */
function accountList(visit: Visit): Markup {
  const others = accountLinks.filter((link) => link.path !== path);
  return html`<ul class="links">${others.map((link) => html`<li><a href="${visit.href(link.path)}">${visit.texts.frame.pages[link.label]}</a></li>`)}</ul>`;
}

function newKeyView(visit: Visit, key: string, baseUrl: string) {
  const texts = visit.texts.apiKeys;
  const example = `curl -H 'Authorization: Bearer ${key}' ${baseUrl}/v1/mails`;
  return view({
    title: texts.createdTitle,
    body: html`${pageHead({ title: texts.createdTitle })}
${notice('warning', texts.createdLead)}
${section(texts.createdKey, secretToCopy({ id: 'new-key', secret: key, visit }))}
${section(texts.tryIt, html`<pre tabindex="0"><code>${example}</code></pre>`)}
<p><a class="button primary" href="${visit.href(path)}">${texts.back}</a></p>`,
  });
}
