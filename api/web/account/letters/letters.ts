import { html } from 'hono/html';
import { z } from 'zod';
import { statusBadge } from '#api/web/design/badge.ts';
import { filterForm } from '#api/web/design/filter-form.ts';
import type { Markup } from '#api/web/design/markup.ts';
import { emptyState, pageHead, pagination, section } from '#api/web/design/page-parts.ts';
import { table } from '#api/web/design/table.ts';
import { view } from '#api/web/framework/answer.ts';
import { readDay } from '#common/calendar.ts';
import type { CursorCodec } from '#common/cursor.ts';
import { lineOfText } from '#common/fields/text.schema.ts';
import { mailStatuses } from '#common/mail-jobs/model/mail-status.ts';
import { listMailJobs } from '#common/mail-jobs/read/read-mail-jobs.ts';
import type { SummaryRecord } from '#common/mail-jobs/views/mail-job.view.ts';
import { type Mode, modes } from '#common/modes.ts';
import { serviceTypes, zones } from '#common/services.ts';
import { nameLetter } from './letter-name.ts';
import { definePage, type Visit } from './texts.ts';

const path = '/account/letters';
const pageSize = 25;

const day = z.string().refine((text) => readDay(text) !== null);
const filters = z.object({
  mode: z.enum(modes).optional(),
  status: z.enum(mailStatuses).optional(),
  zone: z.enum(zones).optional(),
  serviceType: z.enum(serviceTypes).optional(),
  externalId: lineOfText(255).optional(),
  from: day.optional(),
  to: day.optional(),
});
type Filters = z.infer<typeof filters>;

/** The letters of an organization, newest first, with filters. */
export const lettersPage = definePage({
  path,
  query: filters.extend({ cursor: z.string().max(1_024).optional() }),

  async show({ visit, query: { cursor, ...wanted } }, { cursors }) {
    const { organizationId } = visit.user;
    const mode = wanted.mode ?? (await findUsedMode(organizationId, cursors));
    const { mode: _, ...narrowing } = wanted;
    const filter = { ...toMailFilter(narrowing), limit: pageSize, cursor };
    const { rows, nextCursor } = await listMailJobs({ organizationId, mode }, filter, cursors);
    const texts = visit.texts.letters;
    const isFiltered = Object.keys(narrowing).length > 0;
    const content =
      rows.length === 0
        ? emptyState(isFiltered ? texts.noMatch : texts.none, isFiltered ? texts.noMatchHint : texts.noneHint)
        : html`${letterTable(visit, rows)}${pagination({ visit, path, query: { ...narrowing, mode }, cursor, nextCursor })}`;
    return view({
      title: visit.texts.frame.pages.letters,
      body: html`${pageHead({ title: visit.texts.frame.pages.letters, lead: texts.lead, actions: sendLink(visit, mode) })}
${filterFields(visit, { ...narrowing, mode }, isFiltered)}
${section(`${visit.texts.frame.pages.letters} (${visit.texts.words.modes[mode]})`, content)}`,
    });
  },
});

/** Returns the default mode: live once there are live letters, otherwise test. */
export async function findUsedMode(organizationId: string, cursors: CursorCodec): Promise<Mode> {
  const { rows } = await listMailJobs({ organizationId, mode: 'live' }, { limit: 1 }, cursors);
  return rows.length > 0 ? 'live' : 'test';
}

/** Converts dates to times. Dates are whole days in Brussels time, including the last one. */
function toMailFilter({ from, to, ...rest }: Omit<Filters, 'mode'>) {
  return {
    ...rest,
    createdAfter: from === undefined ? undefined : readDay(from)?.startsAt,
    createdBefore: to === undefined ? undefined : readDay(to)?.endsAt,
  };
}

function filterFields(visit: Visit, chosen: Filters & { mode: Mode }, isFiltered: boolean): Markup {
  const { letters, words } = visit.texts;
  const one = <T extends string>(
    name: keyof Filters,
    label: string,
    values: readonly T[],
    names: Record<T, string>,
  ) => ({
    name,
    label,
    options: [{ value: '', label: words.labels.all }, ...values.map((value) => ({ value, label: names[value] }))],
    chosen: [chosen[name] ?? ''],
  });
  const clear = isFiltered ? { label: letters.clear, query: { mode: chosen.mode } } : undefined;
  return filterForm(
    { visit, path, label: words.findLetters, mode: chosen.mode, clear },
    (fields) => html`${fields.select(one('status', words.labels.status, mailStatuses, words.statuses))}
${fields.select(one('zone', letters.zone, zones, words.zones))}
${fields.select(one('serviceType', words.labels.service, serviceTypes, words.serviceTypes))}
${fields.text({ name: 'externalId', label: letters.externalId, value: chosen.externalId ?? '', maxLength: 255 })}
${fields.text({ name: 'from', type: 'date', label: letters.from, value: chosen.from ?? '' })}
${fields.text({ name: 'to', type: 'date', label: letters.to, value: chosen.to ?? '' })}`,
  );
}

function letterTable(visit: Visit, rows: readonly SummaryRecord[]): Markup {
  const { texts, format } = visit;
  const words = texts.letters;
  return table<SummaryRecord>(
    texts.frame.pages.letters,
    [
      { label: words.letter, cell: (letter) => letterLink(visit, letter) },
      { label: texts.words.labels.status, cell: ({ status }) => statusBadge(texts, status) },
      { label: texts.words.labels.service, cell: ({ serviceType }) => texts.words.serviceTypes[serviceType] },
      { label: words.zone, cell: ({ zone }) => texts.words.zones[zone] },
      { label: words.recipients, isNumber: true, cell: ({ amounts }) => format.number(amounts.recipientCount) },
      { label: words.price, isNumber: true, cell: ({ amounts }) => format.money(amounts.totalCents) },
      { label: words.created, cell: ({ createdAt }) => format.moment(createdAt) },
    ],
    rows,
  );
}

/** Renders the button that begins a letter, in this mode or in the usual one. */
export function sendLink({ texts, href }: Visit, mode?: Mode): Markup {
  return html`<a class="button primary" href="${href('/account/send', { mode })}">${texts.frame.pages.send}</a>`;
}

/** Renders a link to a letter, labelled with what its page calls it. */
export function letterLink(visit: Visit, letter: Parameters<typeof nameLetter>[0]): Markup {
  const { name, isId } = nameLetter(letter);
  const label = isId ? html`<code>${name}</code>` : html`<span class="breakable">${name}</span>`;
  return html`<a class="row-link" href="${visit.href(`${path}/${letter._id}`)}">${label}</a>`;
}
