import { html } from 'hono/html';
import type { Markup } from '#api/web/design/markup.ts';
import { download } from '#api/web/framework/answer.ts';
import { type AnyPage, definePage } from '#api/web/framework/page.ts';
import type { Visit } from '#api/web/framework/visit.ts';
import { type BatchPaper, makeBatchPaper } from '#common/production/operator/batch-papers.ts';
import { batchParams, batchPath, pressPath } from './press-parts.ts';

export const jobTicketPage = declarePaper('job-ticket');
export const depositSlipPage = declarePaper('deposit-slip');

function declarePaper(paper: BatchPaper): AnyPage {
  return definePage({
    path: `${pressPath}/:batchId/${paper}`,
    access: 'admin',
    params: batchParams,
    isFile: true,

    async show({ params: { batchId } }) {
      const body = await makeBatchPaper(batchId, paper);
      return download({ contentType: 'application/pdf', filename: `${paper}-${batchId}.pdf`, body });
    },
  });
}

/** Renders the links to the papers of a batch. */
export function paperLinks({ href }: Visit, batchId: string): Markup {
  const link = (paper: BatchPaper, label: string) =>
    html`<a class="button plain" href="${href(`${batchPath(batchId)}/${paper}`)}" download>${label}</a>`;
  return html`<div class="actions">${link('job-ticket', 'Job ticket (PDF)')}${link('deposit-slip', 'Deposit slip (PDF)')}</div>`;
}
