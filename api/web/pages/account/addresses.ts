import { html } from 'hono/html';
import { z } from 'zod';
import { type AddressRecord, addressKinds } from '../../../../common/addresses/address.model.ts';
import { listAddresses } from '../../../../common/addresses/read-addresses.ts';
import type { CursorCodec } from '../../../../common/cursor.ts';
import { type Mode, modes } from '../../../../common/modes.ts';
import { lineOfText } from '../../../../common/text.schema.ts';
import { view } from '../../answer.ts';
import type { Markup } from '../../markup.ts';
import { definePage } from '../../page.ts';
import { badge } from '../../views/badge.ts';
import { filterForm } from '../../views/filter-form.ts';
import { emptyState, pageHead, pagination, section } from '../../views/page-parts.ts';
import { postalAddress } from '../../views/postal-address.ts';
import { table } from '../../views/table.ts';
import type { Visit } from '../../visit.ts';

const path = '/account/addresses';
const pageSize = 25;

const filters = z.object({
  mode: z.enum(modes).optional(),
  kind: z.enum(addressKinds).optional(),
  q: lineOfText(100).optional(),
});
type Filters = z.infer<typeof filters>;

/** An organization's address book, one for each mode. */
export const addressesPage = definePage({
  path,
  access: 'user',
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
      title: texts.title,
      body: html`${pageHead({ title: texts.title, lead: texts.lead, actions: add })}
${filterFields(visit, { ...narrowing, mode }, isFiltered)}
${section(`${texts.list} (${visit.texts.words.modes[mode]})`, content)}`,
    });
  },
});

/** The book of real letters, once there is anything in it. */
async function findUsedMode(organizationId: string, cursors: CursorCodec): Promise<Mode> {
  const { rows } = await listAddresses({ organizationId, mode: 'live' }, { limit: 1 }, cursors);
  return rows.length > 0 ? 'live' : 'test';
}

function filterFields(visit: Visit, chosen: Filters & { mode: Mode }, isFiltered: boolean): Markup {
  const { addresses: texts, words } = visit.texts;
  const clear = isFiltered ? { label: texts.clear, query: { mode: chosen.mode } } : undefined;
  return filterForm(
    { visit, path, label: texts.filter, submit: texts.apply, clear },
    (fields) => html`${fields.select({
      name: 'mode',
      label: texts.mode,
      options: modes.map((value) => ({ value, label: words.modes[value] })),
      chosen: [chosen.mode],
    })}
${fields.select({
  name: 'kind',
  label: texts.kind,
  options: [{ value: '', label: texts.all }, ...addressKinds.map((value) => ({ value, label: texts.kinds[value] }))],
  chosen: [chosen.kind ?? ''],
})}
${fields.text({ name: 'q', type: 'search', label: texts.search, value: chosen.q ?? '', maxLength: 100 })}`,
  );
}

function addressTable(visit: Visit, rows: readonly AddressRecord[]): Markup {
  const texts = visit.texts.addresses;
  return table<AddressRecord>(
    texts.list,
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
        label: texts.actions,
        isLabelHidden: true,
        cell: ({ _id, name }) =>
          html`<a class="button plain" href="${visit.href(`${path}/${_id}`)}" aria-label="${texts.editOf(name)}">${texts.edit}</a>`,
      },
    ],
    rows,
  );
}
