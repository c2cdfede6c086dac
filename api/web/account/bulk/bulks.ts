import { html } from 'hono/html';
import { z } from 'zod';
import { modeBadge } from '#api/web/design/badge.ts';
import type { Markup } from '#api/web/design/markup.ts';
import { emptyState, pageHead, section } from '#api/web/design/page-parts.ts';
import { table } from '#api/web/design/table.ts';
import { view } from '#api/web/framework/answer.ts';
import type { BulkRecord } from '#common/bulk/model/bulk.model.ts';
import { listBulks } from '#common/bulk/read/read-bulk.ts';
import { modes } from '#common/modes.ts';
import { bulkLink, bulkPath, stateBadge } from './bulk-parts.ts';
import { definePage, type Visit } from './texts.ts';

/** Bulks of each mode on the page. Older ones are found by the API. */
const shownCount = 25;

/** The bulks of an organization in both modes, newest first. */
export const bulksPage = definePage({
  path: bulkPath,
  query: z.object({}),

  async show({ visit }, { cursors }) {
    const { organizationId } = visit.user;
    const pages = await Promise.all(
      modes.map((mode) => listBulks({ organizationId, mode }, { limit: shownCount }, cursors)),
    );
    const rows = pages.flatMap((page) => page.rows).toSorted((left, right) => (left._id < right._id ? 1 : -1));
    const texts = visit.texts.bulk;
    const create = html`<a class="button primary" href="${visit.href(`${bulkPath}/new`)}">${texts.create}</a>`;
    return view({
      title: texts.title,
      body: html`${pageHead({ title: texts.title, lead: texts.lead, actions: create })}
${section(texts.list, rows.length === 0 ? emptyState(texts.none, texts.noneHint) : bulkTable(visit, rows))}`,
    });
  },
});

function bulkTable(visit: Visit, rows: readonly BulkRecord[]): Markup {
  const { texts, format } = visit;
  const words = texts.bulk;
  return table<BulkRecord>(
    words.list,
    [
      { label: visit.texts.words.list, cell: (bulk) => bulkLink(visit, bulk) },
      { label: words.mode, cell: ({ mode }) => modeBadge(texts, mode) },
      { label: words.state, cell: (bulk) => stateBadge(visit, bulk) },
      { label: words.letters, isNumber: true, cell: ({ counts }) => format.number(counts.rows) },
      {
        label: words.price,
        isNumber: true,
        cell: ({ totalCents }) => (totalCents === null ? '–' : format.money(totalCents)),
      },
      { label: words.created, cell: ({ createdAt }) => format.moment(createdAt) },
    ],
    rows,
  );
}
