import { html } from 'hono/html';
import { buttonForm, postForm } from '#api/web/design/form.ts';
import { type Markup, nothing } from '#api/web/design/markup.ts';
import type { SentForm } from '#api/web/visit/sent-form.ts';
import type { Visit } from '#api/web/visit/visit.ts';
import type { MailItem } from '#common/mail-jobs/model/mail-job.model.ts';
import { returnReasons } from '#common/mail-jobs/model/returned.ts';
import type { BatchRecord } from '#common/production/batches/batch.model.ts';
import type { ItemMark } from '#common/production/operator/mark-item.ts';
import { itemPath } from './press-parts.ts';

const markTexts: Record<Exclude<ItemMark, 'failed'>, string> = {
  printed: 'Printed',
  posted: 'Handed in',
  delivered: 'Delivered',
};

type Recording = { sent: SentForm; item: MailItem; batch: BatchRecord; open: readonly ItemMark[] };

/** Renders a button or a form for each report that fits the status. */
export function recordForms(visit: Visit, { sent, item: { itemId }, batch, open }: Recording): Markup {
  if (open.length === 0) return html`<p>This item has reached its final status.</p>`;
  const marks = open.filter((mark) => mark !== 'failed');
  const button = (mark: keyof typeof markTexts, index: number) =>
    buttonForm(
      { visit, action: `${itemPath(itemId)}/${mark}` },
      { value: mark, label: markTexts[mark], kind: index === 0 ? 'primary' : 'plain', isBig: true },
    );
  const failForm = postForm(
    { visit, sent, action: `${itemPath(itemId)}/failed` },
    (
      fields,
    ) => html`${fields.text({ name: 'reason', label: 'It failed because', hint: 'The sender of the letter sees this. Its share of the price is refunded. You cannot undo it.', maxLength: 255 })}
${fields.submit({ value: 'failed', label: 'Record as failed', kind: 'danger' })}`,
  );
  const waits = batch.state === 'open' ? html`<p>Its batch is still open, so nothing of it is printed.</p>` : nothing;
  return html`${waits}
${marks.length === 0 ? nothing : html`<div class="steps">${marks.map(button)}</div>`}
${failForm}`;
}

/** Renders the form that records a reprint. */
export function reprintForm(visit: Visit, sent: SentForm, itemId: string): Markup {
  return postForm(
    { visit, sent, action: `${itemPath(itemId)}/reprint` },
    (
      fields,
    ) => html`${fields.text({ name: 'reason', label: 'Print it again because', hint: 'The sender of the letter sees this. Destroy the spoiled copy, so only one is posted. Then open the copy above and print it.', maxLength: 255 })}
${fields.submit({ value: 'reprint', label: 'Record the reprint', kind: 'plain' })}`,
  );
}

/** Renders the form for the number on the label. A label that was recorded is replaced by another one. */
export function labelForm(visit: Visit, sent: SentForm, { itemId, tracking }: MailItem): Markup {
  const hint = tracking
    ? 'Only when the letter has a new label, because the first one was torn or wrong.'
    : 'As printed on it, or scanned. Spaces do not matter.';
  return postForm(
    { visit, sent, action: `${itemPath(itemId)}/label` },
    (
      fields,
    ) => html`${tracking ? html`<p>Its label has the number <code>${tracking.number}</code>.</p>${fields.hidden('replace', 'yes')}` : nothing}
${fields.text({ name: 'label', label: tracking ? 'Number on its new label' : 'Number on its label', hint, maxLength: 100 })}
${fields.submit({ value: 'label', label: tracking ? 'Replace the label' : 'Record the label', kind: 'plain' })}`,
  );
}

/** Renders the form that records that the copy came back. */
export function returnForm(visit: Visit, sent: SentForm, itemId: string): Markup {
  const reasons = visit.texts.words.returnReasons;
  const options = returnReasons.map((value) => ({ value, label: reasons[value] }));
  const hint = 'The sender of the letter sees this, and nothing is refunded. You cannot undo it.';
  return postForm(
    { visit, sent, action: `${itemPath(itemId)}/returned` },
    (
      fields,
    ) => html`${fields.select({ name: 'reason', label: 'It came back because', hint, options: [{ value: '', label: 'Choose the reason' }, ...options] })}
${fields.submit({ value: 'returned', label: 'Record the return', kind: 'plain' })}`,
  );
}
