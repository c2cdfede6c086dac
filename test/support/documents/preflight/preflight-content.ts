import { rawStream } from '../build-pdf.ts';
import { helvetica, type Objects, pagesPdf } from '../golden/build-golden.ts';
import { boxFont } from './box-font.ts';
import { a4Page, boxOf, type ExpectedFinding, found, ink, middle, type PreflightCase, points } from './page-in-mm.ts';

type Row = { content: string; resources?: string; objects?: Objects; entries?: string; catalog?: string };

function row(name: string, { content, objects = {}, catalog = '', ...page }: Row, findings: ExpectedFinding[] = []) {
  return { name, bytes: pagesPdf([a4Page(content, page)], { objects, catalog }), pages: 1, findings };
}

const text = (words: string, mode = 0, colour = '0 g') =>
  `${colour} BT /F1 12 Tf ${mode} Tr ${points(100)} ${points(50)} Td (${words}) Tj ET`;

const embedded: Objects = {
  10: '<< /Type /Font /Subtype /TrueType /BaseFont /Box /FirstChar 65 /LastChar 65 /Widths [1000] /FontDescriptor 11 0 R >>',
  11: '<< /Type /FontDescriptor /FontName /Box /Flags 4 /FontBBox [0 0 1000 1000] /ItalicAngle 0 /Ascent 1000 /Descent 0 /CapHeight 1000 /StemV 80 /FontFile2 12 0 R >>',
  12: rawStream(`/Length1 ${boxFont().length}`, boxFont()),
};
const drawn: Objects = {
  10: '<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1 1] /FontMatrix [1 0 0 1 0 0] /FirstChar 65 /LastChar 65 /Widths [1] /Encoding << /Differences [65 /A] >> /CharProcs << /A 11 0 R >> >>',
  11: rawStream('', '1 0 0 0 1 1 d1 0 0 1 1 re f'),
};

const fonts: PreflightCase[] = [
  row('a font that is not embedded', { content: text('Dear reader') }, [found('font_not_embedded', 1)]),
  row('an embedded font without a subset', {
    content: text('AAA'),
    resources: '/Font << /F1 10 0 R >>',
    objects: embedded,
  }),
  row('a font of drawn glyphs', { content: text('AAA'), resources: '/Font << /F1 10 0 R >>', objects: drawn }),
  row('invisible text of a scan in a font that is not embedded', {
    content: `${ink(boxOf(90, 230, 40, 30), '0.8 g')} ${text('Dear', 3)}`,
  }),
  row('white text in a font that is not embedded', { content: `${middle} ${text('Dear', 0, '1 g')}` }),
  {
    name: 'a last page without resources',
    bytes: pagesPdf([a4Page(text('Dear reader')), a4Page(middle, { resources: null })]),
    pages: 2,
    findings: [found('font_not_embedded', 1)],
  },
  {
    name: 'a font that is not embedded on three pages is one finding',
    bytes: pagesPdf([a4Page(middle), a4Page(text('Dear')), a4Page(text('Dear')), a4Page(text('Dear'))]),
    pages: 4,
    findings: [found('font_not_embedded', 2)],
  },
];

/** A grey image of this many pixels. */
function image(width: number, height: number): Buffer {
  const entries = `/Type /XObject /Subtype /Image /ColorSpace /DeviceGray /BitsPerComponent 8 /Width ${width} /Height ${height}`;
  return rawStream(entries, Buffer.alloc(width * height, 120));
}

/** Draws /I1 into a box in millimetres. */
const place = (x: number, y: number, width: number, height: number) =>
  `q ${points(width)} 0 0 ${points(height)} ${points(x)} ${points(297 - y - height)} cm /I1 Do Q`;
const withImage = (width: number, height: number) => ({
  resources: '/XObject << /I1 10 0 R >>',
  objects: { 10: image(width, height) },
});

const images: PreflightCase[] = [
  row('a page scanned at 72 dots per inch', { content: place(0, 0, 210, 297), ...withImage(595, 842) }, [
    found('outside_printable_area', 1, boxOf(0, 0, 210, 5)),
    found('outside_printable_area', 1, boxOf(0, 5, 5, 287)),
    found('outside_printable_area', 1, boxOf(205, 5, 5, 287)),
    found('outside_printable_area', 1, boxOf(0, 292, 210, 5)),
    found('mark_zone_not_blank', 1, boxOf(5, 270, 9, 9)),
    found('low_resolution', 1, boxOf(0, 0, 210, 297)),
    found('cover_page_added', 1, boxOf(20, 40, 89.5, 45.5)),
  ]),
  row('an image of 150 dots per inch', { content: place(60, 120, 25.4, 50.8), ...withImage(150, 300) }),
  row('an image of 149 dots per inch', { content: place(60, 120, 25.4, 50.8), ...withImage(149, 300) }, [
    found('low_resolution', 1, boxOf(60, 120, 25.4, 50.8)),
  ]),
  row(
    'an image that is stretched to 100 by 300 dots per inch',
    {
      content: place(60, 120, 25.4, 25.4),
      ...withImage(100, 300),
    },
    [found('low_resolution', 1, boxOf(60, 120, 25.4, 25.4))],
  ),
  row(
    'an image of 200 dots per inch, in a form drawn at twice its size',
    {
      content: `q 2 0 0 2 ${points(60)} ${points(120)} cm /X1 Do Q`,
      resources: '/XObject << /X1 11 0 R >>',
      objects: {
        10: image(200, 200),
        11: rawStream(
          '/Type /XObject /Subtype /Form /BBox [0 0 300 300] /Resources << /XObject << /I1 10 0 R >> >>',
          'q 72 0 0 72 0 0 cm /I1 Do Q',
        ),
      },
    },
    [found('low_resolution', 1, boxOf(60, 126.2, 50.8, 50.8))],
  ),
  row(
    'a rotated image of 72 dots per inch',
    {
      content: `q 0 72 -144 0 ${points(120)} ${points(120)} cm /I1 Do Q`,
      ...withImage(72, 144),
    },
    [found('low_resolution', 1, boxOf(69.2, 151.6, 50.8, 25.4))],
  ),
  row(
    'a scan in strips is one finding',
    {
      content: [0, 1, 2, 3].map((i) => place(60, 100 + 25.4 * i, 25.4, 25.4)).join(' '),
      ...withImage(72, 72),
    },
    [found('low_resolution', 1, boxOf(60, 100, 25.4, 101.6))],
  ),
  row('a gradient of one pixel in height', { content: place(60, 120, 50, 50), ...withImage(64, 1) }),
  row('an image beyond the page, and one behind a white field', {
    content: `${middle} ${place(300, 120, 50, 50)} ${place(60, 200, 20, 20)} ${ink(boxOf(59, 199, 22, 22), '1 g')}`,
    ...withImage(72, 72),
  }),
];

const look = (content: string) =>
  rawStream(`/Type /XObject /Subtype /Form /BBox [0 0 50 50] /Resources << ${helvetica} >>`, content);
/** An annotation that starts 2 mm from the left, at this height. */
const annotation = (y: number, entries: string) =>
  `<< /Type /Annot /Rect [${[2, 297 - y - 20, 22, 297 - y].map(points).join(' ')}] ${entries} >>`;

const annotations: PreflightCase[] = [
  row(
    'annotations that print, and that do not',
    {
      content: middle,
      entries: '/Annots [20 0 R 21 0 R 22 0 R]',
      objects: {
        20: annotation(100, '/Subtype /Stamp /F 4 /AP << /N 30 0 R >>'),
        21: annotation(150, '/Subtype /Stamp /F 0 /AP << /N 30 0 R >>'),
        22: annotation(200, '/Subtype /Stamp /F 6 /AP << /N 30 0 R >>'),
        30: look('0 0 50 50 re f'),
      },
    },
    [found('outside_printable_area', 1, boxOf(2, 100, 3, 20))],
  ),
  row('an image in an annotation that draws it smaller', {
    content: middle,
    entries: '/Annots [20 0 R]',
    objects: {
      10: image(300, 300),
      20: `<< /Type /Annot /Subtype /Stamp /F 4 /Rect [200 200 272 272] /AP << /N 30 0 R >> >>`,
      30: rawStream(
        '/Type /XObject /Subtype /Form /BBox [0 0 900 900] /Resources << /XObject << /I1 10 0 R >> >>',
        '900 0 0 900 0 0 cm /I1 Do',
      ),
    },
  }),
  row(
    'a completed form field',
    {
      content: middle,
      entries: '/Annots [20 0 R]',
      catalog: '/AcroForm << /Fields [20 0 R] >>',
      objects: {
        20: annotation(100, '/Subtype /Widget /F 4 /FT /Tx /T (name) /V (Jane) /AP << /N 30 0 R >>'),
        30: look('/Tx BMC BT /F1 20 Tf 15 20 Td (Jane) Tj ET EMC'),
      },
    },
    [found('font_not_embedded', 1)],
  ),
  row('a layer that is hidden in print', {
    content: `${middle} /OC /L1 BDC ${ink(boxOf(0, 120, 20, 20))} ${text('Dear')} EMC`,
    resources: `${helvetica} /Properties << /L1 20 0 R >>`,
    catalog: '/OCProperties << /OCGs [20 0 R] /D << /AS [<< /Event /Print /Category [/Print] /OCGs [20 0 R] >>] >> >>',
    objects: { 20: '<< /Type /OCG /Name (Screen) /Usage << /Print << /PrintState /OFF >> >> >>' },
  }),
];

/** Fonts, images, annotations and layers. */
export const preflightContent: readonly PreflightCase[] = [...fonts, ...images, ...annotations];
