import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib';
import { checkAddresses } from '#common/documents/addressing/check-addresses.ts';
import { openCopyMaker } from '#common/documents/addressing/create-copies.ts';
import { appendTo } from '#common/documents/file-content.ts';
import { createRenderSlots } from '#common/documents/isolation/render-slots.ts';
import type { PaperBatch } from '#common/documents/papers/paper-batch.ts';
import { createPapers } from '#common/documents/papers/papers.ts';
import { drawOverlay } from '#common/documents/preflight/draw-overlay.ts';
import { drawPage } from '#common/documents/preview/draw-page.ts';
import { type PrintFile, renderPrintFile } from '#common/documents/print-file/render-print-file.ts';
import { envelopeSchemes } from '#common/documents/sheet/envelope-schemes.ts';
import { openWarmPool, type WarmPool } from '#common/documents/warm/warm-pool.ts';
import { MailRequest } from '#common/mail-jobs/model/mail-request.schema.ts';
import { judgeLetter } from '#common/mail-jobs/render/judge-letter.ts';
import type { PostalAddress } from '#common/organizations/organization.model.ts';
import { createLog } from '#common/platform/process/log.ts';
import { describeGoals, type GoalRow } from './goal-table.ts';
import { alternate, print } from './measure.ts';
import { benchAddress } from './open-bench-account.ts';
import { readTreeCpu } from './process-cpu.ts';

const rounds = 7;
/** Enough for the hundredths of a second in which the kernel counts CPU time. */
const lettersPerRound = 20;
const copies = 100;
const scheme = 'window-left';
const { signal } = new AbortController();

type Bench = { pool: WarmPool; folder: string; log: ReturnType<typeof createLog> };

/**
 * Prints what a check of a letter costs beside drawing its pages, and what its addressed copies cost beside rendering
 * it, all in warm processes; then what the longest addresses and the largest job ticket cost beside usual ones, and addresses beside the letter they are
 * sent with. CPU time of
 * this process and its children.
 */
export async function run(held: AsyncDisposableStack): Promise<void> {
  const log = createLog('bench', 'warn');
  const temporary = held.use(await mkdtempDisposable(join(tmpdir(), 'bluejay-bench-paper-')));
  const pool = openWarmPool({ maxChildren: 1, keepsSpare: false, sharing: 'everyone', log });
  if (!pool) throw new Error('There is no warm pool.');
  held.defer(() => pool.close());
  const bench = { pool, folder: temporary.path, log };

  const rows: GoalRow[] = [];
  for (const pages of [2, 10]) rows.push(await compareCheck(bench, pages));
  for (const pages of [1, 10]) rows.push(await compareCopies(bench, pages));
  rows.push(await compareAddresses(), await compareLetter(), await compareTickets(held, log));
  print(`${rounds} rounds of ${lettersPerRound} letters, CPU ms of one; the floor runs in the same round`);
  print(describeGoals(rows));
}

/** A check with its picture of page 1, beside drawing all pages. */
async function compareCheck(bench: Bench, pages: number): Promise<GoalRow> {
  const bytes = await makeLetter(pages);
  const printFile = await render(bench, bytes);
  const measured = await alternate(
    rounds,
    () => cpuOf(() => check(bench, bytes)),
    () =>
      cpuOf(async () => {
        for (let page = 1; page <= pages; page += 1) await draw(bench, printFile, page);
      }),
  );
  return { name: `check with picture, ${pages} pages / drawing them`, unit: 'ms', goal: { atMost: 3 }, measured };
}

/** A hundred copies, in memory, beside one rendering. */
async function compareCopies(bench: Bench, pages: number): Promise<GoalRow> {
  const bytes = await makeLetter(pages);
  const printFile = await render(bench, bytes);
  const measured = await alternate(
    rounds,
    () => cpuOf(() => copy(printFile)),
    () => cpuOf(async () => void (await render(bench, bytes))),
  );
  return { name: `${copies} copies, ${pages} pages / one rendering`, unit: 'ms', goal: { atMost: 5 }, measured };
}

/** Checking addresses whose fields are as long as they may be, and of words that can be broken in the most ways. */
async function compareAddresses(): Promise<GoalRow> {
  const longest = 'W '.repeat(50).trim();
  const long = {
    name: longest,
    line1: longest,
    line2: longest,
    zip: '010061',
    city: longest.slice(0, 79),
    country: 'RO',
  };
  const of = (address: PostalAddress) => () =>
    cpuOf(async () => {
      const recipients = Array<PostalAddress>(copies).fill(address);
      await checkAddresses({ scheme: envelopeSchemes[scheme], sender: benchAddress, recipients });
    });
  const measured = await alternate(rounds, of(long), of(benchAddress));
  return { name: `${copies} longest addresses / usual ones`, unit: 'ms', goal: { atMost: 60 }, measured };
}

/** What accepting a letter to a hundred recipients checks of its addresses, beside reading its body. */
async function compareLetter(): Promise<GoalRow> {
  const recipients = Array.from({ length: copies }, (_, n) => ({ ...benchAddress, name: `Recipient ${n}` }));
  const body = { zone: 'NATIONAL', serviceType: 'standard', pages: 1, files: [{ s3Key: 'u/bench' }], recipients };
  const measured = await alternate(
    rounds,
    () => cpuOf(() => checkAddresses({ scheme: envelopeSchemes[scheme], sender: benchAddress, recipients })),
    () => cpuOf(async () => MailRequest.parse(body)),
  );
  return {
    name: `addresses of ${copies} recipients / reading their letter`,
    unit: 'ms',
    goal: { atMost: 10 },
    measured,
  };
}

/** One ticket of 10,000 items beside ten of 1,000. */
async function compareTickets(held: AsyncDisposableStack, log: Bench['log']): Promise<GoalRow> {
  const papers = createPapers({ language: 'en', log });
  held.defer(() => papers.close());
  let batches = 0;
  const items = Array.from({ length: 10_000 }, (_, index) => ({
    sequence: index + 1,
    itemId: `mi_01m7ynaxr6fqa9hh3cq0${String(index).padStart(6, '0')}`,
    ...{ pageCount: 2, sheetCount: 1, sender: benchAddress },
  }));
  const ticketOf = async (some: typeof items) => {
    const counts = { itemCount: some.length, sheetCount: some.length };
    // The typesetting remembers a list that it has seen.
    batches += 1;
    const ticketItems = some.map((item) => ({
      ...item,
      itemId: `${item.itemId.slice(0, -6)}${batches}${item.itemId.slice(-6)}`,
    }));
    await papers.jobTicket({ ...benchBatch, ...counts }, ticketItems);
  };
  const measured = await alternate(
    rounds,
    () => cpuOf(() => ticketOf(items), 1),
    () =>
      cpuOf(async () => {
        for (let from = 0; from < items.length; from += 1_000) await ticketOf(items.slice(from, from + 1_000));
      }, 1),
  );
  return { name: 'a job ticket of 10,000 items / ten of 1,000', unit: 'ms', goal: { atMost: 1.5 }, measured };
}

async function cpuOf(work: () => Promise<unknown>, times = lettersPerRound): Promise<number> {
  const read = () => {
    const { ownMs, childrenMs } = readTreeCpu(process.pid);
    return ownMs + childrenMs;
  };
  const before = read();
  for (let n = 0; n < times; n += 1) await work();
  return (read() - before) / times;
}

const benchBatch: Omit<PaperBatch, 'itemCount' | 'sheetCount'> = {
  batchId: 'bat_01m7ynaxr6fqa9hh3cq0zd0000',
  cutoffAt: new Date('2026-03-05T14:00:00Z'),
  closesAt: new Date('2026-03-05T12:30:00Z'),
  zone: 'NATIONAL',
  ...{
    serviceType: 'prior',
    format: 'C5',
    window: scheme,
    color: false,
    doubleSided: true,
    acknowledgmentReceipt: false,
  },
};

const slots = createRenderSlots();
const makeFolder = (folder: string) => async () => folder;

async function render({ pool, folder, log }: Bench, bytes: Buffer): Promise<PrintFile> {
  return await renderPrintFile({
    getFiles: async () => [{ bytes, mimeType: 'application/pdf' }],
    expectedPages: null,
    ...{ makeFolder: makeFolder(folder), warmPool: pool, slots, signal, log },
  });
}

async function draw({ pool, folder, log }: Bench, file: { bytes: Buffer } | { path: string }, page: number) {
  const slot = await slots.acquire(signal);
  try {
    const work = { warmPool: pool, organizationId: 'bench', makeFolder: makeFolder(folder), slot, signal, log };
    return await drawPage({ file, page, ...work });
  } finally {
    slot.release();
  }
}

async function check(bench: Bench, bytes: Buffer): Promise<void> {
  const file = await render(bench, bytes);
  const { findings } = judgeLetter({
    ...file,
    ...{ scheme, color: false, coverPages: 'auto', recipientCount: 1, addressProblems: [] },
  });
  const tail = await drawOverlay(file, envelopeSchemes[scheme], findings);
  await draw(bench, await appendTo(file, tail, async () => join(bench.folder, 'overlay.pdf')), 1);
}

async function copy(printFile: PrintFile): Promise<void> {
  const options = { scheme: envelopeSchemes[scheme], placement: 'page', sender: benchAddress } as const;
  const maker = await openCopyMaker(printFile, options);
  for (let n = 0; n < copies; n += 1) {
    const itemId = `mi_01m7ynaxr6fqa9hh3cq0zd${String(n).padStart(4, '0')}`;
    maker.make({ itemId, address: { ...benchAddress, name: `Recipient ${n}` } });
  }
}

/** A letter of text, with its window blank. */
async function makeLetter(pages: number): Promise<Buffer> {
  const document = await PDFDocument.create();
  const font = await document.embedFont(StandardFonts.Helvetica);
  for (let page = 1; page <= pages; page += 1) {
    const sheet = document.addPage([595.28, 841.89]);
    for (let line = 0; line < 30; line += 1) {
      const text = `Page ${page}, line ${line + 1}: the quick brown fox jumps over the lazy dog`;
      sheet.drawText(text, { x: 70, y: 560 - line * 17, size: 11, font });
    }
  }
  return Buffer.from(await document.save());
}
