import { html } from 'hono/html';
import { badge, statusBadge } from '#api/web/design/badge.ts';
import { buttonForm, postForm } from '#api/web/design/form.ts';
import { type Markup, nothing } from '#api/web/design/markup.ts';
import { notice } from '#api/web/design/notice.ts';
import { emptyState, facts, pageHead, section } from '#api/web/design/page-parts.ts';
import { table } from '#api/web/design/table.ts';
import { view } from '#api/web/framework/answer.ts';
import type { SentForm } from '#api/web/framework/forms/sent-form.ts';
import { definePage } from '#api/web/framework/page.ts';
import type { Visit } from '#api/web/framework/visit.ts';
import type { HistoryRecord } from '#common/mail-jobs/items/item-history.model.ts';
import type { MailItem } from '#common/mail-jobs/model/mail-job.model.ts';
import type { BatchRecord } from '#common/production/batches/batch.model.ts';
import { countSheets } from '#common/production/batches/batch-key.ts';
import { readBatch } from '#common/production/operator/mark-batch.ts';
import { type BatchedItem, findBatchedItem, type ItemMark, openMarks } from '#common/production/operator/mark-item.ts';
import { isReprintable, readItemHistory } from '#common/production/operator/reprint-item.ts';
import { batchBadges, batchPath, describeBatch, itemParams, itemPath, pressPath } from './press-parts.ts';

/** One item: what is known, what an operator may report, and its history. */
export const itemPage = definePage({
  path: `${pressPath}/items/:itemId`,
  access: 'admin',
  params: itemParams,

  async show({ visit, params: { itemId }, sent, now }) {
    const [found, history] = await Promise.all([findBatchedItem(itemId), readItemHistory(itemId)]);
    const batch = await readBatch(found.batchId);
    const { item } = found;
    const { failure, status } = item;
    const open = openMarks(status, batch.state);
    return view({
      title: 'Item',
      body: html`${pageHead({ title: 'Item', lead: describeBatch(visit, batch), actions: copyLink(visit, found) })}
${failure ? notice('danger', html`<p class="notice-title">It has failed and is refunded</p><p>${failure.code}: ${failure.message}</p>`) : nothing}
${refusalNotice(sent, open, item)}
${section('Record', recordForms(visit, { sent, item, batch, open }), statusBadge(visit.texts, status))}
${section('Facts', itemFacts(visit, found, batchBadges(batch, now)))}
${isReprintable(status) ? section('Print it again', reprintForm(visit, sent, itemId)) : nothing}
${section('History', historyTable(visit, history))}`,
    });
  },
});

/** Renders why a report was refused whose form does not say it: it is a button, or the item has no such form any more. */
function refusalNotice({ path, errors }: SentForm, open: readonly ItemMark[], { itemId, status }: MailItem): Markup {
  const forms = [...(open.includes('failed') ? ['failed'] : []), ...(isReprintable(status) ? ['reprint'] : [])];
  if (path === null || forms.some((form) => path === `${itemPath(itemId)}/${form}`)) return nothing;
  return notice('danger', html`<p role="alert">${errors[''] ?? 'This was not recorded. Look at the item again.'}</p>`);
}

function copyLink({ href }: Visit, { item, job: { printFile } }: BatchedItem): Markup {
  // A letter that is refunded is not printed.
  if (item.status === 'failed' || printFile === null || printFile.removedAt) return nothing;
  return html`<a class="button big plain" href="${href(`${itemPath(item.itemId)}/copy`)}">Open the copy (PDF)</a>`;
}

const markTexts: Record<Exclude<ItemMark, 'failed'>, string> = {
  printed: 'Printed',
  posted: 'Handed in',
  delivered: 'Delivered',
};

type Recording = { sent: SentForm; item: MailItem; batch: BatchRecord; open: readonly ItemMark[] };

function recordForms(visit: Visit, { sent, item: { itemId }, batch, open }: Recording): Markup {
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

function reprintForm(visit: Visit, sent: SentForm, itemId: string): Markup {
  return postForm(
    { visit, sent, action: `${itemPath(itemId)}/reprint` },
    (
      fields,
    ) => html`${fields.text({ name: 'reason', label: 'Print it again because', hint: 'The sender of the letter sees this. Destroy the spoiled copy, so only one is posted. Then open the copy above and print it.', maxLength: 255 })}
${fields.submit({ value: 'reprint', label: 'Record the reprint', kind: 'plain' })}`,
  );
}

function itemFacts({ href, format }: Visit, { item, job, batchId }: BatchedItem, badges: Markup): Markup {
  const { organizationId, externalId, printFile } = job;
  const link = (path: string, id: string) => html`<a href="${href(path)}"><code>${id}</code></a>`;
  return facts([
    ['ID', html`<code>${item.itemId}</code>`],
    ['Batch', html`${link(batchPath(batchId), batchId)} ${badges}`],
    ['Letter', link(`/admin/letters/${job._id}`, job._id)],
    ['Organization', link(`/admin/organizations/${organizationId}`, organizationId)],
    ['External ID', externalId === undefined ? 'None' : html`<code>${externalId}</code>`],
    ['Postcode', `${item.zip}, ${format.country(item.country)}`],
    ['Sheets', printFile ? format.number(countSheets(printFile)) : 'Not rendered'],
    ['Cutoff', format.moment(job.dropAt)],
    ['Share of the price', format.money(item.shareCents)],
  ]);
}

function historyTable({ format }: Visit, history: readonly HistoryRecord[]): Markup {
  if (history.length === 0) return emptyState('No steps yet', 'The first step will appear here.');
  const detail = (step: HistoryRecord) =>
    Object.entries(step.detail)
      .map(([name, value]) => {
        if (name === 'amountCents') return `amount: ${format.money(Number(value))}`;
        if (name === 'cutoffAt') return `cutoff: ${format.moment(new Date(String(value)))}`;
        return `${name === 'batchId' ? 'batch' : name}: ${value ?? 'none'}`;
      })
      .join(', ') || 'None';
  return table<HistoryRecord>(
    'History',
    [
      { label: 'When', cell: ({ at }) => format.moment(at) },
      { label: 'Step', cell: ({ kind }) => badge(kind === 'failed' ? 'danger' : 'neutral', kind) },
      { label: 'By', cell: ({ by }) => by },
      { label: 'Detail', cell: (step) => html`<span class="breakable">${detail(step)}</span>` },
    ],
    history,
  );
}
