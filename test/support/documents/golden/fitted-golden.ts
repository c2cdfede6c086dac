import { rawStream } from '../build-pdf.ts';
import { drawing, fill, type GoldenPage, type Objects } from './build-golden.ts';

/** A US Letter page. */
export const letterPage: GoldenPage = { box: '[0 0 612 792]', content: drawing(612, 792) };
/** An annotation, whose appearance is object 50. */
export const stamp = (rect: string, flags = 4, kind = 'Stamp') =>
  `<< /Type /Annot /Subtype /${kind} /F ${flags} /Rect [${rect}] /AP << /N 50 0 R >> >>`;
export const stampLook = rawStream(
  '/Type /XObject /Subtype /Form /BBox [0 0 50 50] /Resources << >>',
  `${fill(0, 0, 50, 20)} ${fill(30, 20, 20, 30, '0.5 g')}`,
);

/** A page that is fitted to A4. `note` says how, and `unit` is that of the page. */
export type FittedGolden = { name: string; page: GoldenPage; note: string; objects?: Objects; unit?: number };

const beyond = `${fill(-500, -500, 2000, 2000, '0.7 g')} ${drawing(300, 400, 100, 80)}`;
/** What `patternedPage` draws with. */
export const patterns: Objects = {
  10: rawStream(
    '/PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 70 70] /XStep 70 /YStep 70 /Matrix [1 0.2 0 1 9 5] /Resources << >>',
    fill(0, 0, 40, 40),
  ),
  11: '<< /PatternType 2 /Shading 12 0 R /Matrix [0.5 0 0 0.5 20 0] >>',
  12: '<< /ShadingType 2 /ColorSpace /DeviceGray /Coords [400 0 1100 0] /Function 13 0 R /Extend [true true] >>',
  13: '<< /FunctionType 2 /Domain [0 1] /C0 [0] /C1 [0.9] /N 1 >>',
  14: rawStream(
    '/Type /XObject /Subtype /Form /BBox [0 0 400 300] /Resources << /Pattern << /P1 10 0 R >> >>',
    '/Pattern cs /P1 scn 0 0 400 300 re f',
  ),
};
export const patternedPage: GoldenPage = {
  box: '[0 0 612 1008]',
  resources: '/Pattern << /P1 10 0 R /P2 11 0 R >> /XObject << /Form 14 0 R >>',
  content: '/Pattern cs /P1 scn 0 504 300 504 re f /P2 scn 300 504 312 504 re f q 0.5 0 0 0.5 40 40 cm /Form Do Q',
};

/** Pages that must look the same after they are fitted to A4: sizes, boxes, rotations, patterns and annotations. */
export const fittedGolden: readonly FittedGolden[] = [
  { name: 'US Letter', page: letterPage, note: '215.9 279.4 0 97.3' },
  { name: 'US Legal', page: { box: '[0 0 612 1008]', content: drawing(612, 1008) }, note: '215.9 355.6 0 83.5' },
  { name: 'A5', page: { box: '[0 0 420 595]', content: drawing(420, 595) }, note: '148.17 209.9 0 141.5' },
  { name: 'A3', page: { box: '[0 0 842 1191]', content: drawing(842, 1191) }, note: '297.04 420.16 0 70.7' },
  { name: 'A4 in landscape', page: { box: '[0 0 842 595]', content: drawing(842, 595) }, note: '297.04 209.9 270 100' },
  ...[90, 180, 270].map((degrees) => ({
    name: `a page rotated by ${degrees} degrees`,
    page: { ...letterPage, entries: `/Rotate ${degrees}` },
    note: degrees === 180 ? '215.9 279.4 0 97.3' : '279.4 215.9 270 97.3',
  })),
  {
    name: 'a CropBox with hidden content around it',
    page: { box: '[0 0 800 1000]', content: beyond, entries: '/CropBox [100 80 388 483.2]' },
    note: '101.6 142.24 0 100',
  },
  {
    name: 'a rotated CropBox with hidden content around it',
    page: { box: '[0 0 800 1000]', content: beyond, entries: '/CropBox [100 80 388 483.2] /Rotate 270' },
    note: '142.24 101.6 0 100',
  },
  {
    name: 'a page with its origin at -50, 30',
    page: { box: '[-50 30 562 822]', content: drawing(608, 788, -49, 31) },
    note: '215.9 279.4 0 97.3',
  },
  {
    name: 'a unit of 1/36 inch',
    page: { box: '[0 0 306 396]', content: drawing(306, 396), entries: '/UserUnit 2' },
    note: '215.9 279.4 0 97.3',
    unit: 2,
  },
  {
    name: 'a pattern, a gradient, and a pattern in a form',
    page: patternedPage,
    objects: patterns,
    note: '215.9 355.6 0 83.5',
  },
  {
    name: 'stamps, one of them across the edge and one beyond it',
    page: { ...letterPage, entries: '/Annots [20 0 R 21 0 R 22 0 R]' },
    objects: {
      20: stamp('100 100 250 300'),
      21: stamp('300 700 450 900'),
      22: stamp('100 800 200 900'),
      50: stampLook,
    },
    note: '215.9 279.4 0 97.3',
  },
  {
    name: 'notes that stay upright on a rotated page',
    page: { ...letterPage, entries: '/Rotate 90 /Annots [20 0 R 21 0 R]' },
    objects: { 20: stamp('150 150 250 300', 28, 'Text'), 21: stamp('300 20 400 120', 28, 'Text'), 50: stampLook },
    note: '279.4 215.9 270 97.3',
  },
  {
    name: 'a note that stays upright on a page in landscape',
    page: { box: '[0 0 842 595]', content: drawing(842, 595), entries: '/Annots [20 0 R]' },
    objects: { 20: stamp('150 150 250 300', 28, 'Text'), 50: stampLook },
    note: '297.04 209.9 270 100',
  },
  {
    name: 'a note that stays upright on a rotated page in landscape',
    page: { box: '[0 0 595 842]', content: drawing(595, 842), entries: '/Rotate 90 /Annots [20 0 R]' },
    objects: { 20: stamp('150 350 250 500', 28, 'Text'), 50: stampLook },
    note: '297.04 209.9 270 100',
  },
  {
    name: 'content in two streams, which leaves its state behind',
    page: { box: '[0 0 612 792]', entries: '/Contents [20 0 R 21 0 R]' },
    objects: {
      20: rawStream('', `q ${drawing(612, 792)} q 0.5 0 0 0.5 300 300 cm`),
      21: rawStream('', fill(0, 0, 100, 100, '0.4 g')),
    },
    note: '215.9 279.4 0 97.3',
  },
  { name: 'a blank page', page: { box: '[0 0 612 792]' }, note: '215.9 279.4 0 97.3' },
];
