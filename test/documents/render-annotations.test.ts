// Level: ci
import { deflateSync } from 'node:zlib';
import { onePage, rawPdf, rawStream } from '../support/documents/build-pdf.ts';
import { pdf, useRendering } from '../support/documents/use-rendering.ts';
import { describe, expect, test } from '../support/jest.ts';

/** A form with one field (object 6) at 100, 100. `look` is its appearance, object 7. */
function form(field: string, { look, catalog = '' }: { look?: string | Buffer; catalog?: string } = {}): Buffer {
  const widget = `<< /Type /Annot /Subtype /Widget /F 4 /Rect [100 100 200 120] ${field} ${look ? '/AP << /N 7 0 R >>' : ''} >>`;
  return rawPdf({
    objects: {
      ...onePage({ page: '/Annots [6 0 R]', catalog: `/AcroForm << /Fields [6 0 R] ${catalog} >>` }),
      6: widget,
      ...(look !== undefined && {
        7: typeof look === 'string' ? rawStream('/Type /XObject /Subtype /Form /BBox [0 0 100 20]', look) : look,
      }),
      9: rawStream('', 'a long text'),
      10: '<< /FT /Btn /V /Other /Kids [6 0 R] >>',
      8: '<< /FT /Tx /V (inherited) /Kids [6 0 R] >>',
    },
  });
}
const drawn = 'BT /F1 10 Tf 2 5 Td (Jane) Tj ET';
const empty = '/Tx BMC q 0 0 100 20 re W n Q EMC';
const needed = { catalog: '/NeedAppearances true' };
const packed = (content: string) =>
  rawStream('/Type /XObject /Subtype /Form /BBox [0 0 100 20] /Filter /FlateDecode', deflateSync(content));

describe('a completed form is printed with its entries or not at all', () => {
  const render = useRendering();

  test.each([
    ['a text', form('/FT /Tx /V (Jane)')],
    ['a text in hexadecimal', form('/FT /Tx /V <4A616E65>')],
    ['a choice', form('/FT /Ch /V (Belgium)')],
    ['several choices', form('/FT /Ch /V [() (Belgium)]')],
    ['a long text', form('/FT /Tx /V 9 0 R')],
    ['an inherited text', form('/Parent 8 0 R')],
    ['a ticked box', form('/FT /Btn /AS /Yes')],
    ['a ticked box without a state', form('/FT /Btn /V /Yes')],
    ['a text whose appearance is empty until a viewer draws it', form('/FT /Tx /V (Jane)', { look: empty, ...needed })],
    ['the same, compressed', form('/FT /Tx /V (Jane)', { look: packed(empty), ...needed })],
  ])('%s that nothing draws is refused', async (_title, bytes) => {
    const { error } = await render([pdf(bytes)]);
    expect(error).toMatchObject({ code: 'FILE_UNREADABLE', fault: 'undrawn_field', fileIndex: 0 });
    expect(error?.message).toMatch(/^File 1 has completed form fields .* Print the form to a new PDF/);
  });

  test.each([
    ['a text that is drawn', form('/FT /Tx /V (Jane)', { look: drawn })],
    ['a drawn text that a viewer would draw again', form('/FT /Tx /V (Jane)', { look: drawn, ...needed })],
    ['the same, compressed', form('/FT /Tx /V (Jane)', { look: packed(drawn), ...needed })],
    ['an empty field', form('/FT /Tx')],
    ['a field with blanks', form('/FT /Tx /V (  )')],
    ['an empty field that a viewer would draw', form('/FT /Tx', { look: empty, ...needed })],
    ['a box that is not ticked', form('/FT /Btn /AS /Off /V /Off')],
    ['a box of a group in which another is ticked', form('/FT /Btn /Parent 10 0 R')],
    ['a picture of the text', form('/FT /Tx /V (Jane)', { look: '/Tx BMC /Fm0 Do EMC', ...needed })],
    [
      'a field without an area',
      Buffer.from(form('/FT /Tx /V (Jane)').toString('latin1').replace('100 100 200 120', '100 100 100 100'), 'latin1'),
    ],
    ['a push button', form('/FT /Btn /Ff 65536')],
    ['an invisible signature', form('/FT /Sig /V << /Type /Sig >>')],
  ])('%s is printed', async (_title, bytes) => {
    const { error, printFile } = await render([pdf(bytes)]);
    expect([error, printFile?.pageCount]).toEqual([null, 1]);
  });

  test('a field in a layer that is not printed may have any entry', async () => {
    const catalog = '/NeedAppearances true >> /OCProperties << /OCGs [8 0 R] /D << /OFF [8 0 R] >>';
    expect((await render([pdf(form('/FT /Tx /V (Jane) /OC 8 0 R', { catalog }))])).error).toBeNull();
  });

  test('a hidden field, and one for the screen only, may have any entry', async () => {
    for (const flags of ['/F 6', '/F 0']) {
      const bytes = Buffer.from(form('/FT /Tx /V (Jane)').toString('latin1').replace('/F 4', flags), 'latin1');
      expect((await render([pdf(bytes)])).error).toBeNull();
    }
  });
});

describe('comments and marks are printed as drawn or not at all', () => {
  const render = useRendering();
  const page = (annotation: string, more: object = {}) =>
    pdf(
      rawPdf({ objects: { ...onePage({ page: '/Annots [6 0 R]' }), 6: `<< /Type /Annot ${annotation} >>`, ...more } }),
    );
  const area = '/F 4 /Rect [100 100 200 120]';

  test.each(['FreeText', 'Highlight', 'Ink', 'Stamp', 'Text', 'Line'])(
    '%s that nothing draws is refused',
    async (kind) => {
      const { error } = await render([page(`/Subtype /${kind} ${area} /Contents (paid)`)]);
      expect(error).toMatchObject({ code: 'FILE_UNREADABLE', fault: 'undrawn_mark' });
      expect(error?.message).toMatch(/^File 1 has comments or marks .* Print it to a new PDF/);
    },
  );

  test('a mark whose appearance is never copied is refused, alone and beside another file', async () => {
    const look = rawStream('/Type /XObject /Subtype /Form /Subtype2 /PS /BBox [0 0 100 20]', drawn);
    const file = page(`/Subtype /Square ${area} /AP << /N 7 0 R >>`, { 7: look });
    for (const files of [[file], [file, pdf(rawPdf({ objects: onePage() }))]]) {
      expect((await render(files)).error).toMatchObject({ fault: 'undrawn_mark', fileIndex: 0 });
    }
  });

  test.each([
    ['with an appearance', `/Subtype /FreeText ${area} /AP << /N 7 0 R >>`],
    ['for the screen only', '/Subtype /FreeText /F 0 /Rect [100 100 200 120]'],
    ['that is hidden', '/Subtype /FreeText /F 6 /Rect [100 100 200 120]'],
    ['without an area', '/Subtype /FreeText /F 4 /Rect [100 100 100 100]'],
    ['that is a link', `/Subtype /Link ${area}`],
    ['that replies to another', `/Subtype /Text ${area} /IRT 3 0 R`],
    ['that is a pop-up', `/Subtype /Popup ${area}`],
    ['of an unknown type', `/Subtype /Future ${area}`],
  ])('one %s is printed or left out', async (_title, annotation) => {
    const look = rawStream('/Type /XObject /Subtype /Form /BBox [0 0 100 20]', drawn);
    expect((await render([page(annotation, { 7: look })])).error).toBeNull();
  });
});
