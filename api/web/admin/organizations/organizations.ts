import { html } from 'hono/html';
import { z } from 'zod';
import { defineAction, definePage } from '#api/web/admin/admin-pages.ts';
import { postForm } from '#api/web/design/form.ts';
import { type Markup, nothing } from '#api/web/design/markup.ts';
import { emptyState, pageHead, pagination, section } from '#api/web/design/page-parts.ts';
import { table } from '#api/web/design/table.ts';
import { redirect, view } from '#api/web/framework/answer.ts';
import { optionalPrintedLine, requiredPrintedLine } from '#api/web/framework/forms/form-fields.ts';
import { FormRefusal } from '#api/web/framework/forms/form-refusal.ts';
import type { SentForm } from '#api/web/visit/sent-form.ts';
import { actorOf, type Visit } from '#api/web/visit/visit.ts';
import { plainZip } from '#common/countries.ts';
import { CountryCode, checkZip } from '#common/fields/text.schema.ts';
import { listOrganizations, type OrganizationRow } from '#common/organizations/read-organizations.ts';
import { openAccount } from '#common/wallet/open-account.ts';

const path = '/admin/organizations';
const pageSize = 50;

export const organizationsPage = definePage({
  path,
  query: z.object({ search: z.string().trim().min(1).max(100).optional(), cursor: z.string().max(1_024).optional() }),

  async show({ visit, query: { search, cursor }, sent }, { cursors }) {
    const { rows, nextCursor } = await listOrganizations({ search, limit: pageSize, cursor }, cursors);
    const isWithout = rows.length === 0;
    return view({
      title: 'Organizations',
      body: html`${pageHead({ title: 'Organizations', lead: 'Customers, each with a test and a live wallet.' })}
${section(
  'All organizations',
  html`${searchForm(visit, search)}${
    isWithout
      ? emptyState('No organization found', 'Search for the start of a name or for a full ID.')
      : organizationTable(visit, rows)
  }${pagination({ visit, path, query: { search }, cursor, nextCursor })}`,
)}
${section('New organization', createForm(visit, sent))}`,
    });
  },
});

export const createOrganizationAction = defineAction({
  path,
  form: z.object({
    name: requiredPrintedLine(100),
    line1: requiredPrintedLine(100),
    line2: optionalPrintedLine(100),
    zip: requiredPrintedLine(16).overwrite(plainZip),
    city: requiredPrintedLine(80),
    country: CountryCode,
  }),
  page: organizationsPage,

  async run({ visit, form, now }, { keyRing }) {
    const problem = checkZip(form);
    if (problem) throw new FormRefusal({ zip: problem });
    const organization = await openAccount({ name: form.name, address: form }, keyRing, now, actorOf(visit));
    return redirect(visit.href(`${path}/${organization._id}`, { notice: 'changeSaved' }));
  },
});

function searchForm(visit: Visit, search: string | undefined): Markup {
  return html`<form method="get" action="${visit.href(path)}" role="search">
<div class="field"><label for="search">Name or ID</label><input type="search" id="search" name="search" value="${search ?? ''}" maxlength="100" autocomplete="off"></div>
<div class="actions"><button class="button plain">Search</button>${search === undefined ? nothing : html`<a class="button quiet" href="${visit.href(path)}">Show all</a>`}</div>
</form>`;
}

function organizationTable({ href, format }: Visit, rows: readonly OrganizationRow[]): Markup {
  return table<OrganizationRow>(
    'All organizations',
    [
      {
        label: 'Name',
        cell: ({ _id, name }) => html`<a href="${href(`${path}/${_id}`)}"><strong>${name}</strong></a>`,
      },
      { label: 'ID', cell: ({ _id }) => html`<code>${_id}</code>` },
      { label: 'Created', cell: ({ createdAt }) => format.date(createdAt) },
    ],
    rows,
  );
}

function createForm(visit: Visit, sent: SentForm): Markup {
  return postForm(
    { visit, sent, action: path },
    (
      fields,
    ) => html`${fields.text({ name: 'name', label: 'Name', hint: 'Also used as the sender of its letters.', maxLength: 100 })}
${fields.text({ name: 'line1', label: 'Street and number', maxLength: 100 })}
${fields.text({ name: 'line2', label: 'Address line 2', isOptional: true, maxLength: 100 })}
${fields.text({ name: 'zip', label: 'Postal code', maxLength: 16 })}
${fields.text({ name: 'city', label: 'City', maxLength: 80 })}
${fields.text({ name: 'country', label: 'Country', hint: 'Two capital letters, such as BE.', value: 'BE', maxLength: 2 })}
${fields.submit({ value: 'create', label: 'Create organization' })}`,
  );
}
