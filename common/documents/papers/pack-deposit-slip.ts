import type { Language } from '#common/languages.ts';
import {
  addressLines,
  batchMatrix,
  formatCount,
  formatDay,
  formatMoment,
  type PaperBatch,
  type PaperItem,
  padNumber,
  toBlocks,
} from './paper-batch.ts';
import { fillIn, type PaperTexts, paperTexts } from './paper-texts.ts';
import { weighDeposit } from './weigh-deposit.ts';

/** A batch as its deposit slip shows it. */
export type DepositBatch = Omit<PaperBatch, 'window' | 'itemCount' | 'sheetCount'>;
/** An item as a deposit slip counts it. */
export type DepositItem = Pick<PaperItem, 'sequence' | 'sheetCount' | 'sender' | 'trackingNumber'>;

/** More senders are counted only. */
const maxSenders = 5;
/** Rows of a block below the title of the list of labels. */
const rowsPerLabelBlock = 45;

/**
 * Returns what `deposit-slip.typ` reads: the items of a batch and their weight by weight class, boxes to sign, and the
 * labels of registered items. A sheet weighs 4.9896 g and an envelope 5 g (DL), 7 g (C5) or 16 g (C4). Each row is
 * rounded to whole grams, and the total is the sum of the rows. Throws an Error when there are no items.
 */
export function packDepositSlip(batch: DepositBatch, items: readonly DepositItem[], language: Language): object {
  if (items.length === 0) throw new Error('A deposit has at least one item.');
  const { batchId, cutoffAt } = batch;
  const texts = paperTexts[language];
  const { slip, pageOf } = texts;
  return {
    ...{ language, pageOf, title: slip.title, subject: formatDay(cutoffAt, language), short: batchId, foot: batchId },
    cutoff: fillIn(slip.cutoff, { moment: formatMoment(cutoffAt, language) }),
    matrix: batchMatrix(batchId),
    sender: senderOf(items, slip, language),
    batch: { label: slip.batch, id: batchId },
    ...tableOf(batch, items, texts, language),
    signatures: [slip.handedIn, slip.accepted],
    signing: [slip.name, slip.dateTime, slip.signature],
    ...(batch.serviceType === 'registered' ? labelsOf(items, texts) : { note: null, registered: null }),
  };
}

type Slip = PaperTexts['slip'];

/** The address of the only sender, or the names of several. */
function senderOf(items: readonly DepositItem[], slip: Slip, language: Language) {
  const addresses = new Set(items.map(({ sender }) => addressLines(sender, language).join('\n')));
  const senders = [...addresses].map((address) => address.split('\n'));
  const [only = []] = senders;
  if (senders.length === 1) return { label: slip.sender, lines: only, number: slip.customer };
  const names = [...new Set(senders.map(([name = '']) => name))];
  const others = names.length - maxSenders;
  const more = others > 0 ? [fillIn(slip.more, { count: String(others) })] : [];
  return { label: slip.senders, lines: [...names.slice(0, maxSenders), ...more], number: slip.customer };
}

function tableOf(batch: DepositBatch, items: readonly DepositItem[], texts: PaperTexts, language: Language) {
  const { zone, serviceType, format, acknowledgmentReceipt } = batch;
  const { slip, ticket, zones, services } = texts;
  const rows = weighDeposit(format, items);
  const grams = rows.reduce((sum, row) => sum + row.grams, 0);
  const count = (number: number) => formatCount(number, language);
  const all = count(items.length);
  const labels = items.filter(({ trackingNumber }) => trackingNumber !== undefined).length;
  const registered =
    serviceType === 'registered' ? [all, fillIn(slip.withLabel, { count: count(labels) })] : [count(0), ''];
  return {
    head: [ticket.zone, ticket.service, slip.format, slip.weightEach, ticket.receipt, ticket.items, slip.grams],
    rows: rows.map((row) => [
      ...[zones[zone], services[serviceType], format],
      row.upToGrams === null ? slip.above : fillIn(slip.upTo, { grams: count(row.upToGrams) }),
      ...[acknowledgmentReceipt ? slip.yes : slip.no, count(row.itemCount), count(row.grams)],
    ]),
    sum: [slip.total, all, count(grams)],
    facts: [
      [slip.itemsInAll, all, ''],
      [slip.weightInAll, `${formatCount(grams / 1000, language, 2)} kg`, slip.computed],
      [services.registered, ...registered],
      [slip.receipts, acknowledgmentReceipt ? all : count(0), ''],
    ],
  };
}

/** The labels of registered items, numbered as on the job ticket, or a note that none is recorded. */
function labelsOf(items: readonly DepositItem[], { slip, ticket }: PaperTexts) {
  if (items.every(({ trackingNumber }) => trackingNumber === undefined))
    return { note: slip.noLabels, registered: null };
  const lines = items.map(({ sequence, trackingNumber = null }) => [`${padNumber(sequence, 6)}  `, trackingNumber]);
  const head = `${padNumber(ticket.number, 6)}  ${slip.label}`;
  const pages = toBlocks(lines, rowsPerLabelBlock);
  return { note: null, registered: { title: slip.registered, more: slip.asOnTicket, head, pages } };
}
