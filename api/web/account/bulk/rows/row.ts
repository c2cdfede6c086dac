import { html } from 'hono/html';
import { definePage, type Visit } from '#api/web/account/bulk/texts.ts';
import { pagePictures } from '#api/web/account/letter/letter-pages.ts';
import { modeBadge } from '#api/web/design/badge.ts';
import { type Markup, nothing } from '#api/web/design/markup.ts';
import { notice } from '#api/web/design/notice.ts';
import { facts, pageHead, section } from '#api/web/design/page-parts.ts';
import { postalAddress } from '#api/web/design/postal-address.ts';
import { redirect, view } from '#api/web/framework/answer.ts';
import { readLetter, recipientOf } from '#common/bulk/check/read-letter.ts';
import type { BulkRecord } from '#common/bulk/model/bulk.model.ts';
import type { BulkRowRecord, RowFault } from '#common/bulk/model/bulk-row.model.ts';
import { canBePreviewed, findRowLetter, readRow } from '#common/bulk/preview/row-letter.ts';
import { readBulkOfAnyMode } from '#common/bulk/read/read-bulk.ts';
import { letterFacts } from '#common/documents/preflight/letter-facts.ts';
import { AppError } from '#common/errors.ts';
import { countCopyPages } from '#common/mail-jobs/proof/item-copy.ts';
import { canBePictured } from '#common/mail-jobs/proof/proofs.ts';
import { sheetGrams } from '#common/pricing/tariff.schema.ts';
import { bulkPath, refreshing } from '../bulk-parts.ts';
import { rowParams, rowPath } from './row-files.ts';
import { notableRows } from './row-samples.ts';

/** One row of a list before it is sent: its letter, and the ways to the other rows. */
export const rowPage = definePage({
  path: `${bulkPath}/:bulkId/rows/:row`,
  params: rowParams,

  async show({ visit, params, now }, services) {
    const bulk = await readBulkOfAnyMode(visit.user.organizationId, params.bulkId);
    const list = visit.href(`${bulkPath}/${bulk._id}`);
    if (!canBePreviewed(bulk)) return redirect(list);
    const { row, before, behind } = await readRow(bulk, params.row);
    const letter = row.state === 'valid' ? findRowLetter(bulk, row.row, services, now) : null;
    const { pages, headers } = await picturesOf(visit, row, letter);
    const { texts, format } = visit;
    const words = texts.bulkRows;
    const title = texts.words.rowOfList(format.number(row.row));
    const back = html`${modeBadge(texts, bulk.mode)} <a class="button plain" href="${list}">${words.back}</a>`;
    return view({
      title: `${title} · ${bulk.file.filename}`,
      body: html`${pageHead({ title, lead: bulk.file.filename, actions: back })}
${ways(visit, bulk, { before, behind })}
${messages(visit, bulk, row)}
${row.state === 'valid' ? section(words.asPrinted, html`<div class="on-paper">${about(visit, bulk, row)}<div>${pages}</div></div>`) : nothing}`,
      headers,
    });
  },
});

async function picturesOf(
  visit: Visit,
  { bulkId, row }: BulkRowRecord,
  letter: ReturnType<typeof findRowLetter> | null,
): Promise<{ pages: Markup; headers: Refresh }> {
  const words = visit.texts.bulkRows;
  try {
    const printFile = (await letter)?.printFile;
    if (!printFile) return { pages: nothing, headers: {} };
    const href = (page: number) => visit.href(rowPath(bulkId, row, `/pages/${page}`));
    const pdf = html`<p class="actions"><a class="button plain" href="${visit.href(rowPath(bulkId, row, '/pdf'))}" target="_blank" rel="noreferrer">${words.pdf}</a></p>`;
    const pictures = canBePictured(printFile)
      ? pagePictures(visit, countCopyPages(printFile), href)
      : html`<p class="quiet">${visit.texts.letter.tooLarge}</p>`;
    return { pages: html`${pictures}${pdf}`, headers: {} };
  } catch (error) {
    const { content, headers } = whyNoLetter(visit, error);
    return { pages: content, headers };
  }
}

/** When the page is loaded again. */
type Refresh = { Refresh?: string };

/** Says why a letter cannot be shown, and when it may be. Throws any other error. */
export function whyNoLetter({ texts }: Visit, error: unknown): { content: Markup; headers: Refresh } {
  const words = texts.bulkRows;
  if (!(error instanceof AppError)) throw error;
  const { code, status, retryAfterS = 60 } = error;
  if (code === 'SERVICE_UNAVAILABLE') return { content: notice('info', words.late), headers: refreshing };
  if (code === 'RATE_LIMITED' || code === 'LIMIT_REACHED') {
    return { content: notice('warning', words.full), headers: { Refresh: String(retryAfterS) } };
  }
  if (status !== 400 && status !== 409) throw error;
  return { content: notice('danger', words.notRendered), headers: {} };
}

/** Renders the links to the row before and the row behind, and to those that are worth a look. */
function ways(visit: Visit, bulk: BulkRecord, { before, behind }: Record<'before' | 'behind', number | null>): Markup {
  const { texts, format, href } = visit;
  const words = texts.bulkRows;
  const link = (row: number, label: string, rel: Markup = nothing) =>
    html`<a class="button plain"${rel} href="${href(rowPath(bulk._id, row))}">${label}</a>`;
  const labelled = (label: string, row: number) => `${label} (${format.number(row)})`;
  // The first row with a warning is among all of them.
  const notable = notableRows(visit, bulk).filter(({ label }) => label !== words.warned);
  const warned = bulk.warnedRows ?? [];
  return html`<nav class="actions" aria-label="${words.ways}">
${before === null ? nothing : link(before, labelled(words.previous, before), html` rel="prev"`)}
${behind === null ? nothing : link(behind, labelled(words.next, behind), html` rel="next"`)}
</nav>
<nav class="quiet" aria-label="${words.jump}"><p>${words.jump}: ${notable.map(({ row, label }, index) => html`${index === 0 ? nothing : ' · '}<a href="${href(rowPath(bulk._id, row))}">${labelled(label, row)}</a>`)}</p>
${warned.length === 0 ? nothing : html`<p>${words.warnedRows}: ${warned.map((row, index) => html`${index === 0 ? nothing : ' · '}<a href="${href(rowPath(bulk._id, row))}">${format.number(row)}</a>`)}</p>`}</nav>`;
}

function messages({ texts }: Visit, { header }: BulkRecord, { state, faults, warnings }: BulkRowRecord): Markup {
  const list = (found: readonly RowFault[]) =>
    html`<ul>${found.map(({ column, code, detail }) => html`<li>${column === null ? nothing : html`<strong>${header[column] ?? ''}:</strong> `}${texts.bulk.rowFaults[code](detail ?? '')}</li>`)}</ul>`;
  const words = texts.bulkRows;
  return html`${state === 'valid' ? nothing : notice('danger', html`<p class="notice-title">${words.faulty}</p>${list(faults)}`)}
${warnings.length === 0 ? nothing : notice('warning', list(warnings))}`;
}

function about(
  { texts, format, ...visit }: Visit,
  bulk: BulkRecord,
  { cells, pages, priceCents }: BulkRowRecord,
): Markup {
  const words = texts.bulkRows;
  const { mapping, zone, doubleSided } = bulk;
  if (mapping === null) return nothing;
  const { sheets, weightGrams } = letterFacts(pages, { doubleSided, gramsPerSheet: sheetGrams });
  return facts([
    [words.address, postalAddress({ texts, format, ...visit }, recipientOf(readLetter(cells, mapping, zone)))],
    [texts.bulk.pages, format.number(pages)],
    [words.sheets, format.number(sheets)],
    [words.weight, words.grams(format.number(weightGrams))],
    [texts.bulk.price, format.money(priceCents)],
  ]);
}
