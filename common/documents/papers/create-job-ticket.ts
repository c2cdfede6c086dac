import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { a4 } from '../sheet/a4.ts';
import { drawFacts, type Fact } from './draw-facts.ts';
import { openPaper, type Paper } from './open-paper.ts';
import {
  contentMm,
  formatCount,
  formatMoment,
  marginMm,
  type PaperBatch,
  type PaperItem,
  serviceNames,
  windowNames,
  zoneNames,
} from './paper-batch.ts';

const right = a4.widthMm - marginMm;
const matrixMm = 26;

/** The table: two blocks of rows beside each other, each read from top to bottom. */
const table = {
  rowMm: 5,
  /** The heads of the columns, on the first page and on the others. */
  firstTop: 151,
  nextTop: 30,
  bottom: 281,
  gutterMm: 8,
  size: 8.5,
};
const blockMm = (contentMm - table.gutterMm) / 2;
/** Right ends of the columns of numbers, and the left end of the item, in mm from the left of their block. */
const columns = { sequence: 11, item: 14, pages: 73, sheets: blockMm - 1 };

/**
 * Creates the paper that goes with a batch to the printer: what to print on and put into which envelope, until when, and
 * the list of its files in two blocks beside each other. Throws an Error when the items do not add up to the
 * counts of the batch. The same input gives the same bytes.
 */
export async function createJobTicket(batch: PaperBatch, items: readonly PaperItem[]): Promise<Buffer> {
  requireSameCounts(batch, items);
  const paper = await openPaper();
  const pages = splitIntoPages(items);
  for (const [index, rows] of pages.entries()) {
    paper.addPage();
    if (index === 0) drawHead(paper, batch);
    else drawShortHead(paper, batch);
    drawTable(paper, rows, topOf(index));
    drawFoot(paper, batch, `Page ${index + 1} of ${pages.length}`);
    // A batch of 10,000 items has a hundred pages: other work of the process goes on between them.
    await yieldToOthers();
  }
  return paper.finish();
}

function requireSameCounts({ batchId, itemCount, sheetCount }: PaperBatch, items: readonly PaperItem[]): void {
  const sheets = items.reduce((sum, item) => sum + item.sheetCount, 0);
  if (items.length === itemCount && sheets === sheetCount) return;
  throw new Error(
    `The batch ${batchId} has ${itemCount} items of ${sheetCount} sheets, its list ${items.length} of ${sheets}.`,
  );
}

function topOf(pageIndex: number): number {
  return pageIndex === 0 ? table.firstTop : table.nextTop;
}

/** Rows of one block, below the heads of its columns. */
function rowsPerBlock(pageIndex: number): number {
  return Math.floor((table.bottom - topOf(pageIndex)) / table.rowMm) - 1;
}

function splitIntoPages(items: readonly PaperItem[]): (readonly PaperItem[])[] {
  const pages: (readonly PaperItem[])[] = [];
  for (let from = 0; from === 0 || from < items.length; ) {
    const to = from + 2 * rowsPerBlock(pages.length);
    pages.push(items.slice(from, to));
    from = to;
  }
  return pages;
}

function drawHead(paper: Paper, batch: PaperBatch): void {
  paper.text('Job ticket', { x: marginMm, y: 21, size: 14 });
  paper.text(batch.batchId, { x: marginMm, y: 32, size: 21, weight: 'bold' });
  const square = { x: right - matrixMm, y: marginMm, side: matrixMm };
  paper.dataMatrix(`BJ1 ${batch.batchId}`.toUpperCase(), square);

  paper.box({ x: marginMm, y: 47, width: contentMm, height: 27 }, { fill: 0.9 });
  paper.text('At the post office by', { x: marginMm + 5, y: 54, size: 10 });
  paper.text(formatMoment(batch.cutoffAt), { x: marginMm + 5, y: 63, size: 20, weight: 'bold' });
  const closed = `The batch was closed on ${formatMoment(batch.closesAt)}. Times are those of Brussels.`;
  paper.text(closed, { x: marginMm + 5, y: 70, size: 10 });
  drawFacts(paper, 79, factsOf(batch));
  drawSteps(paper);
}

function factsOf(batch: PaperBatch): Fact[] {
  const { format, window, color, doubleSided, serviceType, zone, acknowledgmentReceipt, itemCount, sheetCount } = batch;
  const receipt = acknowledgmentReceipt ? (['Needed', 'one for each item'] as const) : (['Not needed', ''] as const);
  return [
    ['Paper', 'A4, 80 g/m²', doubleSided ? 'both sides, long edge' : 'one side only'],
    ['Print', color ? 'Colour' : 'Black only', ''],
    ['Envelope', format, windowNames[window]],
    ['Service', serviceNames[serviceType], ''],
    ['Zone', zoneNames[zone], ''],
    ['Receipt form', ...receipt],
    ['Items', formatCount(itemCount), 'one envelope each'],
    ['Sheets', formatCount(sheetCount), ''],
  ];
}

const steps = ['Printed', 'In envelopes', 'Counted', 'Handed in'];

/** Boxes for the initials of those who did it, and the time. */
function drawSteps(paper: Paper): void {
  const cellMm = contentMm / steps.length;
  paper.text('Initials and time:', { x: marginMm, y: 122, size: 8.5 });
  for (const [index, step] of steps.entries()) {
    const x = marginMm + index * cellMm;
    paper.box({ x, y: 124, width: cellMm, height: 14 }, { stroke: 0 });
    paper.text(step, { x: x + 2.5, y: 128.8, size: 8.5 });
  }
  paper.text('Files, in the order of printing', { x: marginMm, y: 147, size: 11, weight: 'bold' });
}

function drawShortHead(paper: Paper, { batchId, cutoffAt }: PaperBatch): void {
  paper.text('Job ticket', { x: marginMm, y: 20, size: 10 });
  paper.text(batchId, { x: marginMm + 20, y: 20, size: 12, weight: 'bold' });
  paper.text(`Post office by ${formatMoment(cutoffAt)}`, { x: right, y: 20, size: 8.5, align: 'right' });
  paper.line({ x: marginMm, y: 24 }, { x: right, y: 24 });
}

function drawFoot(paper: Paper, { batchId }: PaperBatch, pageLabel: string): void {
  paper.text(batchId, { x: marginMm, y: 288, size: 8.5 });
  paper.text(pageLabel, { x: right, y: 288, size: 8.5, align: 'right' });
}

function drawTable(paper: Paper, rows: readonly PaperItem[], top: number): void {
  const perBlock = Math.floor((table.bottom - top) / table.rowMm) - 1;
  for (let block = 0; block * perBlock < rows.length; block += 1) {
    const left = marginMm + block * (blockMm + table.gutterMm);
    drawColumnHeads(paper, left, top);
    for (const [index, item] of rows.slice(block * perBlock, (block + 1) * perBlock).entries()) {
      drawRow(paper, item, { left, top: top + (index + 1) * table.rowMm, isShaded: index % 2 === 1 });
    }
  }
}

function drawColumnHeads(paper: Paper, left: number, top: number): void {
  const head = { y: top + 3.5, size: table.size, weight: 'bold' } as const;
  paper.text('No.', { ...head, x: left + columns.sequence, align: 'right' });
  paper.text('Item', { ...head, x: left + columns.item });
  paper.text('Pages', { ...head, x: left + columns.pages, align: 'right' });
  paper.text('Sheets', { ...head, x: left + columns.sheets, align: 'right' });
  paper.line({ x: left, y: top + table.rowMm }, { x: left + blockMm, y: top + table.rowMm });
}

function drawRow(
  paper: Paper,
  { sequence, itemId, pageCount, sheetCount }: PaperItem,
  { left, top, isShaded }: { left: number; top: number; isShaded: boolean },
): void {
  const cell = { y: top + 3.6, size: table.size };
  if (isShaded) paper.box({ x: left, y: top, width: blockMm, height: table.rowMm }, { fill: 0.94 });
  paper.text(String(sequence), { ...cell, x: left + columns.sequence, align: 'right' });
  paper.text(itemId, { ...cell, x: left + columns.item });
  paper.text(String(pageCount), { ...cell, x: left + columns.pages, align: 'right' });
  paper.text(String(sheetCount), { ...cell, x: left + columns.sheets, align: 'right' });
}
