import type { BoxMm } from '#common/documents/sheet/a4.ts';
import { rawStream } from '../build-pdf.ts';
import { type GoldenPage, pagesPdf } from '../golden/build-golden.ts';
import {
  a4Page,
  a4Points,
  boxOf,
  type ExpectedFinding,
  found,
  ink,
  middle,
  type PreflightCase,
  points,
} from './page-in-mm.ts';

function one(name: string, page: GoldenPage, findings: readonly ExpectedFinding[] = []): PreflightCase {
  return { name, bytes: pagesPdf([page]), pages: 1, findings };
}

function sized(widthMm: number, heightMm: number): GoldenPage {
  const content = ink(boxOf(widthMm / 2, heightMm / 2, 5, 5), '0 g', heightMm);
  return { box: `[0 0 ${points(widthMm)} ${points(heightMm)}]`, content };
}

const sizes: PreflightCase[] = [
  one('an A4 page', a4Page(middle)),
  one('a page 2 mm wider and lower than A4', sized(211.99, 295.01)),
  one('a page 2.1 mm wider than A4', sized(212.1, 297), [found('page_scaled', 1)]),
  one('a US Letter page', sized(215.9, 279.4), [found('page_scaled', 1)]),
  one('an A4 page in landscape', sized(297, 210), [found('page_turned', 1)]),
  {
    name: 'pages of several sizes',
    bytes: pagesPdf([a4Page(middle), sized(148, 210), sized(297, 210), sized(215.9, 279.4)]),
    pages: 4,
    findings: [found('page_scaled', 2), found('page_turned', 3), found('page_scaled', 4)],
  },
  {
    name: 'a blank last page',
    bytes: pagesPdf([a4Page(middle), a4Page()]),
    pages: 2,
    findings: [found('blank_page', 2)],
  },
];

/** Bars along the four edges, this far from them. */
function bars(mm: number): string {
  const boxes = [
    boxOf(100, mm, 20, 3),
    boxOf(mm, 130, 3, 20),
    boxOf(207 - mm, 130, 3, 20),
    boxOf(100, 294 - mm, 20, 3),
  ];
  return boxes.map((box) => ink(box)).join('\n');
}

const hairline = `0.1 w ${points(3)} ${points(150)} m ${points(3)} ${points(120)} l S`;
const borders: PreflightCase[] = [
  one('ink at exactly 5.00 mm', a4Page(bars(5))),
  one(
    'ink at 5.00 mm, rounded to hundredths of a point',
    a4Page(bars(5).replaceAll(/\d+\.\d+/g, (n) => Number(n).toFixed(2))),
  ),
  one('ink at 4.9 mm', a4Page(bars(4.9)), [
    found('outside_printable_area', 1, boxOf(100, 4.9, 20, 0.1)),
    found('outside_printable_area', 1, boxOf(4.9, 130, 0.1, 20)),
    found('outside_printable_area', 1, boxOf(205, 130, 0.1, 20)),
    found('outside_printable_area', 1, boxOf(100, 292, 20, 0.1)),
  ]),
  one('a hairline 3 mm from the edge', a4Page(hairline), [
    found('outside_printable_area', 1, boxOf(2.98, 147, 0.04, 30)),
  ]),
  one('two texts in the header', a4Page(`${ink(boxOf(30, 2, 20, 4))} ${ink(boxOf(120, 3, 60, 1))}`), [
    found('outside_printable_area', 1, boxOf(30, 2, 20, 3)),
    found('outside_printable_area', 1, boxOf(120, 3, 60, 1)),
  ]),
  one('grey of 2 % at the edge', a4Page(`${middle} ${ink(boxOf(0, 120, 20, 20), '0.98 g')}`)),
  one('white text on white', a4Page(ink(boxOf(1, 40, 100, 100), '1 g')), [found('blank_page', 1)]),
  one(
    'black of CMYK at the edge, and white beside it',
    a4Page(`${ink(boxOf(1, 120, 8, 20), '0 0 0 1 k')} ${ink(boxOf(1, 160, 8, 20), '0 0 0 0 k')}`),
    [found('outside_printable_area', 1, boxOf(1, 120, 4, 20))],
  ),
];

const zones: PreflightCase[] = [
  {
    name: 'text in the window of both pages',
    bytes: pagesPdf([a4Page(ink(boxOf(30, 65, 40, 10))), a4Page(ink(boxOf(30, 65, 40, 10)))]),
    pages: 2,
    findings: [found('cover_page_added', 1, boxOf(30, 65, 40, 10))],
  },
  one(
    'ink around the window, up to its border',
    a4Page(
      [boxOf(10, 40, 10, 45.5), boxOf(109.5, 40, 10, 45.5), boxOf(20, 36, 89.5, 4), boxOf(20, 85.5, 89.5, 4)]
        .map((box) => ink(box))
        .join('\n'),
    ),
  ),
  one('ink that exceeds the border of the window by 0.1 mm', a4Page(ink(boxOf(50, 85.4, 20, 10))), [
    found('cover_page_added', 1, boxOf(50, 85.4, 20, 0.1)),
  ]),
  {
    name: 'ink in the place of the mark on three pages',
    bytes: pagesPdf([1, 2, 3].map(() => a4Page(ink(boxOf(6, 271, 20, 4))))),
    pages: 3,
    findings: [1, 3].map((page) => found('mark_zone_not_blank', page, boxOf(6, 271, 8, 4))),
  },
];

const { width, height } = a4Points;
/** Fills a box or draws the image /I1 into it, on a page rotated by these degrees: where a reader sees it, in mm. */
const rotatedBox: Record<number, (box: BoxMm) => number[]> = {
  0: (box) => [points(box.x), points(297 - box.y - box.height), points(box.width), points(box.height)],
  90: (box) => [points(box.y), points(box.x), points(box.height), points(box.width)],
  180: (box) => [points(210 - box.x - box.width), points(box.y), points(box.width), points(box.height)],
  270: (box) => [
    points(297 - box.y - box.height),
    points(210 - box.x - box.width),
    points(box.height),
    points(box.width),
  ],
};
const imageBox = boxOf(60, 120, 25.4, 50.8);

/** A page with ink 2 mm from the left, and an image. */
function marked(degrees: number): string {
  const [x = 0, y = 0, w = 0, h = 0] = rotatedBox[degrees]?.(imageBox) ?? [];
  const filled = rotatedBox[degrees]?.(boxOf(2, 200, 10, 20)) ?? [];
  return `0 g ${filled.join(' ')} re f q ${w} 0 0 ${h} ${x} ${y} cm /I1 Do Q`;
}

function markedPage(name: string, page: GoldenPage): PreflightCase {
  const image = '/Type /XObject /Subtype /Image /Width 72 /Height 72 /ColorSpace /DeviceGray /BitsPerComponent 8';
  const bytes = pagesPdf([{ ...page, resources: '/XObject << /I1 10 0 R >>' }], {
    objects: { 10: rawStream(image, Buffer.alloc(72 * 72, 100)) },
  });
  const findings = [found('outside_printable_area', 1, boxOf(2, 200, 3, 20)), found('low_resolution', 1, imageBox)];
  return { name, bytes, pages: 1, findings };
}

const boxes: PreflightCase[] = [
  ...[0, 90, 180, 270].map((degrees) =>
    markedPage(`a page rotated by ${degrees} degrees`, {
      box: degrees % 180 === 0 ? `[0 0 ${width} ${height}]` : `[0 0 ${height} ${width}]`,
      content: marked(degrees),
      entries: `/Rotate ${degrees}`,
    }),
  ),
  markedPage('a CropBox smaller than the MediaBox', {
    box: '[0 0 800 1000]',
    entries: `/CropBox [50 80 ${50 + width} ${80 + height}]`,
    content: `q 1 0 0 1 50 80 cm ${marked(0)} 0 -60 200 50 re f Q`,
  }),
  ...[90, 180, 270].map((degrees) => {
    const [right, top] = degrees === 180 ? [50 + width, 80 + height] : [50 + height, 80 + width];
    return markedPage(`a page rotated by ${degrees} degrees with a CropBox smaller than the MediaBox`, {
      box: '[0 0 1000 1000]',
      entries: `/CropBox [50 80 ${right} ${top}] /Rotate ${degrees}`,
      content: `q 1 0 0 1 50 80 cm ${marked(degrees)} Q`,
    });
  }),
  markedPage('a MediaBox with its origin at (-50, 30)', {
    box: `[-50 30 ${width - 50} ${height + 30}]`,
    content: `q 1 0 0 1 -50 30 cm ${marked(0)} Q`,
  }),
  markedPage('a page in units of 1/36 inch', {
    box: `[0 0 ${width / 2} ${height / 2}]`,
    entries: '/UserUnit 2',
    content: `q 0.5 0 0 0.5 0 0 cm ${marked(0)} Q`,
  }),
  one('a page of 5 km a side', { box: '[0 0 14400 14400]', entries: '/UserUnit 1000', content: middle }, [
    found('page_not_a4', 1),
    found('page_not_fully_checked', 1),
  ]),
];

const many: PreflightCase[] = [
  {
    name: '400 pages, the last of them blank',
    bytes: pagesPdf(Array.from({ length: 400 }, (_, i) => a4Page(i === 399 ? undefined : middle))),
    pages: 400,
    findings: [found('blank_page', 400), found('larger_envelope', null)],
  },
  {
    name: '25 pages that are not A4',
    bytes: pagesPdf(Array.from({ length: 25 }, () => sized(215.9, 279.4))),
    pages: 25,
    findings: [
      ...Array.from({ length: 20 }, (_, i) => found('page_scaled', i + 1)),
      found('larger_envelope', null),
      found('more_findings', null),
    ],
  },
];

/** Sizes, boxes and borders of pages. */
export const preflightPages: readonly PreflightCase[] = [...sizes, ...borders, ...zones, ...boxes, ...many];
