import { html } from 'hono/html';
import { definePage } from '#api/web/admin/admin-pages.ts';
import { type Markup, nothing } from '#api/web/design/markup.ts';
import { emptyState, pageHead, section } from '#api/web/design/page-parts.ts';
import { table } from '#api/web/design/table.ts';
import { view } from '#api/web/framework/answer.ts';
import type { Visit } from '#api/web/visit/visit.ts';
import { listReceiptForms, type ReceiptForm } from '#common/production/tracking/list-receipt-forms.ts';
import { batchPath, itemPath, pressPath, receiptsPath, scanPath } from './press-parts.ts';

/** Most letters whose items are listed. */
const maxLetters = 100;

/** The printed registered letters that need the form for an acknowledgment of receipt before they are handed in. */
export const receiptsPage = definePage({
  path: receiptsPath,

  async show({ visit }) {
    const { forms, isMore } = await listReceiptForms({ limit: maxLetters });
    const { href } = visit;
    const actions = html`<a class="button plain" href="${href(pressPath)}">All batches</a><a class="button primary" href="${href(scanPath, { mark: 'label' })}">Scan labels</a>`;
    const lead = 'Attach the form to each of these letters before you hand it in.';
    const empty = emptyState(
      'No letter needs a form',
      'A letter appears here when it is printed, until it is handed in.',
    );
    const more = html`<p class="quiet">There are more. They appear here when these are handed in.</p>`;
    return view({
      title: 'Receipt forms',
      body: html`${pageHead({ title: 'Receipt forms', lead, actions })}
${section('Letters', html`${forms.length === 0 ? empty : formTable(visit, forms)}${isMore ? more : nothing}`)}`,
    });
  },
});

/** Renders the items. Privacy: no names, and of the address only the postcode and the country. The letter has them. */
function formTable({ href, format }: Visit, forms: readonly ReceiptForm[]): Markup {
  const link = (path: string, id: string) => html`<a class="row-link" href="${href(path)}"><code>${id}</code></a>`;
  return table<ReceiptForm>(
    'Letters',
    [
      { label: 'Item', cell: ({ itemId }) => link(itemPath(itemId), itemId) },
      {
        label: 'Label',
        cell: ({ trackingNumber: number }) => (number ? html`<code>${number}</code>` : 'Not scanned yet'),
      },
      { label: 'Postcode', cell: ({ recipient: { zip, country } }) => html`${country} ${zip}` },
      { label: 'Cutoff', cell: ({ dropAt }) => html`<span class="moment">${format.moment(dropAt)}</span>` },
      { label: 'Batch', cell: ({ batchId }) => link(batchPath(batchId), batchId) },
    ],
    forms,
  );
}
