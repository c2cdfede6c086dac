import { html } from 'hono/html';
import { z } from 'zod';
import { badge } from '#api/web/design/badge.ts';
import { filterForm } from '#api/web/design/filter-form.ts';
import type { Markup } from '#api/web/design/markup.ts';
import { emptyState, pageHead, pagination, section } from '#api/web/design/page-parts.ts';
import { postalAddress } from '#api/web/design/postal-address.ts';
import { table } from '#api/web/design/table.ts';
import { view } from '#api/web/framework/answer.ts';
import { type AddressRecord, addressKinds } from '#common/addresses/address.model.ts';
import { listAddresses } from '#common/addresses/read-addresses.ts';
import type { CursorCodec } from '#common/cursor.ts';
import { lineOfText } from '#common/fields/text.schema.ts';
import { type Mode, modes } from '#common/modes.ts';
import { definePage, type Visit } from './texts.ts';

const path = '/account/addresses';
const pageSize = 25;

const filters = z.object({
  mode: z.enum(modes).optional(),
  kind: z.enum(addressKinds).optional(),
  q: lineOfText(100).optional(),
});
type Filters = z.infer<typeof filters>;

/** The address book of an organization. Each mode has its own. */
export const addressesPage = definePage({
  path,
  query: filters.extend({ cursor: z.string().max(1_024).optional() }),

  async show({ visit, query: { cursor, mode: wanted, ...narrowing } }, { cursors }) {
    const { organizationId } = visit.user;
    const mode = wanted ?? (await findUsedMode(organizationId, cursors));
    const filter = { ...narrowing, limit: pageSize, cursor };
    const { rows, nextCursor } = await listAddresses({ organizationId, mode }, filter, cursors);
    const texts = visit.texts.addresses;
    const isFiltered = Object.keys(narrowing).length > 0;
    const content =
      rows.length === 0
        ? emptyState(isFiltered ? texts.noMatch : texts.none, isFiltered ? texts.noMatchHint : texts.noneHint)
        : html`${addressTable(visit, rows)}${pagination({ visit, path, query: { ...narrowing, mode }, cursor, nextCursor })}`;
    const add = html`<a class="button primary" href="${visit.href(`${path}/new`, { mode })}">${texts.add}</a>`;
    return view({
      title: visit.texts.frame.pages.addresses,
      body: html`${pageHead({ title: visit.texts.frame.pages.addresses, lead: texts.lead, actions: add })}
${filterFields(visit, { ...narrowing, mode }, isFiltered)}
${section(`${visit.texts.frame.pages.addresses} (${visit.texts.words.modes[mode]})`, content)}`,
    });
  },
});

/** Returns the default mode: live once the live address book has entries, otherwise test. */
async function findUsedMode(organizationId: string, cursors: CursorCodec): Promise<Mode> {
  const { rows } = await listAddresses({ organizationId, mode: 'live' }, { limit: 1 }, cursors);
  return rows.length > 0 ? 'live' : 'test';
}

function filterFields(visit: Visit, chosen: Filters & { mode: Mode }, isFiltered: boolean): Markup {
  const { addresses: texts, words } = visit.texts;
  const clear = isFiltered ? { label: texts.clear, query: { mode: chosen.mode } } : undefined;
  return filterForm(
    { visit, path, label: texts.filter, mode: chosen.mode, clear },
    (fields) => html`${fields.select({
      name: 'kind',
      label: texts.kind,
      options: [
        { value: '', label: words.labels.all },
        ...addressKinds.map((value) => ({ value, label: texts.kinds[value] })),
      ],
      chosen: [chosen.kind ?? ''],
    })}
${fields.text({ name: 'q', type: 'search', label: texts.search, value: chosen.q ?? '', maxLength: 100 })}`,
  );
}

function addressTable(visit: Visit, rows: readonly AddressRecord[]): Markup {
  const texts = visit.texts.addresses;
  return table<AddressRecord>(
    visit.texts.frame.pages.addresses,
    [
      { label: texts.name, cell: ({ name }) => html`<strong>${name}</strong>` },
      { label: texts.address, cell: (entry) => postalAddress(visit, entry, { hasName: false }) },
      {
        label: texts.kind,
        cell: ({ kind, isDefault }) =>
          html`<span class="badges">${badge('neutral', texts.kinds[kind])}${isDefault ? badge('success', texts.isDefault) : ''}</span>`,
      },
      { label: texts.label, cell: ({ label }) => label ?? '–' },
      { label: texts.id, cell: ({ _id }) => html`<code>${_id}</code>` },
      {
        label: texts.edit,
        isLabelHidden: true,
        cell: ({ _id, name }) =>
          html`<a class="button plain" href="${visit.href(`${path}/${_id}`)}" aria-label="${texts.editOf(name)}">${texts.edit}</a>`,
      },
    ],
    rows,
  );
}
