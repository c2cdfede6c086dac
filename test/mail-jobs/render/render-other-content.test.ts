import { readFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import { onePage, rawPdf, rawStream } from '#test/support/documents/build-pdf.ts';
import { readPages } from '#test/support/documents/read-pdf.ts';
import { pdf, useRendering } from '#test/support/documents/use-rendering.ts';
import { describe, expect, test } from '#test/support/jest.ts';

const imageKind = '/Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceRGB /BitsPerComponent 8';
const red = Buffer.from([255, 0, 0]);
const blue = Buffer.from([0, 0, 255]);

/** A page that draws the XObjects in `names` over the whole page, in this order. */
function drawing(names: Record<string, string>, resources = '') {
  const xObjects = Object.entries(names).map(([name, ref]) => `/${name} ${ref}`);
  const draw = Object.keys(names).map((name) => `q 595 0 0 842 0 0 cm /${name} Do Q`);
  return {
    ...onePage({ content: rawStream('', draw.join('\n')) }),
    3: `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << ${resources} /XObject << ${xObjects.join(' ')} >> >> >>`,
  };
}

describe('content that a printer could print instead of what a reader shows', () => {
  const render = useRendering();

  async function rebuild(objects: Record<number, string | Buffer>) {
    const { printFile, error } = await render([pdf(rawPdf({ objects }))]);
    expect(error).toBeNull();
    const path = printFile?.path ?? '';
    const [page] = await readPages(path);
    return { source: readFileSync(path, 'latin1'), colour: page?.colourAt(0.5, 0.5) };
  }

  test('a PostScript XObject is not in the print file', async () => {
    const objects = {
      ...drawing({ Shown: '6 0 R', Program: '7 0 R' }),
      6: rawStream(imageKind, red),
      7: rawStream('/Type /XObject /Subtype /PS /Level1 8 0 R', '(secret program) show'),
      8: rawStream('', '(secret level one) show'),
    };
    const { source, colour } = await rebuild(objects);
    expect(source).not.toMatch(/secret|\/PS\b|Level1/);
    expect(colour).toBe('#ff0000');
  });

  test('a PostScript XObject that is also named as a resource dictionary is not copied', async () => {
    const objects = {
      ...drawing({ Shown: '6 0 R', Program: '7 0 R' }, '/Font 7 0 R'),
      6: rawStream(imageKind, red),
      7: rawStream('/Type /XObject /Subtype /PS', '(secret program) show'),
    };
    const { source, colour } = await rebuild(objects);
    expect(source).not.toContain('secret');
    expect(colour).toBe('#ff0000');
  });

  test.each([
    ['Subtype2 names it', '/Subtype2 /PS'],
    ['Subtype2 is a reference', '/Subtype2 9 0 R'],
    ['the name is escaped', '/Subtype2 /P#53'],
  ])('a form with a PostScript alternative is not in the print file when %s', async (_case, words) => {
    const objects = {
      ...drawing({ Shown: '6 0 R', Twin: '7 0 R' }),
      6: rawStream(imageKind, red),
      7: rawStream(`/Type /XObject /Subtype /Form /BBox [0 0 1 1] ${words} /PS 8 0 R`, '% secret fallback'),
      8: rawStream('', '(secret program) show'),
      9: '/PS',
    };
    const { source, colour } = await rebuild(objects);
    expect(source).not.toContain('secret');
    expect(colour).toBe('#ff0000');
  });

  test('a form keeps its content and loses undeclared PostScript', async () => {
    const objects = {
      ...drawing({ Form: '7 0 R' }),
      7: rawStream('/Type /XObject /Subtype /Form /BBox [0 0 1 1] /PS 8 0 R', '1 0 0 rg 0 0 1 1 re f'),
      8: rawStream('', '(secret program) show'),
    };
    const { source, colour } = await rebuild(objects);
    expect(source).not.toMatch(/secret|\/PS\b/);
    expect(colour).toBe('#ff0000');
  });

  test('an image loses the alternate that would be printed instead', async () => {
    const objects = {
      ...drawing({ Shown: '6 0 R' }),
      6: rawStream(`${imageKind} /Alternates [<< /Image 7 0 R /DefaultForPrinting true >>]`, red),
      7: rawStream(`${imageKind} /Name (secret)`, blue),
    };
    const { source, colour } = await rebuild(objects);
    expect(source).not.toMatch(/secret|Alternates|DefaultForPrinting/);
    expect(colour).toBe('#ff0000');
  });

  test('a stream loses filter parameters that only some readers apply', async () => {
    const objects = {
      ...drawing({ Shown: '6 0 R' }),
      6: rawStream(`${imageKind} /Filter /FlateDecode /DP << /Predictor 12 /Columns 3 >>`, deflateSync(red)),
    };
    const { source, colour } = await rebuild(objects);
    expect(source).not.toMatch(/DP|Predictor/);
    expect(colour).toBe('#ff0000');
  });

  test('external files that replace an image or a form in print are not in the print file', async () => {
    const objects = {
      ...drawing({ Shown: '6 0 R', Form: '7 0 R' }),
      6: rawStream(`${imageKind} /OPI << /1.3 << /Type /OPI /F (secret.tif) >> >>`, red),
      7: rawStream('/Type /XObject /Subtype /Form /BBox [0 0 1 1] /Ref << /F (secret.pdf) /Page 0 >>', '% nothing'),
    };
    const { source, colour } = await rebuild(objects);
    expect(source).not.toMatch(/secret|\/OPI|\/Ref\b/);
    expect(colour).toBe('#ff0000');
  });
});
