// Level: unit
import fc from 'fast-check';
import type { DepositBatch, DepositItem } from '#common/documents/papers/pack-deposit-slip.ts';
import { weighDeposit } from '#common/documents/papers/weigh-deposit.ts';
import { formats } from '#common/documents/sheet/envelope-schemes.ts';
import { openPapers } from '#test/support/documents/typesetting/use-typesetting.ts';
import { afterAll, describe, expect, forAny, test, testWithPrograms, useTempFolders } from '#test/support/jest.ts';
import { aSender, batchId, makeBatch, makeItems } from '#test/support/production/hot-folder-batch.ts';
import { areEdgesBlank, readPaperMatrix, textsOf } from '#test/support/production/read-paper.ts';

const makeFolder = useTempFolders();
const papers = openPapers();
afterAll(() => papers.close());
const oneItem = [{ sequence: 1, sheetCount: 1, sender: aSender }];
const slipOf = (items: readonly DepositItem[] = oneItem, changes: Partial<DepositBatch> = {}) =>
  papers.depositSlip({ ...makeBatch([]), ...changes }, items);
const readSlip = async (...input: Parameters<typeof slipOf>) =>
  await textsOf(await slipOf(...input), await makeFolder());

describe('the weight of a deposit', () => {
  test.each([
    ['DL', 1, 50, 9_990],
    ['DL', 6, 50, 34_938],
    ['DL', 9, 50, 49_906],
    ['DL', 10, 100, 54_896],
    ['C5', 8, 50, 46_917],
    ['C5', 9, 100, 51_906],
    ['C5', 18, 100, 96_813],
    ['C4', 19, 350, 110_802],
    ['C4', 66, 350, 345_314],
    ['C4', 67, 1000, 350_303],
    ['C4', 197, 1000, 998_951],
    ['C4', 397, 2000, 1_996_871],
    ['C4', 398, null, 2_001_861],
  ] as const)('%s with %i sheets is in the class up to %s g', (format, sheetCount, upToGrams, gramsOfThousand) => {
    const items = Array.from({ length: 1000 }, () => ({ sheetCount }));
    expect(weighDeposit(format, items)).toEqual([{ upToGrams, itemCount: 1000, grams: gramsOfThousand }]);
  });

  test('is added up by weight class, and loses no item and no more than half a gram in a row', () => {
    const item = fc.record({ sheetCount: fc.integer({ min: 1, max: 500 }) });
    const envelope = { DL: 5, C5: 7, C4: 16 };
    const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
    forAny([fc.constantFrom(...formats), fc.array(item, { minLength: 1, maxLength: 200 })], (format, items) => {
      const rows = weighDeposit(format, items);
      expect(sum(rows.map(({ itemCount }) => itemCount))).toBe(items.length);
      const exact = sum(items.map(({ sheetCount }) => sheetCount * 4.9896 + envelope[format]));
      expect(Math.abs(sum(rows.map(({ grams }) => grams)) - exact)).toBeLessThanOrEqual(rows.length / 2 + 0.01);
      const limits = rows.map(({ upToGrams }) => upToGrams ?? Number.POSITIVE_INFINITY);
      expect(limits).toEqual([...new Set(limits)].sort((a, b) => a - b));
    });
  });
});

describe('a deposit slip', () => {
  test('says for the counter what is handed in, with lines to sign', async () => {
    const items = makeItems(1_200, (sequence) => (sequence % 12) + 1);
    const [text = ''] = await readSlip(items, { serviceType: 'registered', acknowledgmentReceipt: true });
    for (const said of [
      ...['Deposit slip Thursday 5 March 2026', 'Cutoff: Thursday 5 March 2026, 15:00, Brussels time', batchId],
      ...['Belgium Registered C5 up to 50 g yes 800 23,563', 'Belgium Registered C5 up to 100 g yes 400 23,756'],
      ...['Total 1,200 47,319', 'Items in all 1,200', '47.32 kg', 'Registered 1,200', 'Receipt forms 1,200'],
      ...['Sender', 'Customer no.', 'Handed in for the sender', 'Accepted by the post office', 'Signature'],
    ])
      expect(text).toContain(said);
    const [ofLetters = ''] = await readSlip(items);
    expect(ofLetters).toMatch(/Belgium Prior C5 up to 50 g no 800 .*Registered 0 .*Receipt forms 0 /);
  });

  test('has each weight class once, and a total', async () => {
    const items = [1, 10, 50, 100, 300, 500].map((sheetCount, index) => ({
      ...{ sequence: index + 1, sheetCount, sender: aSender },
    }));
    const pages = await readSlip(items, { zone: 'INTERNATIONAL', format: 'DL' });
    expect(pages).toHaveLength(1);
    expect(pages[0]?.match(/International Prior DL (up to [\d,]+ g|above all classes) no 1 /g)).toHaveLength(6);
    expect(pages[0]).toMatch(/Total 6 .*Signature/);
  });

  testWithPrograms('pdftoppm')('has the id of its batch as a data matrix, and blank edges', async () => {
    const slip = await slipOf();
    expect(await readPaperMatrix(slip)).toBe(`BJ1 ${batchId.toUpperCase()}`);
    expect(await areEdgesBlank(slip)).toBe(true);
  });

  test('has the same bytes for the same deposit', async () => {
    const [one, two] = await Promise.all([slipOf(), slipOf()]);
    expect(one.equals(two)).toBe(true);
  });

  test('has the address of its only sender, or the names of several, as they were typed', async () => {
    const ofSenders = (...names: string[]) =>
      names.map((name, index) => ({ sequence: index + 1, sheetCount: 1, sender: { ...aSender, name } }));
    const typed = '#panic() *Peeters* $x$ @a <b> \\u{41}';
    const [text = ''] = await readSlip(ofSenders(typed, typed));
    expect(text).toContain(`Sender ${typed} Kerkstraat 1 9000 Gent Customer no.`);
    const [ofFive = ''] = await readSlip(ofSenders('Ada', 'Bo', 'Ada', 'Cy', 'Di', 'Ed'));
    expect(ofFive).toContain('Senders Ada Bo Cy Di Ed Customer no.');
    const [ofMany = ''] = await readSlip(ofSenders('Ada', 'Bo', 'Ada', 'Cy', 'Di', 'Ed', 'Flo', 'Gus'));
    expect(ofMany).toContain('Senders Ada Bo Cy Di Ed and 2 more');
  });

  test('lists the labels of registered items on pages of their own, with a line for each that is missing', async () => {
    const items = Array.from({ length: 200 }, (_, index) => ({
      ...{ sequence: index + 1, sheetCount: 1, sender: aSender },
      ...(index !== 6 && { trackingNumber: `0105412345678901234567890${10_000 + index}` }),
    }));
    const pages = await readSlip(items, { serviceType: 'registered' });
    expect(pages).toHaveLength(4);
    expect(pages[0]).toMatch(/Registered 200 199 with a recorded label/);
    const listed = pages
      .slice(1)
      .join(' ')
      .match(/\b\d+ 010\d{27}/g);
    const known = items.flatMap(({ sequence, trackingNumber }) =>
      trackingNumber ? [`${sequence} ${trackingNumber}`] : [],
    );
    expect(listed).toEqual(known);
    expect(pages[1]).toMatch(/6 010\d+ 7 8 010/);
    const [ofNone = ''] = await readSlip(oneItem, { serviceType: 'registered' });
    expect(ofNone).toContain('No label is recorded yet');
  });

  test('of nothing is not made', async () => {
    await expect(slipOf([])).rejects.toThrow('at least one');
  });
});
