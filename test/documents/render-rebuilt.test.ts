// Level: unit
import { readFileSync } from 'node:fs';
import { onePage, rawPdf, rawStream } from '../support/documents/build-pdf.ts';
import { scriptedPdf } from '../support/documents/hostile-pdfs.ts';
import { colourDistance, readPages } from '../support/documents/read-pdf.ts';
import { pdf, useRendering } from '../support/documents/use-rendering.ts';
import { describe, expect, test } from '../support/jest.ts';

/** Content that fills a rectangle with a colour. */
const fill = (colour: string, x: number, y: number, w: number, h: number) => `${colour} rg ${x} ${y} ${w} ${h} re f`;

describe('a PDF is rebuilt from its pages', () => {
  const render = useRendering();

  async function rebuild(bytes: Buffer, expectedPages = 1) {
    const { printFile, error } = await render([pdf(bytes)], { expectedPages });
    expect(error).toBeNull();
    const path = printFile?.path ?? '';
    return { pages: await readPages(path), source: readFileSync(path, 'latin1') };
  }

  test('scripts, actions, attached programs and forms are removed, their ink stays', async () => {
    const { pages, source } = await rebuild(scriptedPdf());
    const forbidden = [
      'JS',
      'JavaScript',
      'Launch',
      'EmbeddedFile',
      'OpenAction',
      'AA',
      'XFA',
      'AcroForm',
      'Names',
      'Action',
    ];
    for (const word of forbidden) expect(source).not.toMatch(new RegExp(`/${word}\\b`));
    expect(source).not.toMatch(/evil|app\.alert|\/Link|\/Widget/);
    expect(pages[0]?.text).toContain('Dear reader');
    // The completed field keeps its position: 60 to 300 from the left, 500 to 540 from the bottom.
    const isInked = Array.from({ length: 200 }, (_, i) => pages[0]?.colourAt((60 + i) / 595, 1 - 515 / 842) ?? '');
    expect(isInked.some((colour) => colourDistance(colour, '#000000') < 100)).toBe(true);
  });

  test('annotations that do not print draw nothing', async () => {
    const look = rawStream('/Type /XObject /Subtype /Form /BBox [0 0 10 10]', fill('1 0 0', 0, 0, 10, 10));
    const annotation = (flags: number, kind: string, x: number) =>
      `<< /Type /Annot /Subtype /${kind} /F ${flags} /Rect [${x} 100 ${x + 50} 150] /AP << /N 10 0 R >> >>`;
    const objects = {
      ...onePage({ page: '/Annots [6 0 R 7 0 R 8 0 R 9 0 R]' }),
      6: annotation(4, 'Stamp', 100),
      7: annotation(6, 'Stamp', 200),
      8: annotation(0, 'Stamp', 300),
      9: annotation(4, 'Popup', 400),
      10: look,
    };
    const { pages } = await rebuild(rawPdf({ objects }));
    const colours = [125, 225, 325, 425].map((x) => pages[0]?.colourAt(x / 595, 1 - 125 / 842));
    expect(colours).toEqual(['#ff0000', '#ffffff', '#ffffff', '#ffffff']);
  });

  test('inherited boxes and rotation are kept', async () => {
    const objects = {
      1: '<< /Type /Catalog /Pages 2 0 R >>',
      2: '<< /Type /Pages /Count 2 /Kids [3 0 R 5 0 R] /MediaBox [0 0 600 800] /CropBox 6 0 R /Rotate 90 >>',
      3: '<< /Type /Pages /Parent 2 0 R /Count 1 /Kids [4 0 R] /Resources << >> >>',
      4: '<< /Type /Page /Parent 3 0 R /Contents [7 0 R 8 0 R] >>',
      5: '<< /Type /Page /Parent 2 0 R /Rotate 0 /CropBox [0 0 300 400] /UserUnit 2 >>',
      6: '[100 100 500 700]',
      7: rawStream('', fill('1 0 0', 100, 600, 100, 100)),
      8: rawStream('', fill('0 0 1', 400, 100, 100, 100)),
    };
    const { pages, source } = await rebuild(rawPdf({ objects }), 2);
    // 400 by 600, rotated clockwise by 90 degrees and then back, because it is shown in landscape.
    expect(source).toContain('/Rotate 0 /BJ_Fitted [211.67 141.11 270 140.3]');
    expect(pages[0]?.width).toBeCloseTo(595.28, 1);
    expect(pages[0]?.height).toBeCloseTo(841.89, 1);
    expect(pages[0]?.colourAt(0.08, 0.05)).toBe('#ff0000');
    expect(pages[0]?.colourAt(0.92, 0.95)).toBe('#0000ff');
    expect(pages[0]?.colourAt(0.5, 0.5)).toBe('#ffffff');
    expect(source).toContain('/Rotate 0 /BJ_Fitted [211.67 282.22 0 99.2]');
  });

  test('layers that are hidden or not printed stay hidden, and those for print only are shown', async () => {
    const layer = (name: string, usage = '') => `<< /Type /OCG /Name (${name}) ${usage} >>`;
    const draw = (name: string, x: number) => `/OC /${name} BDC ${fill('1 0 0', x, 100, 50, 50)} EMC`;
    const objects = {
      ...onePage({
        catalog: `/OCProperties << /OCGs [6 0 R 7 0 R 8 0 R 9 0 R] /D << /OFF [7 0 R 9 0 R] /AS [<< /Event /Print /OCGs [8 0 R 9 0 R] >>] >> >>`,
        content: rawStream(
          '',
          [draw('Shown', 100), draw('Hidden', 200), draw('Screen', 300), draw('Paper', 400)].join('\n'),
        ),
        resources: '/Properties << /Shown 6 0 R /Hidden 7 0 R /Screen 8 0 R /Paper 9 0 R >>',
      }),
      6: layer('Shown'),
      7: layer('Hidden'),
      8: layer('Screen', '/Usage << /Print << /PrintState /OFF >> /View << /ViewState /ON >> >>'),
      9: layer('Paper', '/Usage << /Print << /PrintState /ON >> /View << /ViewState /OFF >> >>'),
    };
    const { pages } = await rebuild(rawPdf({ objects }));
    const colours = [125, 225, 325, 425].map((x) => pages[0]?.colourAt(x / 595, 1 - 125 / 842));
    expect(colours).toEqual(['#ff0000', '#ffffff', '#ffffff', '#ff0000']);
  });

  test('a font named JS keeps its text', async () => {
    const content = rawStream('', 'BT /JS 24 Tf 60 700 Td (Bonjour) Tj ET');
    const { pages } = await rebuild(rawPdf({ objects: onePage({ content, resources: '/Font << /JS 5 0 R >>' }) }));
    expect(pages[0]?.text).toBe('Bonjour');
  });

  test.each([
    ['with types', '/Type /Catalog', '/Type /Pages', '/Type /Page'],
    ['without types', '', '', ''],
  ])('a font that refers to catalog and pages %s does not copy them', async (...row) => {
    const [, catalog, tree, page] = row;
    const objects = {
      ...onePage(),
      1: `<< ${catalog} /Pages 2 0 R /Names 6 0 R >>`,
      2: `<< ${tree} /Count 1 /Kids [3 0 R] >>`,
      3: `<< ${page} /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>`,
      5: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Start 1 0 R /Tree 2 0 R /Twin 3 0 R >>',
      6: rawStream('', 'a confidential draft'),
    };
    const { source } = await rebuild(rawPdf({ objects }));
    expect(source).not.toContain('confidential');
    for (const word of ['/Kids', '/MediaBox', '/Pages 2 0 R']) expect(source.split(word)).toHaveLength(2);
  });

  test('an old page in the file is not copied, even when a font refers to it', async () => {
    const objects = {
      ...onePage(),
      5: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Old 6 0 R >>',
      6: '<< /Type /Page /Contents 7 0 R >>',
      7: rawStream('', 'a confidential draft'),
    };
    const { source } = await rebuild(rawPdf({ objects }));
    expect(source).not.toContain('confidential');
  });
});
