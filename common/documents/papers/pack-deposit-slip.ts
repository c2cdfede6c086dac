import type { Language } from '#common/languages.ts';
import {
  addressLines,
  batchMatrix,
  formatCount,
  formatDay,
  formatMoment,
  type PaperItem,
  padNumber,
  toBlocks,
} from './paper-batch.ts';
import { fillIn, type PaperTexts, paperTexts } from './paper-texts.ts';
import { type DepositCount, type DepositRow, defaultWeightClasses, weighDeposit } from './weigh-deposit.ts';

/** What is handed in at the counter: one batch, or all that are due at one cutoff. */
export type Deposit = {
  batchIds: readonly string[];
  cutoffAt: Date;
  counts: readonly DepositCount[];
  /** Its senders, and the labels of its registered items. */
  items: readonly Pick<PaperItem, 'sequence' | 'sender' | 'trackingNumber'>[];
};

/** Rows of the table that have room on the first page and on the others, and on those when they are the last one. */
const rowsOf = { first: 26, next: 37, lastFirst: 12, lastNext: 23 } as const;
/** More are counted only. */
const maxBatchIds = 6;
const maxSenders = 5;

/**
 * Returns what `deposit-slip.typ` reads: the items and their weight by zone, service, format and weight class, boxes to
 * sign, and the labels of registered items. A sheet weighs 4.9896 g and an envelope 5 g (DL), 7 g (C5) or 16 g (C4). Each
 * row is rounded to whole grams, and the total is the sum of the rows. Throws an Error when there are no items or no
 * batches.
 */
export function packDepositSlip(
  { batchIds, cutoffAt, counts, items }: Deposit,
  language: Language,
  weightClassesGrams: readonly number[] = defaultWeightClasses,
): object {
  const rows = weighDeposit(counts, weightClassesGrams);
  if (rows.length === 0 || batchIds.length === 0) throw new Error('A deposit has at least one batch and item.');
  const texts = paperTexts[language];
  const { slip, pageOf } = texts;
  const [batchId = ''] = batchIds;
  const isOne = batchIds.length === 1;
  const labels = items.filter(({ trackingNumber }) => trackingNumber !== undefined).length;
  const day = formatDay(cutoffAt, language);
  return {
    ...{ language, pageOf, title: slip.title, subject: day, short: isOne ? batchId : '' },
    cutoff: fillIn(slip.cutoff, { moment: formatMoment(cutoffAt, language) }),
    foot: isOne ? batchId : `${batchIds.length} × ${slip.batch}`,
    matrix: isOne ? batchMatrix(batchId) : null,
    sender: senderOf(items, slip, language),
    batches: { label: isOne ? slip.batch : slip.batches, lines: upTo(maxBatchIds, batchIds, slip) },
    ...tableOf(rows, labels, texts, language),
    signatures: [slip.handedIn, slip.accepted],
    signing: [slip.name, slip.dateTime, slip.signature],
    ...registeredOf(items, rows, texts),
  };
}

type Slip = PaperTexts['slip'];

function upTo(most: number, lines: readonly string[], { more }: Slip): string[] {
  if (lines.length <= most) return [...lines];
  return [...lines.slice(0, most), fillIn(more, { count: String(lines.length - most) })];
}

/** The address of the only sender, or the names of several. */
function senderOf(items: Deposit['items'], slip: Slip, language: Language) {
  const addresses = new Set(items.map(({ sender }) => addressLines(sender, language).join('\n')));
  const senders = [...addresses].map((address) => address.split('\n'));
  const [only = []] = senders;
  const isOne = senders.length === 1;
  const names = [...new Set(senders.map(([name = '']) => name))];
  return {
    label: isOne ? slip.sender : slip.senders,
    lines: isOne ? only : upTo(maxSenders, names, slip),
    number: slip.customer,
  };
}

function tableOf(
  rows: readonly DepositRow[],
  labels: number,
  { slip, ticket, zones, services }: PaperTexts,
  language: Language,
) {
  const sum = (numberOf: (row: DepositRow) => number) => rows.reduce((total, row) => total + numberOf(row), 0);
  const count = (number: number) => formatCount(number, language);
  const items = count(sum(({ itemCount }) => itemCount));
  const grams = sum((row) => row.grams);
  const registered = sum((row) => (row.serviceType === 'registered' ? row.itemCount : 0));
  const receipts = sum((row) => (row.acknowledgmentReceipt ? row.itemCount : 0));
  const cells = rows.map((row) => [
    ...[zones[row.zone], services[row.serviceType], row.format],
    row.upToGrams === null ? slip.above : fillIn(slip.upTo, { grams: count(row.upToGrams) }),
    ...[row.acknowledgmentReceipt ? slip.yes : slip.no, count(row.itemCount), count(row.grams)],
  ]);
  return {
    head: [ticket.zone, ticket.service, slip.format, slip.weightEach, ticket.receipt, ticket.items, slip.grams],
    pages: splitIntoPages(cells),
    sum: [slip.total, items, count(grams)],
    facts: [
      [slip.itemsInAll, items, ''],
      [slip.weightInAll, `${formatCount(grams / 1000, language, 2)} kg`, slip.computed],
      [
        services.registered,
        count(registered),
        registered === 0 ? '' : fillIn(slip.withLabel, { count: count(labels) }),
      ],
      [slip.receipts, count(receipts), ''],
    ],
  };
}

/** The last page has room for the totals, which never stand alone. */
function splitIntoPages<Row>(rows: readonly Row[]): Row[][] {
  const pages: Row[][] = [];
  let from = 0;
  const isFirst = () => pages.length === 0;
  while (rows.length - from > (isFirst() ? rowsOf.lastFirst : rowsOf.lastNext)) {
    const to = Math.min(from + (isFirst() ? rowsOf.first : rowsOf.next), rows.length - 1);
    pages.push(rows.slice(from, to));
    from = to;
  }
  return [...pages, rows.slice(from)];
}

/** The labels of registered items, numbered as on the job ticket, or a note that none is recorded. */
function registeredOf(items: Deposit['items'], rows: readonly DepositRow[], { slip, ticket }: PaperTexts) {
  if (!rows.some(({ serviceType }) => serviceType === 'registered')) return { note: null, registered: null };
  if (items.every(({ trackingNumber }) => trackingNumber === undefined))
    return { note: slip.noLabels, registered: null };
  const lines = items.map(({ sequence, trackingNumber = null }) => [`${padNumber(sequence, 6)}  `, trackingNumber]);
  const head = `${padNumber(ticket.number, 6)}  ${slip.label}`;
  const pages = toBlocks(lines, rowsPerLabelBlock);
  return { note: null, registered: { title: slip.registered, more: slip.asOnTicket, head, pages } };
}

/** Rows of a block below the title of the list of labels. */
const rowsPerLabelBlock = 45;
