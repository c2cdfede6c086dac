import { html } from 'hono/html';
import { z } from 'zod';
import { definePage } from '#api/web/admin/admin-pages.ts';
import { statusBadge } from '#api/web/design/badge.ts';
import { type Markup, nothing } from '#api/web/design/markup.ts';
import { emptyState, pageHead, pagination, section } from '#api/web/design/page-parts.ts';
import { table } from '#api/web/design/table.ts';
import { view } from '#api/web/framework/answer.ts';
import type { Visit } from '#api/web/visit/visit.ts';
import { type LiveMailJob, listLiveMailJobs } from '#common/mail-jobs/lifecycle/live-mail-jobs.ts';
import { waitingStatuses } from '#common/mail-jobs/model/mail-job.model.ts';

const path = '/admin/letters';
const pageSize = 50;

/** Unfinished live letters of all organizations. Shows no postal addresses. */
export const liveLettersPage = definePage({
  path,
  query: z.object({ status: z.enum(waitingStatuses).optional(), cursor: z.string().max(1_024).optional() }),

  async show({ visit, query: { status, cursor } }, { cursors }) {
    const { rows, nextCursor } = await listLiveMailJobs({ status, limit: pageSize, cursor }, cursors);
    return view({
      title: 'Live letters',
      body: html`${pageHead({ title: 'Live letters', lead: 'Letters of all organizations that are in progress, newest first.' })}
${section(
  'In progress',
  html`${filterLinks(visit, status)}${
    rows.length === 0 ? emptyState('No letters', 'No letter has this status.') : letterTable(visit, rows)
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

function letterTable({ href, texts, format }: Visit, rows: readonly LiveMailJob[]): Markup {
  return table<LiveMailJob>(
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
