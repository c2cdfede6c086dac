// Level: ci
import { fitAddress } from '#common/documents/addressing/address-block.ts';
import { loadAddressFont } from '#common/documents/addressing/address-font.ts';
import { toAddressLines } from '#common/documents/addressing/address-lines.ts';
import { openCopyMaker } from '#common/documents/addressing/create-copies.ts';
import {
  type EnvelopeScheme,
  envelopeSchemes,
  schemeNames,
  sheetMarkBox,
} from '#common/documents/sheet/envelope-schemes.ts';
import type { PostalAddress } from '#common/organizations/organization.model.ts';
import {
  buildPrintFile,
  itemId,
  type PrintedPage,
  plainPrintFile,
  recipient,
  sender,
} from '#test/support/documents/addressing/build-print-file.ts';
import { countChanges, cropPage } from '#test/support/documents/addressing/compare-pages.ts';
import { differingShare, drawGrey, type GreyPage } from '#test/support/documents/draw-grey.ts';
import { describe, expect, testWithPrograms } from '#test/support/jest.ts';

const dotsPerInch = 144;
const windowLeft = envelopeSchemes['window-left'];

async function drawCopy(
  print: Buffer,
  {
    scheme = windowLeft,
    address = recipient,
    placement = 'page',
    unit = 1,
  }: {
    scheme?: EnvelopeScheme;
    address?: PostalAddress;
    placement?: 'page' | 'cover' | 'none';
    /** Poppler ignores the unit of a page. */
    unit?: number;
  } = {},
): Promise<GreyPage[]> {
  const maker = await openCopyMaker({ bytes: print }, { scheme, placement, sender });
  const { tail } = maker.make({ itemId, address });
  return await drawGrey(Buffer.concat([print, tail]), dotsPerInch * unit);
}

/** Returns the last column of a page that is not white between two rows. */
function rightmostInk({ width, pixels }: GreyPage, { top, bottom }: { top: number; bottom: number }): number {
  let last = 0;
  for (let row = Math.round(top); row < bottom; row += 1) {
    const columns = pixels.subarray(row * width, (row + 1) * width);
    last = Math.max(
      last,
      columns.findLastIndex((level) => level < 192),
    );
  }
  return last;
}

const forty = (text: string) => text.padEnd(40, text.at(-1)).slice(0, 40);
const wide: PostalAddress = {
  name: forty('Wilhelmina Maximiliana Wagemakers-Wouters'),
  line1: forty('Wandelweg am Wasserwerk 123 Hinterhaus W'),
  line2: forty('c/o Mme Gwendoline de Woestijne de Mommem'),
  zip: 'SW1W 9WW',
  city: forty('Wotton-under-Edge and Weston-super-Maremm'),
  country: 'GB',
};
const addresses: [string, PostalAddress][] = [
  ['a short address', recipient],
  ['six lines of 40 characters', wide],
  [
    'Cyrillic',
    {
      name: 'Йорданка Христова Константинопулска',
      line1: 'бул. „Княз Александър Дондуков“ № 123',
      line2: 'вх. Б, ет. 4, ап. 17',
      zip: '1504',
      city: 'София',
      country: 'BG',
    },
  ],
  [
    'Greek',
    {
      ...recipient,
      name: 'Ευάγγελος Παπαδόπουλος',
      line1: 'Λεωφόρος Βασιλίσσης 2',
      zip: '10674',
      city: 'Αθήνα',
      country: 'GR',
    },
  ],
  ['accents above each other', { ...recipient, name: 'Nguyễn Thị Ẫnh', city: 'ĐỒNG NẪẤỄ', country: 'VN' }],
];
const cases = schemeNames.flatMap((name) => addresses.map(([title, address]) => ({ name, title, address })));

describe('the address of a letter', () => {
  const test = testWithPrograms('pdftoppm');

  test.each(cases)('$title is inside its box: $name', async ({ name, address }) => {
    const scheme = envelopeSchemes[name];
    const print = plainPrintFile(1);
    const [before] = await drawGrey(print, dotsPerInch);
    const [after] = await drawCopy(print, { scheme, address });
    const boxes = [scheme.sender, scheme.address, sheetMarkBox];
    const { inBoxes, outside } = countChanges(before!, after!, boxes, dotsPerInch);
    expect(outside).toBe(0);
    expect(Math.min(...inBoxes)).toBeGreaterThan(200);
  });

  test.each(addresses)('%s is drawn as wide as it was fitted, and not cut off', async (_title, address) => {
    const print = buildPrintFile([{}]);
    const [page] = await drawCopy(print, { address });
    const block = fitAddress(toAddressLines(address), windowLeft.address, await loadAddressFont());
    const drawn = cropPage(page!, windowLeft.address, dotsPerInch);
    const { sizePoints, lines } = block!;
    const scale = dotsPerInch / 72;
    for (const { shaped, baseline } of lines) {
      const row = drawn.height - baseline * scale;
      const above = { top: row - sizePoints * scale * 0.7, bottom: row };
      expect(Math.abs(rightmostInk(drawn, above) - shaped.width * sizePoints * scale)).toBeLessThan(5);
    }
  });

  test('the cover page shows nothing else, its back is blank, and the letter follows unchanged', async () => {
    const print = plainPrintFile(2);
    const [front, back, first, second, ...more] = await drawCopy(print, { placement: 'cover', address: wide });
    const [firstBefore, secondBefore] = await drawGrey(print, dotsPerInch);
    expect(more).toEqual([]);
    const blank: GreyPage = { ...front!, pixels: Buffer.alloc(front!.pixels.length, 255) };
    const boxes = [windowLeft.sender, windowLeft.address, sheetMarkBox];
    expect(countChanges(blank, front!, boxes, dotsPerInch).outside).toBe(0);
    expect(Math.min(...countChanges(blank, front!, boxes, dotsPerInch).inBoxes)).toBeGreaterThan(200);
    expect(back!.pixels.every((level) => level === 255)).toBe(true);
    expect(countChanges(firstBefore!, first!, [sheetMarkBox], dotsPerInch).outside).toBe(0);
    expect(second).toEqual(secondBefore);
  });
});

describe('the address is at the same place for a reader', () => {
  const test = testWithPrograms('pdftoppm');
  const plain = '/MediaBox [0 0 600 850]';
  const rows: { title: string; page: PrintedPage; unit?: number }[] = [
    {
      title: 'a visible part of a larger page',
      page: { entries: '/MediaBox [0 0 800 1000] /CropBox [100 50 700 900]' },
    },
    { title: 'a visible part larger than the page', page: { entries: `${plain} /CropBox [-100 -50 700 2000]` } },
    { title: 'another origin', page: { entries: '/MediaBox [-50 30 550 880]' } },
    { title: 'corners in another order', page: { entries: '/MediaBox [600 850 0 0]' } },
    { title: 'a page rotated by 90 degrees', page: { entries: '/MediaBox [0 0 850 600] /Rotate 90' } },
    { title: 'a page rotated by 180 degrees', page: { entries: `${plain} /Rotate 180` } },
    { title: 'a page rotated by 270 degrees', page: { entries: '/MediaBox [0 0 850 600] /Rotate 270' } },
    { title: 'a page rotated back by 90 degrees', page: { entries: '/MediaBox [0 0 850 600] /Rotate -90' } },
    {
      title: 'a visible part of a rotated page with another origin',
      page: { entries: '/MediaBox [-50 30 1000 900] /CropBox [50 130 900 730] /Rotate 90' },
    },
    { title: 'a landscape page', page: { entries: '/MediaBox [0 0 850 600]' } },
    { title: 'a unit of 1/36 inch', page: { entries: '/MediaBox [0 0 300 425] /UserUnit 2' }, unit: 2 },
    {
      title: 'content that leaves its state behind',
      page: { entries: plain, content: 'q q 2 0 0 2 100 100 cm 1 0 0 rg q' },
    },
    { title: 'content that clips everything', page: { entries: plain, content: '0 0 1 1 re W n 3 0 0 3 9 9 cm 7 Tr' } },
  ];

  test.each(rows)('$title', async ({ page, unit = 1 }) => {
    const [expected] = await drawCopy(buildPrintFile([{ entries: plain }]));
    const [actual] = await drawCopy(buildPrintFile([page]), { unit });
    const isLandscape = actual!.width > actual!.height;
    const boxes = [windowLeft.sender, windowLeft.address, ...(isLandscape ? [] : [sheetMarkBox])];
    for (const box of boxes) {
      const wanted = cropPage(expected!, box, dotsPerInch);
      expect(wanted.pixels.some((level) => level < 64)).toBe(true);
      expect(differingShare(cropPage(actual!, box, dotsPerInch), wanted, 96)).toBeLessThan(0.002);
    }
  });
});
