// Level: unit
import { readFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import { onePage, rawPdf, rawStream } from '#test/support/documents/build-pdf.ts';
import { readPages } from '#test/support/documents/read-pdf.ts';
import { pdf, useRendering } from '#test/support/documents/use-rendering.ts';
import { expect, test } from '#test/support/jest.ts';

const imageKind = '/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceRGB /BitsPerComponent 8';
const red = Buffer.from([255, 0, 0]);
const blue = Buffer.from([0, 0, 255]);

/** A page that draws the XObjects in `names` over the whole page, in this order. */
function drawing(names: Record<string, string>, resources = '') {
  const xObjects = Object.entries(names).map(([name, ref]) => `/${name} ${ref}`);
  const draw = Object.keys(names).map((name) => `q 595 0 0 842 0 0 cm /${name} Do Q`);
  const all = `${resources} /XObject << ${xObjects.join(' ')} >>`;
  return onePage({ content: rawStream('', draw.join('\n')), resources: all });
}

type Row = [content: string, lost: RegExp, objects: Record<number, string | Buffer>];
const formKind = '/Type /XObject /Subtype /Form /BBox [0 0 1 1]';
const opi = '/OPI << /1.3 << /Type /OPI /F (secret.tif) >> >>';
const image = (words = '') => rawStream(`${imageKind} ${words}`, red);
const program = rawStream('', '(secret program) show');
const postScript = (words = '') => rawStream(`/Type /XObject /Subtype /PS ${words}`, '(secret program) show');
const formWith = (words: string) => rawStream(`${formKind} ${words} /PS 8 0 R`, '% secret fallback');
const shown = drawing({ Shown: '6 0 R' });
const withProgram = (resources?: string) => drawing({ Shown: '6 0 R', Program: '7 0 R' }, resources);

/** Pages that show red, with content that a printer could print instead. `lost` must not match the print file. */
const pages: Row[] = [
  [
    'a PostScript XObject',
    /secret|\/PS\b|Level1/,
    { ...withProgram(), 6: image(), 7: postScript('/Level1 8 0 R'), 8: rawStream('', '(secret level one) show') },
  ],
  [
    'a PostScript XObject that is also named as a resource dictionary',
    /secret/,
    { ...withProgram('/Font 7 0 R'), 6: image(), 7: postScript() },
  ],
  // The alternative of a form may be named, referenced or escaped.
  ...['/Subtype2 /PS', '/Subtype2 9 0 R', '/Subtype2 /P#53'].map((words): Row => {
    const twin = {
      ...drawing({ Shown: '6 0 R', Twin: '7 0 R' }),
      6: image(),
      7: formWith(words),
      8: program,
      9: '/PS',
    };
    return [`a form with a PostScript alternative by ${words}`, /secret/, twin];
  }),
  [
    'undeclared PostScript of a form, which keeps its content',
    /secret|\/PS\b/,
    { ...drawing({ Form: '7 0 R' }), 7: rawStream(`${formKind} /PS 8 0 R`, '1 0 0 rg 0 0 1 1 re f'), 8: program },
  ],
  [
    'the alternate of an image that would be printed instead',
    /secret|Alternates|DefaultForPrinting/,
    {
      ...shown,
      6: image('/Alternates [<< /Image 7 0 R /DefaultForPrinting true >>]'),
      7: rawStream(`${imageKind} /Name (secret)`, blue),
    },
  ],
  [
    'filter parameters that only some readers apply',
    /DP|Predictor/,
    {
      ...shown,
      6: rawStream(`${imageKind} /Filter /FlateDecode /DP << /Predictor 12 /Columns 3 >>`, deflateSync(red)),
    },
  ],
  [
    'external files that replace an image or a form in print',
    /secret|\/OPI|\/Ref\b/,
    {
      ...drawing({ Shown: '6 0 R', Form: '7 0 R' }),
      6: image(opi),
      7: rawStream(`${formKind} /Ref << /F (secret.pdf) /Page 0 >>`, '% nothing'),
    },
  ],
];

const render = useRendering();

test.each(pages)('the print file does not contain %s', async (_content, lost, objects) => {
  const { printFile, error } = await render([pdf(rawPdf({ objects }))]);
  expect(error).toBeNull();
  const path = printFile?.path ?? '';
  expect(readFileSync(path, 'latin1')).not.toMatch(lost);
  const [page] = await readPages(path);
  expect(page?.colourAt(0.5, 0.5)).toBe('#ff0000');
});
