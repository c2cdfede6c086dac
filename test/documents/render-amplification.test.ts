// Level: ci
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { onePage, packedPdf, rawPdf, rawStream, textPdf } from '../support/documents/build-pdf.ts';
import { readPages } from '../support/documents/read-pdf.ts';
import { pdf, useRendering } from '../support/documents/use-rendering.ts';
import { describe, expect, test } from '../support/jest.ts';

const pages = 500;
const many = (count: number, word: (i: number) => string) => Array.from({ length: count }, (_, i) => word(i)).join(' ');

/** Font resources with `count` names of one font. */
const fonts = (count: number) => `/Font << /F1 5 0 R ${many(count, (i) => `/Unused${i} 5 0 R`)} >>`;

/** A document whose pages, one object listed many times by default, inherit entries of the page tree. */
function inheriting(tree: string, page: string, kids = many(pages, () => '3 0 R')) {
  return {
    1: '<< /Type /Catalog /Pages 2 0 R >>',
    2: `<< /Type /Pages /Count ${pages} /Kids [${kids}] /MediaBox [0 0 595 842] ${tree} >>`,
    3: `<< /Type /Page /Parent 2 0 R ${page} >>`,
    5: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  };
}

describe('the size of a print file', () => {
  const render = useRendering();

  test.each([
    ['resources that pages inherit', inheriting(`/Resources << ${fonts(3_000)} >>`, '')],
    ['the resources of a page that is listed many times', inheriting('', `/Resources << ${fonts(3_000)} >>`)],
    [
      'the transparency group of a page that is listed many times',
      inheriting('', `/Group << /S /Transparency /Notes [${many(3_000, (i) => `${i}`)}] >>`),
    ],
  ])('%s are written once', async (_case, objects) => {
    const upload = packedPdf(objects);
    const { printFile, error } = await render([pdf(upload)], { expectedPages: pages });
    expect(error).toBeNull();
    // The shared object takes 50 to 60 kB uncompressed, and each page a few hundred bytes.
    expect(printFile?.sizeBytes).toBeLessThan(60_000 + pages * 400);
    expect(await readPages(printFile?.path ?? '', { isDrawn: false })).toHaveLength(pages);
  });

  test('a contents array shared by pages is written once, and each page is drawn', async () => {
    const objects = {
      ...inheriting(`/Resources << ${fonts(1)} >>`, `/Contents [${many(2_000, () => '4 0 R')} 6 0 R]`),
      4: rawStream('', 'q Q'),
      6: rawStream('', 'BT /F1 24 Tf 60 700 Td (Dear reader) Tj ET'),
    };
    const upload = rawPdf({ objects });
    const { printFile } = await render([pdf(upload)], { expectedPages: pages });
    expect(printFile?.sizeBytes).toBeLessThan(20_000 + pages * 400);
    const seen = await readPages(printFile?.path ?? '', { isDrawn: false });
    expect(seen.map(({ text }) => text)).toEqual(Array.from({ length: pages }, () => 'Dear reader'));
  });

  test('a PDF that would grow many times is refused with a message that says what to do', async () => {
    const upload = packedPdf({
      ...onePage({
        page: `/Group << /S /Transparency /Notes [${many(400_000, () => '0')}] >>`,
        content: '(no stream)',
      }),
      4: '[]',
    });
    expect(upload.length).toBeLessThan(12_000);
    const { error, remainingFiles } = await render([pdf(upload)]);
    expect(error).toMatchObject({ code: 'FILE_UNREADABLE', fileIndex: 0 });
    expect(error?.message).toBe(
      'File 1 would print as a file many times its own size. Print it to a new PDF or export it again, and upload that.',
    );
    expect(remainingFiles).toEqual([]);
  });

  test('resources are complete when an earlier page uses the object as something else', async () => {
    const objects = {
      1: '<< /Type /Catalog /Pages 2 0 R >>',
      2: '<< /Type /Pages /Count 2 /Kids [3 0 R 7 0 R] /MediaBox [0 0 595 842] >>',
      3: '<< /Type /Page /Parent 2 0 R /Resources << /Properties << /Mark 8 0 R >> >> >>',
      4: rawStream('', 'BT /F1 24 Tf 60 700 Td (Dear reader) Tj ET /Ref Do'),
      5: '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
      6: rawStream('/Type /XObject /Subtype /Form /BBox [0 0 595 842]', '1 0 0 rg 0 0 595 842 re f'),
      7: '<< /Type /Page /Parent 2 0 R /Resources 8 0 R /Contents 4 0 R >>',
      8: '<< /Font << /F1 5 0 R >> /XObject << /Ref 6 0 R >> >>',
    };
    const { printFile } = await render([pdf(rawPdf({ objects }))], { expectedPages: 2 });
    const seen = await readPages(printFile?.path ?? '');
    expect(seen.map((page) => page.colourAt(0.5, 0.5))).toEqual(['#ffffff', '#ff0000']);
  });

  test('an upload listed 20 times is stored about once and printed 20 times', async () => {
    const noise = rawStream('/Filter /ASCIIHexDecode', `${randomBytes(200_000).toString('hex')}>`);
    const resources = '/Font << /F1 5 0 R >> /Properties << /Noise 6 0 R >>';
    const upload = rawPdf({ objects: { ...onePage({ resources }), 6: noise } });
    const repeated = Array.from({ length: 19 }, () => 0);
    const { printFile, error } = await render([pdf(upload), pdf(await textPdf(['between']))], {
      expectedPages: 21,
      order: [0, 1, ...repeated],
    });
    expect(error).toBeNull();
    expect(printFile?.sizeBytes).toBeLessThan(1.2 * upload.length);
    expect(printFile?.filePageCounts).toEqual(Array.from({ length: 21 }, () => 1));
    const seen = await readPages(printFile?.path ?? '', { isDrawn: false });
    expect(seen.map(({ text }) => text)).toEqual(['Dear reader', 'between', ...repeated.map(() => 'Dear reader')]);
  });

  test('files that are too large together fail with a message that says what to do', async () => {
    const uploads = [pdf(await textPdf(['one'])), pdf(await textPdf(['two']))];
    const { error, remainingFiles } = await render(uploads, { maxBytes: 1_500 });
    expect(error).toMatchObject({ code: 'FILE_UNREADABLE' });
    expect(error?.message).toBe(
      'The files together are too large to print. Reduce their images, or send them as several mail jobs.',
    );
    expect(remainingFiles).toEqual([]);
  });

  test('layers stay hidden in each copy of an upload that is listed twice', async () => {
    const objects = {
      ...onePage({
        catalog: '/OCProperties << /OCGs [6 0 R] /D << /OFF [6 0 R] >> >>',
        content: rawStream('', '/OC /Hidden BDC 1 0 0 rg 0 0 595 842 re f EMC'),
        resources: '/Properties << /Hidden 6 0 R >>',
      }),
      6: '<< /Type /OCG /Name (Hidden) >>',
    };
    const { printFile } = await render([pdf(rawPdf({ objects }))], { expectedPages: 2, order: [0, 0] });
    const seen = await readPages(printFile?.path ?? '');
    expect(seen.map((page) => page.colourAt(0.5, 0.5))).toEqual(['#ffffff', '#ffffff']);
    expect(readFileSync(printFile?.path ?? '', 'latin1').match(/\/Type \/OCG\b/g)).toHaveLength(1);
  });
});
