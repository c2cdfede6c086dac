import { html } from 'hono/html';
import { definePage } from '#api/web/admin/admin-pages.ts';
import { badge, statusBadge } from '#api/web/design/badge.ts';
import { type Markup, nothing } from '#api/web/design/markup.ts';
import { notice } from '#api/web/design/notice.ts';
import { emptyState, facts, pageHead, section } from '#api/web/design/page-parts.ts';
import { table } from '#api/web/design/table.ts';
import { view } from '#api/web/framework/answer.ts';
import type { SentForm } from '#api/web/visit/sent-form.ts';
import type { Visit } from '#api/web/visit/visit.ts';
import type { HistoryRecord } from '#common/mail-jobs/items/item-history.model.ts';
import { countCopySheets } from '#common/production/batches/batch-key.ts';
import { type BatchedItem, findBatchedItem } from '#common/production/batches/find-batched-item.ts';
import { readBatch } from '#common/production/batches/read-batch.ts';
import { type ItemMark, openMarks } from '#common/production/operator/mark-item.ts';
import { isReturnable } from '#common/production/operator/record-return-scan.ts';
import { isReprintable, readItemHistory } from '#common/production/operator/reprint-item.ts';
import { isTrackable } from '#common/production/tracking/record-tracking.ts';
import { labelForm, recordForms, reprintForm, returnForm } from './item-forms.ts';
import { batchBadges, batchPath, describeBatch, itemParams, itemPath, pressPath } from './press-parts.ts';

/** One item: what is known, what an operator may report, and its history. */
export const itemPage = definePage({
  path: `${pressPath}/items/:itemId`,
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
${refusalNotice(sent, open, found)}
${section('Record', recordForms(visit, { sent, item, batch, open }), statusBadge(visit.texts, status))}
${isTrackable(found) ? section('Label', labelForm(visit, sent, item)) : nothing}
${isReturnable(item) ? section('It came back', returnForm(visit, sent, itemId)) : nothing}
${section('Facts', itemFacts(visit, found, batchBadges(batch, now)))}
${isReprintable(status) ? section('Print it again', reprintForm(visit, sent, itemId)) : nothing}
${section('History', historyTable(visit, history))}`,
    });
  },
});

/** Renders why a report was refused whose form does not say it: it is a button, or the item has no such form any more. */
function refusalNotice({ path, errors }: SentForm, open: readonly ItemMark[], found: BatchedItem): Markup {
  const { item } = found;
  const { itemId } = item;
  const forms = [
    ...(open.includes('failed') ? ['failed'] : []),
    ...(isReprintable(item.status) ? ['reprint'] : []),
    ...(isTrackable(found) ? ['label'] : []),
    ...(isReturnable(item) ? ['returned'] : []),
  ];
  if (path === null || forms.some((form) => path === `${itemPath(itemId)}/${form}`)) return nothing;
  return notice('danger', html`<p role="alert">${errors[''] ?? 'This was not recorded. Look at the item again.'}</p>`);
}

function copyLink({ href }: Visit, { item, job: { printFile } }: BatchedItem): Markup {
  // A letter that is refunded is not printed.
  if (item.status === 'failed' || printFile === null || printFile.removedAt) return nothing;
  return html`<a class="button big plain" href="${href(`${itemPath(item.itemId)}/copy`)}">Open the copy (PDF)</a>`;
}

function itemFacts({ href, format, texts }: Visit, { item, job, batchId }: BatchedItem, badges: Markup): Markup {
  const { tracking, returned } = item;
  const reasons = texts.words.returnReasons;
  const { organizationId, externalId, printFile } = job;
  const link = (path: string, id: string) => html`<a href="${href(path)}"><code>${id}</code></a>`;
  return facts([
    ['ID', html`<code>${item.itemId}</code>`],
    ['Batch', html`${link(batchPath(batchId), batchId)} ${badges}`],
    ['Letter', link(`/admin/letters/${job._id}`, job._id)],
    ['Organization', link(`/admin/organizations/${organizationId}`, organizationId)],
    ['External ID', externalId === undefined ? 'None' : html`<code>${externalId}</code>`],
    ['Postcode', `${item.zip}, ${format.country(item.country)}`],
    ...(tracking ? ([['Label', html`<code>${tracking.number}</code>`]] as const) : []),
    ...(returned ? ([['Came back', `${format.moment(returned.at)}: ${reasons[returned.reason]}`]] as const) : []),
    ['Sheets', printFile ? format.number(countCopySheets(printFile)) : 'Not rendered'],
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
