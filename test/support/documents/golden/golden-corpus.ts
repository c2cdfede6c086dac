import { onePage, packedPdf, rawPdf, rawStream } from '../build-pdf.ts';
import { drawing, type GoldenPage, type GoldenPdf, helvetica, pagesPdf, side } from './build-golden.ts';
import { goldenAnnotations } from './golden-annotations.ts';
import { goldenContent } from './golden-content.ts';

const a4 = { width: 595.28, height: 841.89 };
const letter = { width: 612, height: 792 };

function sized(width: number, height: number): GoldenPage {
  return { box: `[0 0 ${width} ${height}]`, content: drawing(width, height) };
}

function rotated(degrees: number): GoldenPage {
  return { ...sized(300, 200), entries: `/Rotate ${degrees}` };
}

function one(name: string, page: GoldenPage): GoldenPdf {
  return { name, bytes: pagesPdf([page]), pages: 1 };
}

const cropped = { box: '[0 0 300 400]', content: drawing(150, 200, 100, 80), entries: '/CropBox [100 80 250 280]' };
const drawn = { content: drawing() };

const boxes: GoldenPdf[] = [
  one('an A4 page', sized(a4.width, a4.height)),
  one('a US Letter page', sized(letter.width, letter.height)),
  one('a landscape page', sized(a4.height, a4.width)),
  {
    name: 'pages of several sizes',
    bytes: pagesPdf([sized(a4.width, a4.height), sized(420, 298), sized(letter.width, letter.height), sized(100, 300)]),
    pages: 4,
  },
  ...[90, 180, 270, -90, 450].map((degrees) => one(`a page rotated by ${degrees} degrees`, rotated(degrees))),
  one('a CropBox smaller than the MediaBox', cropped),
  one('a rotated page with a CropBox', { ...cropped, entries: `${cropped.entries} /Rotate 90` }),
  {
    ...one('a CropBox that exceeds the MediaBox', { ...drawn, entries: '/CropBox [-20 50 150 260]' }),
    // Poppler 22 draws the left 150 x 200 of it.
    printsLike: pagesPdf([{ ...drawn, entries: '/CropBox [0 50 150 200]' }]),
  },
  one('a page with its origin at -50, 30', { box: '[-50 30 150 230]', content: drawing(side, side, -50, 30) }),
  one('a MediaBox from its upper right corner', { ...drawn, box: `[${side} ${side} 0 0]` }),
  one('a page in units of 1/36 inch', { ...drawn, entries: '/UserUnit 2' }),
  one('a page without a MediaBox', { content: drawing(letter.width, letter.height), box: null }),
  one('text beyond the page', {
    content: `${drawing(300, 300, -60, -70)} BT /F1 60 Tf -40 100 Td (Dear reader) Tj ET`,
  }),
];

const trees: GoldenPdf[] = [
  {
    name: 'inherited resources, boxes and rotation',
    bytes: pagesPdf(
      [
        { ...drawn, box: null, resources: null },
        { ...drawn, box: null, resources: null, entries: '/Rotate 0 /CropBox [50 0 200 150]' },
      ],
      { tree: `/MediaBox [0 0 300 ${side}] /CropBox [0 0 ${side} ${side}] /Rotate 90 /Resources << ${helvetica} >>` },
    ),
    pages: 2,
  },
  {
    name: 'entries that are null and therefore inherited',
    bytes: pagesPdf(
      [{ ...drawn, box: 'null', resources: null, entries: '/Resources null /CropBox null /Rotate null' }],
      {
        tree: `/MediaBox [0 0 300 ${side}] /CropBox [0 0 ${side} ${side}] /Rotate 90 /Resources << ${helvetica} >>`,
      },
    ),
    pages: 1,
  },
  {
    name: 'a last page without resources',
    bytes: pagesPdf([drawn, { content: '0 g 20 20 80 120 re f', resources: null }]),
    pages: 2,
  },
  { name: 'a blank last page', bytes: pagesPdf([drawn, {}]), pages: 2 },
  {
    name: 'a page that is listed twice',
    bytes: rawPdf({
      objects: { ...onePage(), 2: '<< /Type /Pages /Count 2 /Kids [3 0 R 3 0 R] >>' },
    }),
    pages: 2,
  },
  {
    name: 'objects in object streams',
    bytes: packedPages(),
    pages: 2,
  },
  {
    name: 'content split in the middle of a text',
    bytes: splitContent(),
    pages: 1,
  },
];

function packedPages(): Buffer {
  const page = `/Type /Page /Parent 2 0 R /Resources << ${helvetica} >>`;
  return packedPdf(
    {
      1: '<< /Type /Catalog /Pages 2 0 R >>',
      2: '<< /Type /Pages /Count 2 /Kids [4 0 R 5 0 R] >>',
      3: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
      4: `<< ${page} /MediaBox [0 0 ${side} ${side}] /Contents 6 0 R >>`,
      5: `<< ${page} /MediaBox [0 0 300 100] /Contents 7 0 R >>`,
    },
    { 6: rawStream('', drawing()), 7: rawStream('', drawing(300, 100)) },
  );
}

function splitContent(): Buffer {
  const words = drawing().split(' ');
  const third = Math.ceil(words.length / 3);
  const parts = [0, 1, 2].map((i) => words.slice(i * third, (i + 1) * third).join(' '));
  const numbers = [10, 11, 12];
  return pagesPdf([{ entries: '/Contents [10 0 R 11 0 R 12 0 R]' }], {
    objects: Object.fromEntries(numbers.map((number, i) => [number, rawStream('', parts[i] ?? '')])),
  });
}

/**
 * PDFs whose print files must look the same, one for each feature that a rebuilt page can lose: sizes, boxes and
 * rotations of pages, how files store pages, what pages draw, annotations, forms and layers.
 */
export const goldenCorpus: readonly GoldenPdf[] = [...boxes, ...trees, ...goldenContent, ...goldenAnnotations];
