import { html } from 'hono/html';
import { z } from 'zod';
import { definePage, type Visit } from '#api/web/account/bulk/texts.ts';
import { modeBadge, statusBadge } from '#api/web/design/badge.ts';
import { filterForm } from '#api/web/design/filter-form.ts';
import { type Markup, nothing } from '#api/web/design/markup.ts';
import { emptyState, pageHead, pagination, section } from '#api/web/design/page-parts.ts';
import { table } from '#api/web/design/table.ts';
import { view } from '#api/web/framework/answer.ts';
import type { WebServices } from '#api/web/framework/page.ts';
import { readLetter } from '#common/bulk/check/read-letter.ts';
import { type BulkRecord, hasNoRows } from '#common/bulk/model/bulk.model.ts';
import { canBePreviewed } from '#common/bulk/preview/row-letter.ts';
import { listRows, readBulkOfAnyMode, type SentRow } from '#common/bulk/read/read-bulk.ts';
import { maxSearchWords, searchRows, wordsOf } from '#common/bulk/read/search-rows.ts';
import { lineOfText } from '#common/fields/text.schema.ts';
import { takeOrRefuse } from '#common/platform/rate-limit/gcra-limiter.ts';
import { bulkParams, bulkPath } from '../bulk-parts.ts';
import { rowPath } from './row-files.ts';

const pageSize = 50;
/** Searches per organization and minute: each may read thousands of rows. */
const searchLimit = { limit: 30, burst: 20 };

/** The letters of a list, in its order: a row of the list each, named by its recipient. All, or those that a search finds. */
export const listLettersPage = definePage({
  path: `${bulkPath}/:bulkId/letters`,
  params: bulkParams,
  query: z.object({ q: lineOfText(100).optional(), cursor: z.string().max(1_024).optional() }),

  async show({ visit, params: { bulkId }, query }, services) {
    const bulk = await readBulkOfAnyMode(visit.user.organizationId, bulkId);
    const { texts, href } = visit;
    const words = texts.bulkRows;
    const back = html`${modeBadge(texts, bulk.mode)} <a class="button plain" href="${href(`${bulkPath}/${bulkId}`)}">${words.back}</a>`;
    return view({
      title: `${words.letters} · ${bulk.file.filename}`,
      body: html`${pageHead({ title: bulk.file.filename, actions: back })}
${findLetters(visit, bulk, query.q)}
${section(words.letters, await lettersOf(visit, bulk, query, services))}`,
    });
  },
});

/** Renders the form that searches the letters of a list; nothing when it has no rows. */
export function findLetters(visit: Visit, bulk: BulkRecord, q?: string): Markup {
  if (hasNoRows(bulk)) return nothing;
  const words = visit.texts.bulkRows;
  const clear = q === undefined ? undefined : { label: words.showAll, query: {} };
  return filterForm(
    { visit, path: `${bulkPath}/${bulk._id}/letters`, label: visit.texts.words.findLetters, submit: words.find, clear },
    (fields) => fields.text({ name: 'q', type: 'search', label: words.search, value: q ?? '', maxLength: 100 }),
  );
}

type Wanted = { q?: string | undefined; cursor?: string | undefined };

async function lettersOf(visit: Visit, bulk: BulkRecord, { q, cursor }: Wanted, { cursors, limiter }: WebServices) {
  const { texts, format } = visit;
  const words = texts.bulkRows;
  const page = { limit: pageSize, cursor };
  if (q !== undefined && wordsOf(q).length > maxSearchWords) {
    return emptyState(words.tooManyWords(format.number(maxSearchWords)), words.noMatchHint);
  }
  if (q !== undefined) await takeOrRefuse(limiter, { key: `list-search:${bulk.organizationId}`, ...searchLimit });
  const { rows, nextCursor, nextRow } =
    q === undefined
      ? { ...(await listRows(bulk, page, cursors)), nextRow: null }
      : await searchRows(bulk, { ...page, q }, cursors);
  const row = format.number(nextRow ?? 0);
  const none =
    nextRow === null ? emptyState(words.noMatch, words.noMatchHint) : emptyState(words.noMatchYet(row), words.goOnHint);
  const empty = q === undefined ? html`<p class="quiet">${texts.bulk.rowsRemoved}</p>` : none;
  const ofAll = { first: words.firstRows, next: words.nextRows };
  const labels = q === undefined ? ofAll : { first: words.fromFirst, next: words.goOn(row) };
  const path = `${bulkPath}/${bulk._id}/letters`;
  return html`${rows.length === 0 ? empty : letterTable(visit, bulk, rows)}${pagination({ visit, path, query: { q }, cursor, nextCursor, labels })}`;
}

function letterTable(visit: Visit, bulk: BulkRecord, rows: readonly SentRow[]): Markup {
  const { mapping, zone } = bulk;
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
          const preview = canBePreviewed(bulk) ? rowPath(bulk._id, record.row) : null;
          const path = job === null ? preview : `/account/letters/${job._id}`;
          if (path === null) return html`<span class="breakable">${name}</span>`;
          return html`<a class="row-link breakable" href="${href(path)}">${name}</a>`;
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
