import { rawStream } from '../build-pdf.ts';
import { fill, type GoldenPdf, helvetica, type Objects, pagesPdf } from './build-golden.ts';

/** Points per pixel at 50 dots per inch. Edges on whole pixels look the same however a reader gets to them. */
const pixel = 1.44;
const inPixels = (content: string) => `q ${pixel} 0 0 ${pixel} 0 0 cm ${content} Q`;
const box = `[0 0 ${200 * pixel} ${200 * pixel}]`;

/** An annotation of 40 by 150 pixels, in a column of 50 from the left. */
function annotation(kind: string, column: number, flags: number | null, entries = '/AP << /N 50 0 R >>'): string {
  const flagWords = flags === null ? '' : `/F ${flags}`;
  const sides = [50 * column, 25, 50 * column + 40, 175].map((at) => at * pixel);
  return `<< /Type /Annot /Subtype /${kind} ${flagWords} /Rect [${sides.join(' ')}] ${entries} >>`;
}

/** An appearance, which is stretched to its annotation. */
const look = (content: string) =>
  rawStream(`/Type /XObject /Subtype /Form /BBox [0 0 50 50] /Resources << ${helvetica} >>`, content);
const step = `${fill(0, 0, 50, 20)} ${fill(30, 20, 20, 30, '0.5 g')}`;
const looks: Objects = { 50: look(step), 51: look(fill(0, 0, 50, 50)), 52: look(fill(0, 0, 50, 10)) };

/** Draws content of 50 by 50 as an annotation in a column. */
const printed = (column: number, content = step) => `q 0.8 0 0 3 ${50 * column} 25 cm ${content} Q`;

type Annotated = { annotations: readonly string[]; prints: string; page?: string; catalog?: string; objects?: Objects };

/** `prints` is content in pixels. */
function row(name: string, { annotations, prints, page = '', catalog = '', objects = {} }: Annotated): GoldenPdf {
  const numbers = annotations.map((_, i) => 60 + i);
  const entries = `/Annots [${numbers.map((number) => `${number} 0 R`).join(' ')}] ${page}`;
  const bodies = Object.fromEntries(numbers.map((number, i) => [number, annotations[i] ?? '']));
  return {
    name,
    bytes: pagesPdf([{ box, entries }], { catalog, objects: { ...looks, ...objects, ...bodies } }),
    printsLike: pagesPdf([{ box, content: inPixels(prints), entries: page }]),
    pages: 1,
  };
}

const annotations: GoldenPdf[] = [
  row('annotations that print', {
    annotations: [
      annotation('Stamp', 0, 4),
      annotation('FreeText', 1, 4),
      annotation('Square', 2, 36),
      annotation('Text', 3, 196),
    ],
    prints: [0, 1, 2, 3].map((column) => printed(column)).join(' '),
  }),
  row('annotations that are hidden, for the screen or links', {
    annotations: [
      annotation('Stamp', 0, 6),
      annotation('Stamp', 1, 0),
      annotation('Stamp', 2, null),
      annotation('Link', 1, 4),
      annotation('Link', 2, 4, '/Border [0 0 20] /C [1 0 0]'),
      annotation('Popup', 0, 4),
      annotation('Stamp', 3, 4),
    ],
    prints: printed(3),
  }),
  row('a note that stays upright on a rotated page', {
    annotations: ['<< /Type /Annot /Subtype /Text /F 28 /Rect [72 72 144 144] /AP << /N 50 0 R >> >>'],
    prints: `q 0 1 -1 0 100 100 cm ${step} Q`,
    page: '/Rotate 90',
  }),
  row('a rotated appearance with a matrix', {
    annotations: [annotation('Stamp', 0, 4, '/AP << /N 53 0 R >>')],
    prints: printed(0, fill(0, 0, 25, 50)),
    objects: {
      53: rawStream('/Type /XObject /Subtype /Form /BBox [0 0 50 50] /Matrix [0 1 -1 0 0 0]', fill(0, 25, 50, 25)),
    },
  }),
];

const entered = 'BT /F1 20 Tf 4 20 Td (Jane) Tj ET';
const boxLooks = '/AP << /N << /Yes 51 0 R /Off 52 0 R >> >>';

const forms: GoldenPdf[] = [
  row('a form with a text, a ticked box and one that is not', {
    annotations: [
      annotation('Widget', 0, 4, '/FT /Tx /T (name) /V (Jane) /AP << /N 53 0 R >>'),
      annotation('Widget', 1, 4, `/FT /Btn /T (yes) /V /Yes /AS /Yes ${boxLooks}`),
      annotation('Widget', 2, 4, `/FT /Btn /T (no) /V /Off /AS /Off ${boxLooks}`),
      annotation('Widget', 3, 6, '/FT /Tx /T (hidden) /V (Jane) /AP << /N 51 0 R >>'),
    ],
    prints: [printed(0, entered), printed(1, fill(0, 0, 50, 50)), printed(2, fill(0, 0, 50, 10))].join(' '),
    catalog: '/AcroForm << /Fields [60 0 R 61 0 R 62 0 R 63 0 R] >>',
    objects: { 53: look(`/Tx BMC ${entered} EMC`) },
  }),
];

const hiddenInPrint = '/Usage << /Print << /PrintState /OFF >> /View << /ViewState /ON >> >>';
const printedOnly = '/Usage << /Print << /PrintState /ON >> /View << /ViewState /OFF >> >>';
const group = (name: string, usage = '') => `<< /Type /OCG /Name (${name}) ${usage} >>`;
const column = (index: number) => fill(index * 40, 20, 36, 160);
const layered = (names: readonly string[]) => names.map((name, i) => `/OC /${name} BDC ${column(i)} EMC`).join(' ');
const band = (layer: string, up: number) =>
  rawStream(`/Type /XObject /Subtype /Form /BBox [0 0 200 200] /OC ${layer}`, fill(0, up, 200, 20));

const layers: GoldenPdf[] = [
  {
    name: 'layers that are hidden in print, for print only, or combined',
    bytes: pagesPdf(
      [
        {
          box,
          content: inPixels(layered(['Shown', 'Hidden', 'Screen', 'Paper', 'Both'])),
          resources: '/Properties << /Shown 10 0 R /Hidden 11 0 R /Screen 12 0 R /Paper 13 0 R /Both 14 0 R >>',
        },
        {
          box,
          content: inPixels('/X1 Do /X2 Do'),
          resources: '/XObject << /X1 15 0 R /X2 16 0 R >>',
          entries: '/Annots [17 0 R 18 0 R 19 0 R]',
        },
      ],
      {
        catalog: [
          '/OCProperties << /OCGs [10 0 R 11 0 R 12 0 R 13 0 R]',
          '/D << /OFF [11 0 R 13 0 R] /AS [<< /Event /Print /Category [/Print] /OCGs [12 0 R 13 0 R] >>] >> >>',
        ].join(' '),
        objects: {
          10: group('Shown'),
          11: group('Hidden'),
          12: group('Screen', hiddenInPrint),
          13: group('Paper', printedOnly),
          14: '<< /Type /OCMD /OCGs [10 0 R 11 0 R] /P /AllOn >>',
          15: band('12 0 R', 0),
          16: band('13 0 R', 180),
          17: annotation('Stamp', 0, 4, '/AP << /N 50 0 R >> /OC 12 0 R'),
          18: annotation('Stamp', 2, 4, '/AP << /N 50 0 R >> /OC 13 0 R'),
          19: annotation('Stamp', 3, 4, '/AP << /N 50 0 R >> /OC << /Type /OCMD /OCGs 11 0 R >>'),
          ...looks,
        },
      },
    ),
    printsLike: pagesPdf([
      { box, content: inPixels(`${column(0)} ${column(3)}`) },
      { box, content: inPixels(`${fill(0, 180, 200, 20)} ${printed(2)}`) },
    ]),
    pages: 2,
  },
];

/** Content that a print shows and the screen does not, or the reverse. */
export const goldenAnnotations: readonly GoldenPdf[] = [...annotations, ...forms, ...layers];
