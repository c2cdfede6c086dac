import { a4 } from '../sheet/a4.ts';
import { drawFacts } from './draw-facts.ts';
import { openPaper, type Paper, type TextPlace } from './open-paper.ts';
import { contentMm, formatCount, formatDay, formatMoment, marginMm, serviceNames, zoneNames } from './paper-batch.ts';
import { type DepositCount, type DepositRow, defaultWeightClasses, weighDeposit } from './weigh-deposit.ts';

/** What is handed in at the counter: one batch, or all that are due at one cutoff. */
export type Deposit = { batchIds: readonly string[]; cutoffAt: Date };

export type DepositSlipOptions = { weightClassesGrams?: readonly number[] };

const right = a4.widthMm - marginMm;
const matrixMm = 26;
const rowMm = 6.5;
/** Heads of the columns, on the first page and on the others. */
const [firstTop, nextTop] = [99, 30];
/** The totals and the boxes to sign take the space below the rows of the last page. */
const [sumsMm, signTop, bottom] = [34, 218, 279];

/**
 * Creates the paper for the counter of the post office: the items and their weight by zone, service, format and weight
 * class, and boxes to sign. A sheet weighs 4.9896 g and an envelope 5 g (DL), 7 g (C5) or 16 g (C4). Each row is rounded to
 * whole grams, and the total is the sum of the rows. Throws an Error when there are no items or no batches. The same input
 * gives the same bytes.
 */
export async function createDepositSlip(
  deposit: Deposit,
  counts: readonly DepositCount[],
  { weightClassesGrams = defaultWeightClasses }: DepositSlipOptions = {},
): Promise<Buffer> {
  const rows = weighDeposit(counts, weightClassesGrams);
  if (rows.length === 0 || deposit.batchIds.length === 0) throw new Error('A deposit has at least one batch and item.');
  const paper = await openPaper();
  const pages = splitIntoPages(rows);
  for (const [index, pageRows] of pages.entries()) {
    paper.addPage();
    if (index === 0) drawHead(paper, deposit);
    else drawShortHead(paper, deposit);
    const end = drawRows(paper, pageRows, topOf(index));
    if (index === pages.length - 1) drawSums(paper, rows, end);
    drawFoot(paper, deposit, `Page ${index + 1} of ${pages.length}`);
  }
  return paper.finish();
}

function topOf(pageIndex: number): number {
  return pageIndex === 0 ? firstTop : nextTop;
}

/** The last page has room for the totals. */
function splitIntoPages(rows: readonly DepositRow[]): (readonly DepositRow[])[] {
  const pages: (readonly DepositRow[])[] = [];
  const roomAbove = (end: number) => Math.floor((end - topOf(pages.length)) / rowMm) - 1;
  let from = 0;
  while (rows.length - from > roomAbove(signTop - sumsMm)) {
    // The totals never stand alone.
    const to = Math.min(from + roomAbove(bottom), rows.length - 1);
    pages.push(rows.slice(from, to));
    from = to;
  }
  return [...pages, rows.slice(from)];
}

/** More are counted only. */
const maxBatchIds = 6;

function drawHead(paper: Paper, { batchIds, cutoffAt }: Deposit): void {
  paper.text('Deposit slip', { x: marginMm, y: 23, size: 22, weight: 'bold' });
  paper.text(formatDay(cutoffAt), { x: marginMm, y: 33, size: 16, weight: 'bold' });
  paper.text(`Cutoff: ${formatMoment(cutoffAt)}, Brussels time`, { x: marginMm, y: 39, size: 9 });
  const [only] = batchIds;
  if (only !== undefined && batchIds.length === 1) {
    const square = { x: right - matrixMm, y: marginMm, side: matrixMm };
    paper.dataMatrix(`BJ1 ${only}`.toUpperCase(), square);
  }

  const half = contentMm / 2;
  const middle = marginMm + half;
  for (const x of [marginMm, middle]) paper.box({ x, y: 47, width: half, height: 44 }, { stroke: 0 });
  paper.text('Sender', { x: marginMm + 3, y: 52.5, size: 8.5 });
  for (const [index, label] of ['Name', 'Address', 'Customer no.'].entries()) {
    writingLine(paper, { label, x: marginMm + 3, y: 64 + index * 11, width: half - 6 });
  }
  paper.text(batchIds.length === 1 ? 'Batch' : 'Batches', { x: middle + 3, y: 52.5, size: 8.5 });
  const more = batchIds.length - maxBatchIds;
  const shown = more > 0 ? [...batchIds.slice(0, maxBatchIds), `and ${more} more`] : batchIds;
  for (const [index, batchId] of shown.entries()) {
    paper.text(batchId, { x: middle + 3, y: 58.5 + index * 5, size: 10, weight: 'bold' });
  }
}

function drawShortHead(paper: Paper, { cutoffAt }: Deposit): void {
  paper.text('Deposit slip', { x: marginMm, y: 20, size: 12, weight: 'bold' });
  paper.text(formatDay(cutoffAt), { x: right, y: 20, size: 10, align: 'right' });
  paper.line({ x: marginMm, y: 24 }, { x: right, y: 24 });
}

function drawFoot(paper: Paper, { batchIds }: Deposit, pageLabel: string): void {
  const batches = batchIds.length === 1 ? (batchIds[0] ?? '') : `${batchIds.length} batches`;
  paper.text(batches, { x: marginMm, y: 288, size: 8.5 });
  paper.text(pageLabel, { x: right, y: 288, size: 8.5, align: 'right' });
}

/** Left ends of the columns, or the right ends of numbers, in mm from the left of the paper. */
const columns = { zone: 17, service: 45, format: 70, weight: 87, receipt: 116, items: 165, grams: right - 2 };

/** Returns where the table ends. */
function drawRows(paper: Paper, rows: readonly DepositRow[], top: number): number {
  const head = { y: top + 4.5, size: 9, weight: 'bold' } as const;
  drawCells(paper, ['Zone', 'Service', 'Format', 'Weight each', 'Receipt form', 'Items', 'Grams'], head);
  paper.line({ x: marginMm, y: top + rowMm }, { x: right, y: top + rowMm });
  for (const [index, row] of rows.entries()) {
    const y = top + (index + 1) * rowMm;
    if (index % 2 === 1) paper.box({ x: marginMm, y, width: contentMm, height: rowMm }, { fill: 0.94 });
    const weight = row.upToGrams === null ? 'above all classes' : `up to ${formatCount(row.upToGrams)} g`;
    const cells = [
      zoneNames[row.zone],
      serviceNames[row.serviceType],
      row.format,
      weight,
      row.acknowledgmentReceipt ? 'yes' : 'no',
      formatCount(row.itemCount),
      formatCount(row.grams),
    ];
    drawCells(paper, cells, { y: y + 4.5, size: 9.5 });
  }
  return top + (rows.length + 1) * rowMm;
}

function drawCells(paper: Paper, cells: readonly string[], style: Omit<TextPlace, 'x'>): void {
  for (const [index, [name, x]] of Object.entries(columns).entries()) {
    const align = name === 'items' || name === 'grams' ? 'right' : 'left';
    paper.text(cells[index] ?? '', { ...style, x, align });
  }
}

function drawSums(paper: Paper, rows: readonly DepositRow[], end: number): void {
  const sum = (numberOf: (row: DepositRow) => number) => rows.reduce((total, row) => total + numberOf(row), 0);
  const items = formatCount(sum(({ itemCount }) => itemCount));
  const grams = sum((row) => row.grams);
  const registered = sum((row) => (row.serviceType === 'registered' ? row.itemCount : 0));
  const receipts = sum((row) => (row.acknowledgmentReceipt ? row.itemCount : 0));

  paper.line({ x: marginMm, y: end }, { x: right, y: end });
  drawCells(paper, ['Total', '', '', '', '', items, formatCount(grams)], { y: end + 4.8, size: 9.5, weight: 'bold' });
  drawFacts(paper, end + rowMm + 5, [
    ['Items in all', items, ''],
    ['Weight in all', `${(grams / 1000).toFixed(2)} kg`, 'computed from the sheets'],
    ['Registered', formatCount(registered), 'items with a label'],
    ['Receipt forms', formatCount(receipts), ''],
  ]);
  const half = contentMm / 2;
  drawSignature(paper, 'Handed in for the sender', { x: marginMm, width: half });
  drawSignature(paper, 'Accepted by the post office (stamp)', { x: marginMm + half, width: half });
}

function drawSignature(paper: Paper, title: string, { x, width }: { x: number; width: number }): void {
  const y = signTop;
  paper.box({ x, y, width, height: bottom + 2 - y }, { stroke: 0 });
  paper.text(title, { x: x + 3, y: y + 6, size: 9.5, weight: 'bold' });
  for (const [index, label] of ['Name', 'Date, time', 'Signature'].entries()) {
    writingLine(paper, { label, x: x + 3, y: y + 24 + index * 16, width: width - 6 });
  }
}

function writingLine(
  paper: Paper,
  { label, x, y, width }: { label: string; x: number; y: number; width: number },
): void {
  paper.text(label, { x, y: y - 1, size: 8 });
  paper.line({ x: x + 20, y }, { x: x + width, y });
}
