import { html } from 'hono/html';
import type { Visit } from '#api/web/account/bulk/texts.ts';
import { height, width } from '#api/web/account/letter/letter-pages.ts';
import { type Markup, nothing } from '#api/web/design/markup.ts';
import { section } from '#api/web/design/page-parts.ts';
import { table } from '#api/web/design/table.ts';
import type { BulkRecord } from '#common/bulk/model/bulk.model.ts';
import type { BulkOverview } from '#common/bulk/model/bulk-overview.ts';
import { bulkPath } from '../bulk-parts.ts';
import { rowPath } from './row-files.ts';

const maxSamples = 3;

/** Returns the rows that are worth a look, each with the reason. A row can have several. */
export function notableRows(
  { texts }: Visit,
  { overview, template, documents, warnedRows = [] }: BulkRecord,
): { row: number; label: string }[] {
  const words = texts.bulkRows;
  const { firstRow = null, longestAddress = null, longestText = null } = overview ?? {};
  // All letters with one document have the same text.
  const hasTexts = template !== undefined || (documents?.length ?? 0) > 0;
  const found: [number | null | undefined, string][] = [
    [firstRow, words.first],
    [longestAddress?.row, words.longestAddress],
    [warnedRows[0], words.warned],
    [hasTexts ? longestText?.row : null, words.longestText],
  ];
  return found.flatMap(([row, label]) => (row == null ? [] : [{ row, label }]));
}

/** Renders the first page of three rows, with links to them and to all others. */
export function rowSamples(visit: Visit, bulk: BulkRecord): Markup {
  const words = visit.texts.bulkRows;
  const byRow = Map.groupBy(notableRows(visit, bulk), ({ row }) => row);
  if (byRow.size === 0) return nothing;
  const samples = [...byRow].slice(0, maxSamples);
  const figure = ([row, reasons]: (typeof samples)[number]) => {
    const name = `${visit.texts.words.rowOfList(visit.format.number(row))}: ${reasons.map(({ label }) => label).join(', ')}`;
    const picture = visit.href(rowPath(bulk._id, row, '/pages/1'));
    return html`<li><a href="${visit.href(rowPath(bulk._id, row))}"><img src="${picture}" alt="" width="${width}" height="${height}" loading="lazy" decoding="async"><span>${name}</span></a></li>`;
  };
  const [[first] = [0]] = samples;
  return section(
    words.samples,
    html`<p>${words.samplesLead}</p><ul class="pages">${samples.map(figure)}</ul>
<p class="actions"><a class="button plain" href="${visit.href(rowPath(bulk._id, first))}">${words.seeAll}</a><a class="button plain" href="${visit.href(`${bulkPath}/${bulk._id}/proofs/1`)}">${words.proofs}</a></p>`,
  );
}

/** Renders what the letters to each country cost. */
export function countryTable({ texts, format }: Visit, { overview, serviceType }: BulkRecord): Markup {
  if (!overview) return nothing;
  const words = texts.bulkRows;
  return table<BulkOverview['countries'][number]>(
    words.countries,
    [
      { label: words.country, cell: ({ country }) => format.country(country) },
      { label: texts.bulk.service, cell: () => texts.words.serviceTypes[serviceType] },
      { label: texts.bulk.letters, isNumber: true, cell: ({ letters }) => format.number(letters) },
      { label: texts.bulk.sum, isNumber: true, cell: ({ cents }) => format.money(cents) },
    ],
    overview.countries,
  );
}
