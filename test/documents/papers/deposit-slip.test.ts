// Level: unit
import fc from 'fast-check';
import type { Deposit } from '#common/documents/papers/pack-deposit-slip.ts';
import type { PostalClass } from '#common/documents/papers/paper-batch.ts';
import {
  countDeposit,
  type DepositCount,
  defaultWeightClasses,
  weighDeposit,
} from '#common/documents/papers/weigh-deposit.ts';
import { openPapers } from '#test/support/documents/typesetting/use-typesetting.ts';
import { afterAll, describe, expect, forAny, test, testWithPrograms, useTempFolders } from '#test/support/jest.ts';
import { aSender, batchId, makeBatch, makeItems } from '#test/support/production/hot-folder-batch.ts';
import { areEdgesBlank, readPaperMatrix, textsOf } from '#test/support/production/read-paper.ts';

const makeFolder = useTempFolders();
const cutoffAt = new Date('2026-03-05T14:00:00Z');
const papers = openPapers();
afterAll(() => papers.close());
const oneItem = [{ sequence: 1, sender: aSender }];
const slipOf = (counts: DepositCount[], changes: Partial<Deposit> = {}) =>
  papers.depositSlip({ batchIds: [batchId], cutoffAt, counts, items: oneItem, ...changes });

const national: PostalClass = {
  zone: 'NATIONAL',
  serviceType: 'prior',
  format: 'DL',
  acknowledgmentReceipt: false,
};

const everyClass: PostalClass[] = (['INTERNATIONAL', 'NATIONAL'] as const).flatMap((zone) =>
  (['registered', 'prior', 'standard'] as const).flatMap((serviceType) =>
    (['C4', 'C5', 'DL'] as const).map((format) => ({ zone, serviceType, format, acknowledgmentReceipt: false })),
  ),
);

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
    const counts = [{ ...national, format, sheetCount, itemCount: 1000 }];
    expect(weighDeposit(counts, defaultWeightClasses)).toEqual([
      { ...national, format, upToGrams, itemCount: 1000, grams: gramsOfThousand },
    ]);
  });

  test('is added up by class and weight class, in the order of the slip', () => {
    const items = makeItems(100, (sequence) => (sequence % 18) + 1);
    const batch = makeBatch(items);
    const rows = weighDeposit(countDeposit(batch, items), defaultWeightClasses);
    expect(rows.map(({ upToGrams }) => upToGrams)).toEqual([50, 100]);
    expect(rows.reduce((sum, { itemCount }) => sum + itemCount, 0)).toBe(100);
    const exact = batch.sheetCount * 4.9896 + 100 * 7;
    expect(Math.abs(rows.reduce((sum, { grams }) => sum + grams, 0) - exact)).toBeLessThanOrEqual(1);

    const counts = everyClass.map((each) => ({ ...each, sheetCount: 1, itemCount: 1 }));
    const order = weighDeposit(counts, defaultWeightClasses);
    expect(order.slice(0, 3).map(({ format }) => format)).toEqual(['DL', 'C5', 'C4']);
    expect(order.slice(0, 9).map(({ zone }) => zone)).toEqual(Array(9).fill('NATIONAL'));
    expect(order.map(({ serviceType }) => serviceType).slice(2, 4)).toEqual(['standard', 'prior']);
  });

  test('loses no item, and no more than half a gram in a row', () => {
    const count = fc.record({
      each: fc.constantFrom(...everyClass),
      sheetCount: fc.integer({ min: 1, max: 500 }),
      itemCount: fc.integer({ min: 1, max: 10_000 }),
    });
    const envelope = { DL: 5, C5: 7, C4: 16 };
    forAny([fc.array(count, { minLength: 1, maxLength: 60 })], (list) => {
      const counts = list.map(({ each, ...rest }) => ({ ...each, ...rest }));
      const rows = weighDeposit(counts, defaultWeightClasses);
      const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
      expect(sum(rows.map(({ itemCount }) => itemCount))).toBe(sum(counts.map(({ itemCount }) => itemCount)));
      const exact = sum(counts.map((c) => c.itemCount * (c.sheetCount * 4.9896 + envelope[c.format])));
      expect(Math.abs(sum(rows.map(({ grams }) => grams)) - exact)).toBeLessThanOrEqual(rows.length / 2 + 0.01);
    });
  });
});

describe('a deposit slip', () => {
  test('says for the counter what is handed in, with lines to sign', async () => {
    const items = makeItems(1_200, (sequence) => (sequence % 12) + 1);
    const batch = makeBatch(items, { serviceType: 'registered', acknowledgmentReceipt: true });
    const counts = countDeposit(batch, items);
    const slip = await slipOf(counts);
    const [text = ''] = await textsOf(slip, await makeFolder());
    expect(text).toContain('Deposit slip Thursday 5 March 2026');
    expect(text).toContain('Cutoff: Thursday 5 March 2026, 15:00, Brussels time');
    expect(text).toContain(batchId);
    expect(text).toContain('Belgium Registered C5 up to 50 g yes 800 23,563');
    expect(text).toContain('Belgium Registered C5 up to 100 g yes 400 23,756');
    expect(text).toContain('Total 1,200 47,319');
    expect(text).toContain('Items in all 1,200');
    expect(text).toContain('47.32 kg');
    expect(text).toContain('Registered 1,200');
    expect(text).toContain('Receipt forms 1,200');
    for (const label of [
      'Sender',
      'Customer no.',
      'Handed in for the sender',
      'Accepted by the post office',
      'Signature',
    ]) {
      expect(text).toContain(label);
    }
  });

  test('counts registered items and receipt forms apart', async () => {
    const counts = [
      { ...national, sheetCount: 1, itemCount: 5 },
      { ...national, serviceType: 'registered' as const, sheetCount: 1, itemCount: 3 },
      { ...national, serviceType: 'registered' as const, acknowledgmentReceipt: true, sheetCount: 1, itemCount: 2 },
    ];
    const slip = await slipOf(counts);
    const [text = ''] = await textsOf(slip, await makeFolder());
    expect(text).toContain('Items in all 10');
    expect(text).toMatch(/Registered 5 .*Receipt forms 2 /);
  });

  test.each([1, 2, 14, 15, 16, 26, 27, 28, 54])('with %i rows has each of them once, and a total', async (rowCount) => {
    const counts = everyClass
      .flatMap((each) => [1, 60, 190].map((sheetCount, i) => ({ ...each, sheetCount, itemCount: 1000 + i })))
      .slice(0, rowCount);
    const pages = await textsOf(await slipOf(counts), await makeFolder());
    const rows = pages.map((page) => page.match(/(Belgium|International) (Standard|Prior|Registered)/g)?.length ?? 0);
    expect(rows.reduce((sum, count) => sum + count, 0)).toBe(rowCount);
    // The totals never stand alone on a page.
    expect(Math.min(...rows)).toBeGreaterThan(0);
    expect(pages.map((page) => page.includes('Total'))).toEqual(pages.map((_, i) => i === pages.length - 1));
    expect(pages.at(-1)).toContain('Signature');
    expect(pages).toHaveLength(rowCount <= 12 ? 1 : rowCount <= 46 ? 2 : 3);
  });

  testWithPrograms('pdftoppm')('has the id of its batch as a data matrix, and blank edges', async () => {
    const counts = everyClass.map((each) => ({ ...each, sheetCount: 1, itemCount: 1 }));
    const slip = await slipOf(counts);
    expect(await readPaperMatrix(slip)).toBe(`BJ1 ${batchId.toUpperCase()}`);
    expect(await areEdgesBlank(slip)).toBe(true);
    const batchIds = Array.from({ length: 8 }, (_, i) => `${batchId.slice(0, -1)}${i}`);
    const ofMany = await slipOf(counts, { batchIds });
    expect(await readPaperMatrix(ofMany)).toBe(null);
    const [text = ''] = await textsOf(ofMany, await makeFolder());
    expect(text).toContain(`${batchIds[5]} and 2 more`);
  });

  test('has the same bytes for the same deposit', async () => {
    const counts = [{ ...national, sheetCount: 1, itemCount: 5 }];
    const [one, two] = await Promise.all([1, 2].map(() => slipOf(counts)));
    expect(one?.equals(two as Buffer)).toBe(true);
  });

  const senderOf = (name: string) => ({ ...aSender, name });

  test('has the address of its only sender, or the names of several, as they were typed', async () => {
    const counts = [{ ...national, sheetCount: 1, itemCount: 3 }];
    const typed = '#panic() *Peeters* $x$ @a <b> \\u{41}';
    const one = await slipOf(counts, { items: [{ sequence: 1, sender: senderOf(typed) }] });
    const [text = ''] = await textsOf(one, await makeFolder());
    expect(text).toContain(`Sender ${typed} Kerkstraat 1 9000 Gent Customer no.`);
    const items = ['Ada', 'Bo', 'Ada', 'Cy', 'Di', 'Ed', 'Flo', 'Gus'].map((name, index) => ({
      ...{ sequence: index + 1, sender: senderOf(name) },
    }));
    const [ofMany = ''] = await textsOf(await slipOf(counts, { items }), await makeFolder());
    expect(ofMany).toContain('Senders Ada Bo Cy Di Ed and 2 more');
  });

  test('lists the labels of registered items on pages of their own, with a line for each that is missing', async () => {
    const counts = [{ ...national, serviceType: 'registered' as const, sheetCount: 1, itemCount: 200 }];
    const items = Array.from({ length: 200 }, (_, index) => ({
      ...{ sequence: index + 1, sender: aSender },
      ...(index !== 6 && { trackingNumber: `0105412345678901234567890${10_000 + index}` }),
    }));
    const pages = await textsOf(await slipOf(counts, { items }), await makeFolder());
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
    const [ofNone = ''] = await textsOf(await slipOf(counts), await makeFolder());
    expect(ofNone).toContain('No label is recorded yet');
  });

  test('of nothing is not made', async () => {
    await expect(slipOf([])).rejects.toThrow('at least one');
    const counts = [{ ...national, sheetCount: 1, itemCount: 5 }];
    await expect(slipOf(counts, { batchIds: [] })).rejects.toThrow('at least one');
  });
});
