// Level: unit
import { packJobTicket } from '#common/documents/papers/pack-job-ticket.ts';
import { type Language, languages } from '#common/languages.ts';
import { openPapers } from '#test/support/documents/typesetting/use-typesetting.ts';
import { afterAll, describe, expect, test, testWithPrograms, useTempFolders } from '#test/support/jest.ts';
import { batchId, makeBatch, makeItems } from '#test/support/production/hot-folder-batch.ts';
import { areEdgesBlank, readPaperMatrix, textsOf } from '#test/support/production/read-paper.ts';

const makeFolder = useTempFolders();
const papers = openPapers();
afterAll(() => papers.close());
const drawn = testWithPrograms('pdftoppm');

const textOf = async (pdf: Buffer) => (await textsOf(pdf, await makeFolder())).join(' ');

describe('a job ticket', () => {
  test('says what to print, on what, into which envelope and until when', async () => {
    const items = makeItems(3, (sequence) => sequence);
    const text = await textOf(await papers.jobTicket(makeBatch(items), items));
    expect(text).toContain(`Job ticket ${batchId}`);
    expect(text).toContain('At the post office by Thursday 5 March 2026, 15:00');
    expect(text).toContain('closed on Thursday 5 March 2026, 13:30');
    expect(text).toContain('Paper A4, 80 g/m² both sides, long edge');
    expect(text).toContain('Print Black only');
    expect(text).toContain('Envelope C5 window on the right');
    expect(text).toContain('Service Prior');
    expect(text).toContain('Zone Belgium');
    expect(text).toContain('Receipt form Not needed');
    expect(text).toContain('Items 3 one envelope each');
    expect(text).toContain('Sheets 6');
    for (const { sequence, itemId, pageCount, sheetCount } of items) {
      expect(text).toContain(`${sequence} ${itemId} ${pageCount} ${sheetCount}`);
    }
    expect(text).toContain('Page 1 of 1');
  });

  test('says colour, one side, receipt form, registered window and abroad', async () => {
    const items = makeItems(1);
    const batch = makeBatch(items, {
      color: true,
      doubleSided: false,
      acknowledgmentReceipt: true,
      window: 'registered',
      serviceType: 'registered',
      zone: 'INTERNATIONAL',
      format: 'C4',
    });
    const text = await textOf(await papers.jobTicket(batch, items));
    expect(text).toContain('Paper A4, 80 g/m² one side only');
    expect(text).toContain('Print Colour');
    expect(text).toContain('Receipt form Needed one for each item');
    expect(text).toContain('Envelope C4 registered window, on the left');
    expect(text).toContain('Service Registered Zone');
    expect(text).toContain('Zone International');
  });

  test.each([
    ['2026-03-27T14:00:00Z', 'Friday 27 March 2026, 15:00'],
    ['2026-03-30T13:00:00Z', 'Monday 30 March 2026, 15:00'],
    ['2026-10-26T14:00:00Z', 'Monday 26 October 2026, 15:00'],
    ['2026-12-31T22:30:00Z', 'Thursday 31 December 2026, 23:30'],
    ['2026-12-31T23:00:00Z', 'Friday 1 January 2027, 00:00'],
  ])('shows %s as %s', async (cutoffAt, shown) => {
    const items = makeItems(1);
    const batch = makeBatch(items, { cutoffAt: new Date(cutoffAt) });
    expect(await textOf(await papers.jobTicket(batch, items))).toContain(`by ${shown}`);
  });

  drawn('has the id of the batch as a data matrix, and blank edges', async () => {
    const items = makeItems(200);
    const ticket = await papers.jobTicket(makeBatch(items), items);
    expect(await readPaperMatrix(ticket)).toBe(`BJ1 ${batchId.toUpperCase()}`);
    expect(await areEdgesBlank(ticket)).toBe(true);
  });

  test.each([50, 51, 148, 149])('of %i items lists each of them once, in order', async (count) => {
    const items = makeItems(count);
    const pages = await textsOf(await papers.jobTicket(makeBatch(items), items), await makeFolder());
    expect(pages).toHaveLength(1 + Math.ceil((count - 50) / 98));
    expect(pages.join(' ').match(/mi_[0-9a-z]{26}/g)).toEqual(items.map(({ itemId }) => itemId));
    for (const [index, page] of pages.entries()) {
      expect(page).toContain(batchId);
      expect(page).toContain(`Page ${index + 1} of ${pages.length}`);
    }
  });

  test('has its fonts in it, and the same bytes for the same batch', async () => {
    const items = makeItems(60);
    const ticket = await papers.jobTicket(makeBatch(items), items);
    expect(ticket.toString('latin1').match(/\/FontFile2/g)).toHaveLength(2);
    expect(ticket.equals(await papers.jobTicket(makeBatch(items), items))).toBe(true);
    const other = await papers.jobTicket(makeBatch(items, { color: true }), items);
    expect(ticket.equals(other)).toBe(false);
  });

  test('whose items do not add up to the batch is not made', async () => {
    const items = makeItems(2);
    await expect(papers.jobTicket(makeBatch(items, { itemCount: 3 }), items)).rejects.toThrow('has 3 items');
    await expect(papers.jobTicket(makeBatch(items, { sheetCount: 5 }), items)).rejects.toThrow('of 5 sheets');
  });

  test('of 10,000 items lists each of them', async () => {
    const items = makeItems(10_000);
    const pages = await textsOf(await papers.jobTicket(makeBatch(items), items), await makeFolder());
    expect(pages.join(' ').match(/mi_[0-9a-z]{26}/g)).toEqual(items.map(({ itemId }) => itemId));
  });

  test('has no word of another language in any of the four', () => {
    const items = makeItems(1);
    const wordsIn = (language: Language) => JSON.stringify(packJobTicket(makeBatch(items), items, language));
    expect(wordsIn('nl')).toContain('donderdag 5 maart 2026, 15:00');
    expect(wordsIn('fr')).toContain('jeudi 5 mars 2026, 15:00');
    expect(wordsIn('de')).toContain('Donnerstag, 5. März 2026, 15:00');
    const english = [
      'Job ticket',
      'both sides',
      'window on',
      'Sheets',
      'Thursday',
      'Counted',
      'Printed',
      'of Brussels',
    ];
    for (const language of languages) {
      const found = english.filter((word) => wordsIn(language).includes(word));
      expect([language, found]).toEqual([language, language === 'en' ? english : []]);
    }
  });
});
