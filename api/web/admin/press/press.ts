import { html } from 'hono/html';
import { z } from 'zod';
import { definePage } from '#api/web/admin/admin-pages.ts';
import { filterForm } from '#api/web/design/filter-form.ts';
import { type Markup, nothing } from '#api/web/design/markup.ts';
import { notice } from '#api/web/design/notice.ts';
import { emptyState, pageHead, section } from '#api/web/design/page-parts.ts';
import { table } from '#api/web/design/table.ts';
import { redirect, view } from '#api/web/framework/answer.ts';
import type { Visit } from '#api/web/visit/visit.ts';
import { AppError } from '#common/errors.ts';
import type { BatchRecord } from '#common/production/batches/batch.model.ts';
import { findBatchedItem } from '#common/production/batches/find-batched-item.ts';
import { readBatch } from '#common/production/batches/read-batch.ts';
import { countWithoutProvider } from '#common/production/operator/count-without-provider.ts';
import { type ListedItem, maxFound, searchItems } from '#common/production/operator/find-items.ts';
import { parseScan, type ScannedMark } from '#common/production/operator/parse-scan.ts';
import { type BatchGroups, listBatches, maxListed } from '#common/production/operator/read-batches.ts';
import { type RangeLevel, readRangeLevels } from '#common/production/tracking/range-levels.ts';
import {
  batchBadges,
  batchPath,
  describeBatch,
  itemPath,
  itemTable,
  pressPath,
  receiptsPath,
  scanPath,
} from './press-parts.ts';

/** The batches that are not posted yet, those that need an operator first, and a search. */
export const pressPage = definePage({
  path: pressPath,
  query: z.object({ search: z.string().trim().max(200).optional() }),

  async show({ visit, query: { search = '' }, now }, { printRules }) {
    const scanned = parseScan(search);
    const path = scanned && (await pathOf(scanned));
    if (path) return redirect(visit.href(path));
    const found = search === '' || scanned ? [] : await searchItems(search);
    const [groups, unprintedCount, levels] = await Promise.all([
      listBatches(now),
      countWithoutProvider(printRules),
      readRangeLevels(),
    ]);
    const scan = html`<a class="button big primary" href="${visit.href(scanPath)}">Scan items</a><a class="button plain" href="${visit.href(receiptsPath)}">Receipt forms</a>`;
    return view({
      title: 'Print production',
      body: html`${pageHead({ title: 'Print production', lead: 'Batches on their way from rendering to the post office.', actions: scan })}
${unprintedCount === 0 ? nothing : withoutProvider(visit, unprintedCount)}
${fewNumbersLeft(visit, levels)}
${searchForm(visit, search)}
${search === '' ? batchSections(visit, groups, now) : section('Items found', foundItems(visit, found))}`,
    });
  },
});

const columns = {
  needsOperator: 'Needs you',
  atPress: 'At press',
  handingOver: 'Being handed over',
  open: 'Open',
  printed: 'Printed, to be handed in',
  postedToday: 'Posted today',
} as const satisfies Record<keyof BatchGroups, string>;

function batchSections(visit: Visit, groups: BatchGroups, now: Date): Markup {
  const names = Object.keys(columns) as (keyof BatchGroups)[];
  const shown = names.filter((name) => groups[name].length > 0);
  if (shown.length === 0) {
    const hint = 'A batch begins when the letters for a cutoff are collected, shortly before it.';
    return section('Batches', emptyState('Nothing to do', hint));
  }
  return html`${shown.map((name) => {
    const batches = groups[name];
    const count = batches.length < maxListed ? visit.format.number(batches.length) : `the next ${maxListed}`;
    return section(`${columns[name]} (${count})`, batchTable(visit, batches, { now, name: columns[name] }));
  })}`;
}

function batchTable(visit: Visit, batches: readonly BatchRecord[], { now, name }: { now: Date; name: string }): Markup {
  const { format, href } = visit;
  const moment = (at: Date) => html`<span class="moment">${format.moment(at)}</span>`;
  const isOpen = batches.some(({ state }) => state === 'open');
  return table<BatchRecord>(
    name,
    [
      {
        label: 'Batch',
        isLabelHidden: true,
        cell: (batch) =>
          html`<span class="batch-name"><a class="row-link" href="${href(batchPath(batch._id))}">${describeBatch(visit, batch)}</a><code>${batch._id}</code>${batch.problem === null ? nothing : html`<span class="problem">${batch.problem}</span>`}</span>`,
      },
      ...(isOpen ? [{ label: 'Closes', cell: ({ closesAt }: BatchRecord) => moment(closesAt) }] : []),
      { label: 'Cutoff', cell: ({ cutoffAt }) => moment(cutoffAt) },
      { label: 'Provider', cell: ({ provider }) => provider },
      { label: 'Items', isNumber: true, cell: ({ itemCount }) => format.number(itemCount) },
      { label: 'Sheets', isNumber: true, cell: ({ sheetCount }) => format.number(sheetCount) },
      { label: 'State', cell: (batch) => batchBadges(batch, now) },
    ],
    batches,
  );
}

function withoutProvider({ format }: Visit, count: number): Markup {
  const waits =
    count === 1
      ? '1 live letter waits because no provider prints it.'
      : `${format.number(count)} live letters wait because no provider prints them.`;
  const sentence = `${waits} Change PRINT_PROVIDERS, and restart the service.`;
  return notice('danger', html`<p class="notice-title">Letters without a provider</p><p>${sentence}</p>`);
}

/** One line for all indicators, however many there are. */
function fewNumbersLeft({ format }: Visit, levels: readonly RangeLevel[]): Markup {
  const low = levels.filter(({ isLow }) => isLow);
  if (low.length === 0) return nothing;
  const counts = low.map(({ indicator, country, left }) => `${format.number(left)} of ${indicator} ${country}`);
  const sentence = `Tracking numbers left: ${counts.join(', ')}. Buy a further range, and add it.`;
  return notice('warning', html`<p>${sentence}</p>`);
}

function searchForm(visit: Visit, search: string): Markup {
  const clear = search === '' ? undefined : { label: 'Clear', query: {} };
  return filterForm(
    { visit, path: pressPath, label: 'Search items', submit: 'Search', clear },
    (fields) =>
      html`${fields.text({ type: 'search', name: 'search', label: 'Item, external ID or postcode', value: search, maxLength: 200 })}`,
  );
}

function foundItems(visit: Visit, items: readonly ListedItem[]): Markup {
  if (items.length === 0) {
    return emptyState('Nothing found', 'Only items in a batch are found. Enter the whole ID or postcode.');
  }
  const more = html`<p class="quiet">These are the newest ${maxFound}. Search for an external ID or an item to see others.</p>`;
  return html`${itemTable(visit, items, { hasBatch: true })}${items.length < maxFound ? nothing : more}`;
}

/** Returns the page of an item or a batch whose id is given, as a scanner types it too. Null when there is none. */
async function pathOf(scanned: ScannedMark): Promise<string | null> {
  try {
    if (scanned.kind === 'batch') return batchPath((await readBatch(scanned.batchId))._id);
    return itemPath((await findBatchedItem(scanned.itemId)).item.itemId);
  } catch (error) {
    if (error instanceof AppError && error.code === 'NOT_FOUND') return null;
    throw error;
  }
}
