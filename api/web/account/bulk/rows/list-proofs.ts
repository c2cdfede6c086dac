import { html } from 'hono/html';
import { definePage, type Visit } from '#api/web/account/bulk/texts.ts';
import { modeBadge } from '#api/web/design/badge.ts';
import { nothing } from '#api/web/design/markup.ts';
import { notice } from '#api/web/design/notice.ts';
import { pageHead, section } from '#api/web/design/page-parts.ts';
import { redirect, view } from '#api/web/framework/answer.ts';
import type { WebServices } from '#api/web/framework/page.ts';
import type { BulkRecord } from '#common/bulk/model/bulk.model.ts';
import { findLettersTogether } from '#common/bulk/preview/letters-together.ts';
import { canBePreviewed } from '#common/bulk/preview/row-letter.ts';
import { readBulkOfAnyMode } from '#common/bulk/read/read-bulk.ts';
import { takeOrRefuse } from '#common/platform/rate-limit/gcra-limiter.ts';
import { bulkPath } from '../bulk-parts.ts';
import { whyNoLetter } from './row.ts';
import { rowParams } from './row-files.ts';

/** Looks per organization and minute. A page that waits for letters reloads every 3 s. */
const proofsLimit = { limit: 30, burst: 20 };

/** One PDF of the letters from a row of a list on, as they are printed, and the way to the next ones. */
export const listProofsPage = definePage({
  path: `${bulkPath}/:bulkId/proofs/:row`,
  params: rowParams,

  async show({ visit, params: { bulkId, row }, now }, services) {
    const bulk = await readBulkOfAnyMode(visit.user.organizationId, bulkId);
    const { texts, href } = visit;
    const list = href(`${bulkPath}/${bulkId}`);
    if (bulk.confirmedAt === null && !canBePreviewed(bulk)) return redirect(list);
    await takeOrRefuse(services.limiter, { key: `list-proofs:${bulk.organizationId}`, ...proofsLimit });
    const { content, headers } = await together(visit, bulk, row, services, now).then(
      (shown) => ({ content: shown, headers: {} }),
      (error: unknown) => whyNoLetter(visit, error),
    );
    const title = texts.bulkRows.proofs;
    const back = html`${modeBadge(texts, bulk.mode)} <a class="button plain" href="${list}">${texts.bulkRows.back}</a>`;
    return view({
      title: `${title} · ${bulk.file.filename}`,
      body: html`${pageHead({ title, lead: bulk.file.filename, actions: back })}${content}`,
      headers,
    });
  },
});

async function together(
  { texts, format, href }: Visit,
  bulk: BulkRecord,
  row: number,
  services: WebServices,
  at: Date,
) {
  const words = texts.bulkRows;
  const { letters, firstRow, lastRow, refusedRows, nextRow } = await findLettersTogether(bulk, row, services, at);
  const to = { keptFor: bulk._id, filename: `letters-${firstRow}-${lastRow}.pdf` };
  const signed = letters.length === 0 ? null : await services.proofs.signTogether(letters, to, at);
  const next = nextRow === null ? null : href(`${bulkPath}/${bulk._id}/proofs/${nextRow}`);
  const refused = words.notRenderedRows(format.list(refusedRows.map(format.number)));
  return section(
    words.proofsOf(format.number(firstRow), format.number(lastRow)),
    html`${refusedRows.length === 0 ? nothing : notice('danger', refused)}<p>${signed ? words.proofsLead : words.noProofs}</p><p class="actions">${signed ? html`<a class="button primary" href="${signed.url}" target="_blank" rel="noreferrer">${words.pdf}</a>` : nothing}${next === null ? nothing : html`<a class="button plain" rel="next" href="${next}">${words.nextProofs}</a>`}</p>`,
  );
}
