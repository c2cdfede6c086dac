import { html } from 'hono/html';
import { z } from 'zod';
import { modeBadge, statusBadge } from '#api/web/design/badge.ts';
import type { Markup } from '#api/web/design/markup.ts';
import { pageHead, pagination, section } from '#api/web/design/page-parts.ts';
import { table } from '#api/web/design/table.ts';
import { view } from '#api/web/framework/answer.ts';
import { definePage } from '#api/web/framework/page.ts';
import type { Visit } from '#api/web/framework/visit.ts';
import { readLetter } from '#common/bulk/check/read-letter.ts';
import type { BulkRecord } from '#common/bulk/model/bulk.model.ts';
import { listRows, readBulkOfAnyMode, type SentRow } from '#common/bulk/read/read-bulk.ts';
import { bulkParams, bulkPath } from '../bulk-parts.ts';

const pageSize = 50;

/** The letters of a list, in its order: a row of the list each, named by its recipient. */
export const listLettersPage = definePage({
  path: `${bulkPath}/:bulkId/letters`,
  access: 'user',
  params: bulkParams,
  query: z.object({ cursor: z.string().max(1_024).optional() }),

  async show({ visit, params: { bulkId }, query: { cursor } }, { cursors }) {
    const bulk = await readBulkOfAnyMode(visit.user.organizationId, bulkId);
    const list = `${bulkPath}/${bulkId}`;
    const { rows, nextCursor } = await listRows(bulk, { limit: pageSize, cursor }, cursors);
    const { texts, href } = visit;
    const words = texts.bulkRows;
    const back = html`${modeBadge(texts, bulk.mode)} <a class="button plain" href="${href(list)}">${words.back}</a>`;
    const labels = { first: words.firstRows, next: words.nextRows };
    return view({
      title: `${words.letters} · ${bulk.file.filename}`,
      body: html`${pageHead({ title: bulk.file.filename, actions: back })}
${section(
  words.letters,
  rows.length === 0
    ? html`<p class="quiet">${texts.bulk.rowsRemoved}</p>`
    : html`${letterTable(visit, bulk, rows)}${pagination({ visit, path: `${list}/letters`, query: {}, cursor, nextCursor, labels })}`,
)}`,
    });
  },
});

function letterTable(visit: Visit, { mapping, zone }: BulkRecord, rows: readonly SentRow[]): Markup {
  const { texts, format, href } = visit;
  const words = texts.bulkRows;
  const read = ({ cells }: SentRow['record']) =>
    mapping === null || cells.length === 0 ? null : readLetter(cells, mapping, zone);
  return table<SentRow>(
    words.letters,
    [
      { label: words.row, isNumber: true, cell: ({ record }) => format.number(record.row) },
      {
        label: words.recipient,
        cell({ record, job }) {
          const letter = read(record);
          const name = letter === null ? words.redacted : `${letter.name}, ${letter.town}`;
          if (job === null) return html`<span class="breakable">${name}</span>`;
          return html`<a class="row-link breakable" href="${href(`/account/letters/${job._id}`)}">${name}</a>`;
        },
      },
      {
        label: words.reference,
        cell: ({ record }) => html`<span class="breakable">${read(record)?.reference ?? ''}</span>`,
      },
      {
        label: texts.words.labels.status,
        cell: ({ record: { state }, job }) =>
          job === null ? (state === 'valid' ? words.notSent : words.refused) : statusBadge(texts, job.status),
      },
    ],
    rows,
  );
}
