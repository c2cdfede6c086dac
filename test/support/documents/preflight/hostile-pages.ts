import { deflateSync } from 'node:zlib';
import { onePage, rawPdf, rawStream } from '../build-pdf.ts';
import { pagesPdf } from '../golden/build-golden.ts';
import { millionPages } from '../hostile-pdfs.ts';

/** PDFs whose pages are expensive to measure, each of one page. They are measured as they are, without rendering. */
export type HostilePage = {
  name: string;
  bytes: Buffer;
  /** The report: of all there is, of a part, or none. */
  gives: 'all' | 'part' | 'none';
};

const packed = (content: string, entries = '') => rawStream(`/Filter /FlateDecode ${entries}`, deflateSync(content));

function nestedForms(depth: number, content: (next: string) => string): Buffer {
  const form = (i: number) => {
    const isLast = i === depth - 1;
    const resources = isLast ? '<< >>' : `<< /XObject << /X ${i + 11} 0 R >> >>`;
    const entries = `/Type /XObject /Subtype /Form /BBox [0 0 595 842] /Resources ${resources}`;
    return rawStream(entries, isLast ? '0 0 50 50 re f' : content('/X Do'));
  };
  const objects = Object.fromEntries(Array.from({ length: depth }, (_, i) => [i + 10, form(i)]));
  return pagesPdf([{ content: '/X Do', resources: '/XObject << /X 10 0 R >>' }], { objects });
}

function sized(box: string, entries = ''): Buffer {
  return pagesPdf([{ box, entries, content: '0 g 0 0 10000 10000 re f' }]);
}

function dotted(count: number): Buffer {
  const dots = Array.from({ length: count }, (_, i) => `${(i * 7) % 595} ${Math.floor(i / 85) % 842} 1 1 re f`);
  return rawPdf({ objects: { ...onePage({ content: packed(dots.join('\n')) }) } });
}

const words = Array.from({ length: 50_000 }, (_, i) => `BT /F1 9 Tf ${i % 590} ${i % 840} Td (a) Tj ET`).join('\n');
const images = Array.from({ length: 3_000 }, (_, i) => `q 9 0 0 9 ${(i * 20) % 580} ${(i * 13) % 830} cm /I1 Do Q`);

export const hostilePages: readonly HostilePage[] = [
  { name: 'a page of 200,000 areas', gives: 'part', bytes: dotted(200_000) },
  { name: 'a page of 50,000 texts', gives: 'part', bytes: rawPdf({ objects: onePage({ content: packed(words) }) }) },
  {
    name: 'a page of 3,000 images of low resolution',
    gives: 'part',
    bytes: pagesPdf([{ box: '[0 0 595 842]', content: images.join('\n'), resources: '/XObject << /I1 10 0 R >>' }], {
      objects: {
        10: rawStream(
          '/Type /XObject /Subtype /Image /Width 8 /Height 8 /ColorSpace /DeviceGray /BitsPerComponent 8',
          Buffer.alloc(64, 90),
        ),
      },
    }),
  },
  { name: 'forms nested 500 deep', gives: 'part', bytes: nestedForms(500, (next) => next) },
  {
    name: 'forms of which each draws the next ten times',
    gives: 'none',
    bytes: nestedForms(9, (next) => `${next} `.repeat(10)),
  },
  { name: 'a page of 14,400 points a side', gives: 'part', bytes: sized('[0 0 14400 14400]') },
  {
    name: 'a page of 14,400 points in units of 75,000',
    gives: 'part',
    bytes: sized('[0 0 14400 14400]', '/UserUnit 75000'),
  },
  { name: 'a page of 10 billion points a side', gives: 'all', bytes: sized('[0 0 10000000000 10000000000]') },
  { name: 'a strip of 14,400 by 1 points', gives: 'all', bytes: sized('[0 0 14400 1]') },
  { name: 'a page without area', gives: 'all', bytes: sized('[0 0 0 0]') },
  { name: 'a page of a thousandth of a point', gives: 'part', bytes: sized('[0 0 0.001 0.001]') },
  {
    name: 'a CropBox beside the MediaBox',
    gives: 'part',
    bytes: sized('[0 0 595 842]', '/CropBox [2000 2000 2500 2500]'),
  },
  { name: 'a box that is no number', gives: 'all', bytes: sized('[0 0 NaN 1e999]') },
  { name: 'a unit that is no number', gives: 'all', bytes: sized('[0 0 595 842]', '/UserUnit 1.2.3') },
  { name: 'a rotation of 45 degrees', gives: 'all', bytes: sized('[0 0 595 842]', '/Rotate 45') },
  { name: 'a million pages', bytes: millionPages(1_000_000), gives: 'none' },
  {
    name: 'a matrix that overflows',
    gives: 'all',
    bytes: pagesPdf([{ content: '1e38 0 0 1e38 0 0 cm 1e38 0 0 1e38 0 0 cm 0 0 5 5 re f BT /F1 9 Tf (a) Tj ET' }]),
  },
];
