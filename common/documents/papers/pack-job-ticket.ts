import type { Language } from '#common/languages.ts';
import {
  batchMatrix,
  formatCount,
  formatMoment,
  type PaperBatch,
  type PaperItem,
  padNumber,
  toBlocks,
} from './paper-batch.ts';
import { fillIn, type PaperTexts, paperTexts } from './paper-texts.ts';

/** Rows of a block below the head of the first page. */
const firstRows = 25;

/**
 * Returns what `job-ticket.typ` reads: what to print on and put into which envelope, until when, and the list of files in
 * two blocks beside each other. Throws an Error when the items do not add up to the counts of the batch.
 */
export function packJobTicket(batch: PaperBatch, items: readonly PaperItem[], language: Language): object {
  requireSameCounts(batch, items);
  const texts = paperTexts[language];
  const { ticket, pageOf } = texts;
  const { batchId } = batch;
  const deadline = formatMoment(batch.cutoffAt, language);
  const columns = (pages: string | number, sheets: string | number) => `${padNumber(pages, 5)}${padNumber(sheets, 7)}`;
  return {
    ...{ language, pageOf, title: ticket.title, subject: batchId, foot: batchId, matrix: batchMatrix(batchId) },
    short: fillIn(ticket.short, { moment: deadline }),
    deadline: {
      label: ticket.deadline,
      value: deadline,
      more: fillIn(ticket.closed, { moment: formatMoment(batch.closesAt, language) }),
    },
    facts: factsOf(batch, texts, language),
    ...{ signing: ticket.signing, steps: ticket.steps, listTitle: ticket.list },
    head: [`${padNumber(ticket.number, 5)}  ${ticket.item}`, `${ticket.pages}   ${ticket.sheets}`],
    pages: toBlocks(
      items.map(({ sequence, itemId, pageCount, sheetCount }) => [
        `${padNumber(sequence, 5)}  ${itemId}`,
        columns(pageCount, sheetCount),
      ]),
      firstRows,
    ),
  };
}

function requireSameCounts({ batchId, itemCount, sheetCount }: PaperBatch, items: readonly PaperItem[]): void {
  const sheets = items.reduce((sum, item) => sum + item.sheetCount, 0);
  if (items.length === itemCount && sheets === sheetCount) return;
  throw new Error(
    `The batch ${batchId} has ${itemCount} items of ${sheetCount} sheets, its list ${items.length} of ${sheets}.`,
  );
}

function factsOf(batch: PaperBatch, { ticket, services, zones, windows }: PaperTexts, language: Language): string[][] {
  const { format, window, color, doubleSided, serviceType, zone, acknowledgmentReceipt, itemCount, sheetCount } = batch;
  return [
    [ticket.paper, ticket.grams, doubleSided ? ticket.bothSides : ticket.oneSide],
    [ticket.print, color ? ticket.colour : ticket.black, ''],
    [ticket.envelope, format, windows[window]],
    [ticket.service, services[serviceType], ''],
    [ticket.zone, zones[zone], ''],
    [ticket.receipt, ...(acknowledgmentReceipt ? [ticket.needed, ticket.oneEach] : [ticket.notNeeded, ''])],
    [ticket.items, formatCount(itemCount, language), ticket.envelopeEach],
    [ticket.sheets, formatCount(sheetCount, language), ''],
  ];
}
