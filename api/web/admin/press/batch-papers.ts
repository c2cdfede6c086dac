import { html } from 'hono/html';
import { z } from 'zod';
import { definePage } from '#api/web/admin/admin-pages.ts';
import { type Markup, nothing } from '#api/web/design/markup.ts';
import { download, redirect } from '#api/web/framework/answer.ts';
import type { AnyPage } from '#api/web/framework/page.ts';
import type { Visit } from '#api/web/visit/visit.ts';
import { notFound } from '#common/errors.ts';
import type { BatchRecord } from '#common/production/batches/batch.model.ts';
import { readBatch } from '#common/production/batches/read-batch.ts';
import { type BatchPaper, makeBatchPaper } from '#common/production/operator/batch-papers.ts';
import { batchParams, batchPath, pressPath } from './press-parts.ts';

export const jobTicketPage = declarePaper('job-ticket');
export const depositSlipPage = declarePaper('deposit-slip');

function declarePaper(paper: BatchPaper): AnyPage {
  return definePage({
    path: `${pressPath}/:batchId/${paper}`,
    params: batchParams,
    isFile: true,

    async show({ params: { batchId } }, { papers }) {
      const body = await makeBatchPaper(batchId, paper, papers);
      return download({ contentType: 'application/pdf', filename: `${paper}-${batchId}.pdf`, body });
    },
  });
}

/** A print part of a batch. Its signed URL is made when it is opened, because it expires. */
export const printPartPage = definePage({
  path: `${pressPath}/:batchId/print/:part`,
  params: batchParams.extend({ part: z.coerce.number<string>().int().min(1).max(10_000) }),
  isFile: true,

  async show({ params: { batchId, part }, now }, { store }) {
    const { printParts } = await readBatch(batchId);
    const { s3Key } = printParts[part - 1] ?? {};
    if (s3Key === undefined) throw notFound();
    return redirect(await store.presignGet({ key: s3Key, expiresInS: urlLifeS, at: now }));
  },
});

/** A download begins within this time. */
const urlLifeS = 300;

/** Renders the links to the papers of a batch, and to its copies when an operator prints them. */
export function paperLinks(
  { href, format }: Visit,
  { _id: batchId, provider, printParts, doubleSided }: BatchRecord,
): Markup {
  const link = (name: string, label: string, kind = 'plain') =>
    html`<a class="button ${kind}" href="${href(`${batchPath(batchId)}/${name}`)}" download>${label}</a>`;
  const parts = printParts.map(({ firstSequence, copyCount, pageCount }, index) => {
    const copies = `items ${format.number(firstSequence)} to ${format.number(firstSequence + copyCount - 1)}`;
    const label = printParts.length === 1 ? 'Letters to print' : `Letters to print, ${copies}`;
    return link(`print/${index + 1}`, `${label} (PDF, ${format.number(pageCount)} pages)`, 'primary');
  });
  const isMaking = provider === 'manual' && parts.length === 0;
  return html`<div class="actions">${parts}${link('job-ticket', 'Job ticket (PDF)')}${link('deposit-slip', 'Deposit slip (PDF)')}</div>
${isMaking ? html`<p class="quiet">The PDF with the letters is being made, or was removed after 30 days.</p>` : nothing}
${parts.length === 0 ? nothing : html`<p class="quiet">Print on ${doubleSided === false ? 'one side' : 'both sides'}, in actual size. Each letter begins on the front of a sheet.</p>`}`;
}
