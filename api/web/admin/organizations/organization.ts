import { html } from 'hono/html';
import { z } from 'zod';
import { idOf } from '#api/requests/path-id.ts';
import { definePage } from '#api/web/admin/admin-pages.ts';
import { badge, badges, modeBadge } from '#api/web/design/badge.ts';
import type { Markup } from '#api/web/design/markup.ts';
import { emptyState, facts, pageHead, section } from '#api/web/design/page-parts.ts';
import { table } from '#api/web/design/table.ts';
import { view } from '#api/web/framework/answer.ts';
import type { Visit } from '#api/web/visit/visit.ts';
import type { ApiKeyRecord } from '#common/access/api-key.model.ts';
import { listApiKeys } from '#common/access/list-api-keys.ts';
import { modes } from '#common/modes.ts';
import type { OrganizationRecord } from '#common/organizations/organization.model.ts';
import { readOrganization } from '#common/organizations/read-organizations.ts';
import { listUsers, type UserRow } from '#common/organizations/users.ts';
import { isBalanceLow } from '#common/wallet/low-balance.ts';
import { readWallet } from '#common/wallet/wallets.ts';
import { adjustForm, createUserForm, thresholdForm, topUpForm } from './organization-forms.ts';

export const organizationPath = '/admin/organizations/:organizationId';
export const organizationParams = z.object({ organizationId: idOf('org') });
/** More than almost any organization has. */
const maxKeys = 200;

type Wallet = Awaited<ReturnType<typeof readWallet>>;

export const organizationPage = definePage({
  path: organizationPath,
  params: organizationParams,

  async show({ visit, params: { organizationId }, sent }, { cursors }) {
    const organization = await readOrganization(organizationId);
    const [users, wallets, keys] = await Promise.all([
      listUsers(organizationId),
      Promise.all(modes.toReversed().map((mode) => readWallet({ organizationId, mode }))),
      listApiKeys(organizationId, { limit: maxKeys, cursor: undefined }, cursors),
    ]);
    const base = `/admin/organizations/${organizationId}`;
    const formOf = { visit, sent, base };
    const { name } = organization;
    const log = html`<a class="button plain" href="${visit.href('/admin/audit', { organizationId })}">Changes</a>`;
    return view({
      title: name,
      body: html`${pageHead({ title: name, actions: log })}
${section('Organization', organizationFacts(visit, organization))}
<h2 class="visually-hidden">Wallets</h2>
<ul class="figures">${wallets.map((wallet) => walletFigure(visit, wallet))}</ul>
${section('Top up', topUpForm(formOf))}
${section('Adjust', adjustForm(formOf))}
${section('Low balance', thresholdForm(formOf))}
${section('Users', users.length === 0 ? emptyState('No users yet', 'Create the first user below.') : userTable(visit, users))}
${section('New user', createUserForm(formOf))}
${section('API keys', keys.rows.length === 0 ? emptyState('No keys', 'Users of the organization create keys in their account.') : keyTable(visit, keys.rows))}`,
    });
  },
});

function organizationFacts({ format }: Visit, { _id, address, createdAt }: OrganizationRecord): Markup {
  const { name, line1, line2, zip, city, country } = address;
  const lines = [name, line1, line2, `${zip} ${city}`, country].filter((line) => line !== null);
  return facts([
    ['ID', html`<code>${_id}</code>`],
    ['Address', html`${lines.map((line, index) => html`${index === 0 ? '' : html`<br>`}${line}`)}`],
    ['Created', format.moment(createdAt)],
  ]);
}

function walletFigure({ texts, format }: Visit, wallet: Wallet): Markup {
  const { mode, balanceCents, lowBalanceCents } = wallet;
  const threshold = lowBalanceCents == null ? 'No low-balance threshold' : `Low below ${format.money(lowBalanceCents)}`;
  return html`<li class="sheet figure"><p class="figure-label">${texts.words.modes[mode]} wallet</p><p class="figure-value">${format.money(balanceCents)}</p><p class="quiet">${threshold} ${isBalanceLow(wallet) ? badge('warning', 'Low') : ''}</p></li>`;
}

function userTable({ format }: Visit, users: readonly UserRow[]): Markup {
  return table<UserRow>(
    'Users',
    [
      { label: 'Email', cell: ({ email }) => html`<strong>${email}</strong>` },
      { label: 'ID', cell: ({ _id }) => html`<code>${_id}</code>` },
      { label: 'Role', cell: ({ isAdmin }) => (isAdmin ? badge('info', 'Administrator') : badge('neutral', 'User')) },
      { label: 'Created', cell: ({ createdAt }) => format.date(createdAt) },
    ],
    users,
  );
}

function keyTable({ texts, format }: Visit, keys: readonly ApiKeyRecord[]): Markup {
  return table<ApiKeyRecord>(
    'API keys',
    [
      { label: 'Name', cell: ({ name }) => html`<strong>${name ?? 'Unnamed'}</strong>` },
      { label: 'ID', cell: ({ _id }) => html`<code>${_id}</code>` },
      { label: 'Mode', cell: ({ mode }) => modeBadge(texts, mode) },
      { label: 'Scopes', cell: ({ scopes }) => badges(scopes) },
      { label: 'Last used', cell: ({ lastUsedAt }) => (lastUsedAt ? format.moment(lastUsedAt) : 'Never') },
    ],
    keys,
  );
}
