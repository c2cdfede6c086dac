import { html } from 'hono/html';
import { z } from 'zod';
import { type LiveLetter, listLiveLetters } from '../../../../common/mail-jobs/live-letters.ts';
import { waitingStatuses } from '../../../../common/mail-jobs/mail-job.model.ts';
import { view } from '../../answer.ts';
import type { Markup } from '../../markup.ts';
import { nothing } from '../../markup.ts';
import { definePage } from '../../page.ts';
import { statusBadge } from '../../views/badge.ts';
import { emptyState, pageHead, pagination, section } from '../../views/page-parts.ts';
import { table } from '../../views/table.ts';
import type { Visit } from '../../visit.ts';

const path = '/admin/letters';
const pageSize = 50;

/** Live letters that wait for something, of all organizations. Nobody's address stands here. */
export const liveLettersPage = definePage({
  path,
  access: 'admin',
  query: z.object({ status: z.enum(waitingStatuses).optional(), cursor: z.string().max(1_024).optional() }),

  async show({ visit, query: { status, cursor } }, { cursors }) {
    const { rows, nextCursor } = await listLiveLetters({ status, limit: pageSize, cursor }, cursors);
    return view({
      title: 'Live letters',
      body: html`${pageHead({ title: 'Live letters', lead: 'Letters of all organizations that are on their way, the newest first.' })}
${section(
  'On their way',
  html`${filterLinks(visit, status)}${
    rows.length === 0 ? emptyState('No letters', 'None is waiting in this status.') : letterTable(visit, rows)
  }${pagination({ visit, path, query: { status }, cursor, nextCursor })}`,
)}`,
    });
  },
});

function filterLinks({ href, texts }: Visit, chosen: string | undefined): Markup {
  const link = (label: string, status?: string) =>
    html`<li><a href="${href(path, { status })}"${chosen === status ? html` aria-current="page"` : nothing}>${label}</a></li>`;
  return html`<nav aria-label="Status"><ul class="links">${link('All')}${waitingStatuses.map((status) => link(texts.words.statuses[status], status))}</ul></nav>`;
}

function letterTable({ href, texts, format }: Visit, rows: readonly LiveLetter[]): Markup {
  return table<LiveLetter>(
    'Live letters',
    [
      { label: 'Letter', cell: ({ _id }) => html`<a href="${href(`${path}/${_id}`)}"><code>${_id}</code></a>` },
      { label: 'Status', cell: ({ status }) => statusBadge(texts, status) },
      { label: 'Service', cell: ({ serviceType }) => texts.words.serviceTypes[serviceType] },
      { label: 'Zone', cell: ({ zone }) => texts.words.zones[zone] },
      { label: 'Recipients', isNumber: true, cell: ({ amounts }) => format.number(amounts.recipientCount) },
      { label: 'Drop', cell: ({ dropAt }) => format.moment(dropAt) },
    ],
    rows,
  );
}
