import { html } from 'hono/html';
import { z } from 'zod';
import { definePage } from '#api/web/admin/admin-pages.ts';
import { filterLinks } from '#api/web/design/filter-links.ts';
import { type Markup, nothing } from '#api/web/design/markup.ts';
import { notice } from '#api/web/design/notice.ts';
import { emptyState, facts, pageHead, pagination, section } from '#api/web/design/page-parts.ts';
import { view } from '#api/web/framework/answer.ts';
import type { Visit } from '#api/web/visit/visit.ts';
import { paperTexts } from '#common/documents/papers/paper-texts.ts';
import { mailStatuses } from '#common/mail-jobs/model/mail-status.ts';
import type { BatchRecord } from '#common/production/batches/batch.model.ts';
import { readBatch } from '#common/production/batches/read-batch.ts';
import { countBatchItems, type StatusCounts } from '#common/production/batches/read-batch-jobs.ts';
import { listBatchItems } from '#common/production/operator/find-items.ts';
import { paperLinks } from './batch-papers.ts';
import { type BatchStep, openSteps, stepPath, stepTexts } from './batch-steps.ts';
import {
  batchBadges,
  batchParams,
  batchPath,
  describeBatch,
  itemTable,
  pressPath,
  receiptsPath,
  scanPath,
} from './press-parts.ts';

const path = `${pressPath}/:batchId` as const;
const pageSize = 50;
/** How often the browser reloads the page of a batch whose items are being marked. */
const refreshS = '2';

/** One batch: what is known, what the operator does next, and its items. */
export const batchPage = definePage({
  path,
  params: batchParams,
  query: z.object({ status: z.enum(mailStatuses).optional(), cursor: z.string().max(1_024).optional() }),

  async show({ visit, params: { batchId }, query: { status, cursor }, now }, { cursors }) {
    const batch = await readBatch(batchId);
    const page = { status, limit: pageSize, cursor };
    const [counts, { rows, nextCursor }] = await Promise.all([
      countBatchItems(batchId),
      listBatchItems(batchId, page, cursors),
    ]);
    const own = batchPath(batchId);
    const hasPapers = batch.state !== 'open' && counts.failed < batch.itemCount;
    const empty = emptyState('No items', 'No item of this batch has this status.');
    return view({
      title: 'Batch',
      headers: batch.marking ? { refresh: refreshS } : {},
      body: html`${pageHead({ title: 'Batch', lead: describeBatch(visit, batch) })}
${batch.problem === null ? nothing : problemNotice(batch)}
${section('Next step', nextStep(visit, batch), batchBadges(batch, now))}
${hasPapers ? section('Papers', paperLinks(visit, batch)) : nothing}
${section('Facts', batchFacts(visit, batch))}
${section(
  'Items',
  html`${statusLinks(visit, own, { counts, status })}${rows.length === 0 ? empty : itemTable(visit, rows)}${pagination({ visit, path: own, query: { status }, cursor, nextCursor, labels: { first: 'First items', next: 'Next items' } })}`,
)}`,
    });
  },
});

function problemNotice({ state, problem }: BatchRecord): Markup {
  if (state === 'needs_operator') {
    return notice(
      'danger',
      html`<p class="notice-title">Only you can tell whether it was printed</p><p>${problem}</p>`,
    );
  }
  const next = state === 'at_press' ? 'Its results are read' : 'It is handed over';
  const hint = `${next} as soon as this is solved. You need not do anything here.`;
  return notice('warning', html`<p class="notice-title">It waits for its provider</p><p>${problem} ${hint}</p>`);
}

/** What happens by itself, in the states in which an operator has nothing to report. */
function waitingText({ format }: Visit, { state, closesAt }: BatchRecord): string {
  if (state === 'open') return `It collects letters until it closes at ${format.moment(closesAt)}.`;
  if (state === 'closed') return 'It is complete, and is handed over to its provider next.';
  if (state === 'submitting') return 'It is being handed over to its provider.';
  return 'It was handed in at the post office. There is nothing left to do.';
}

function nextStep(visit: Visit, batch: BatchRecord): Markup {
  const { href } = visit;
  const { _id: batchId, state, marking } = batch;
  if (marking) {
    return html`<p>Its items are being marked as ${marking}. This page reloads until all are.</p>`;
  }
  const steps = openSteps(batch);
  if (steps.length === 0) return html`<p>${waitingText(visit, batch)}</p>`;
  const link = (step: BatchStep, kind: string) =>
    html`<a class="button big ${kind}" href="${href(stepPath(batchId, step))}">${stepTexts(step, state).button}</a>`;
  const scanned = state === 'printed' ? 'posted' : 'printed';
  const scan = html`<a class="button big plain" href="${href(scanPath, { mark: scanned, batch: batchId })}">Scan its items</a>`;
  return html`<div class="steps">${steps.map((step, index) => link(step, index === 0 ? 'primary' : 'plain'))}${scan}${registeredLinks(visit, batch)}</div>`;
}

/** Links to what registered letters need besides. */
function registeredLinks({ href }: Visit, { _id: batch, serviceType, acknowledgmentReceipt }: BatchRecord): Markup {
  if (serviceType !== 'registered') return nothing;
  const receipts = html`<a class="button big plain" href="${href(receiptsPath)}">Receipt forms</a>`;
  return html`<a class="button big plain" href="${href(scanPath, { mark: 'label', batch })}">Scan its labels</a>${acknowledgmentReceipt ? receipts : nothing}`;
}

function batchFacts({ format }: Visit, batch: BatchRecord): Markup {
  const unknown = batch.state === 'needs_operator' ? 'Not known' : 'Not yet';
  const moment = (at: Date | null) => (at === null ? unknown : format.moment(at));
  return facts([
    ['ID', html`<code>${batch._id}</code>`],
    ['Cutoff', format.moment(batch.cutoffAt)],
    ['Provider', batch.provider],
    ['Envelope', `${batch.format}, ${paperTexts.en.windows[batch.window]}`],
    [
      'Print',
      `${batch.color ? 'Colour' : 'Black and white'}, ${batch.doubleSided === false ? 'one side' : 'both sides'}`,
    ],
    ['Letters', format.number(batch.letterCount)],
    ['Items', format.number(batch.itemCount)],
    ['Sheets', format.number(batch.sheetCount)],
    ['Closed', batch.closedAt === null ? `Closes ${format.moment(batch.closesAt)}` : format.moment(batch.closedAt)],
    ['Handed over', moment(batch.submittedAt)],
    ['Printed', moment(batch.printedAt)],
    ['Posted', batch.postedAt === null ? 'Not yet' : format.moment(batch.postedAt)],
    ['Last change', format.moment(batch.updatedAt)],
  ]);
}

/** Links to the items of each status, with their number. */
function statusLinks(
  { href, texts, format }: Visit,
  own: string,
  { counts, status }: { counts: StatusCounts; status: string | undefined },
): Markup {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const all = { label: `All (${format.number(total)})`, href: href(own), isCurrent: status === undefined };
  const links = mailStatuses
    .filter((each) => counts[each] > 0 || each === status)
    .map((each) => ({
      label: `${texts.words.statuses[each]} (${format.number(counts[each])})`,
      href: href(own, { status: each }),
      isCurrent: each === status,
    }));
  return filterLinks('Status', [all, ...links]);
}
