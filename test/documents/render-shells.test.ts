// Level: unit
import type { EncryptionAlgorithm } from '@cantoo/pdf-lib';
import { lockedPdf, onePage, rawPdf, rawStream, textPdf } from '../support/documents/build-pdf.ts';
import { readPages } from '../support/documents/read-pdf.ts';
import { pdf, useRendering } from '../support/documents/use-rendering.ts';
import { describe, expect, test } from '../support/jest.ts';

const field = '<< /Type /Annot /Subtype /Widget /FT /Tx /F 4 /Rect [100 100 200 120] /AP << /N 7 0 R >> >>';
const hidden = '<< /Type /Annot /Subtype /Widget /FT /Sig /F 2 /Rect [0 0 0 0] >>';

/** A form of one page, with an XFA template (object 8) and an annotation (object 6). */
function form({ catalog, annotation = 'null' }: { catalog: string; annotation?: string }): Buffer {
  return rawPdf({
    objects: {
      ...onePage({ catalog, page: '/Annots [6 0 R]' }),
      6: annotation,
      7: rawStream('/Type /XObject /Subtype /Form /BBox [0 0 100 20]', 'BT ET'),
      8: rawStream('', '<xdp:xdp/>'),
      9: '<< /Type /Filespec /F (locked.pdf) /AFRelationship /EncryptedPayload >>',
    },
  });
}
const xfa = '/AcroForm << /Fields [] /XFA [(template) 8 0 R] >>';

describe('a PDF whose pages only say that another program is needed', () => {
  const render = useRendering();

  test.each([
    ['a form that only XFA draws', form({ catalog: xfa })],
    ['the same in one stream', form({ catalog: '/AcroForm << /Fields [] /XFA 8 0 R >>' })],
    ['the same with a field that is not drawn', form({ catalog: xfa, annotation: hidden })],
    ['a form that has to be drawn', form({ catalog: `${xfa} /NeedsRendering true`, annotation: field })],
    ['the wrapper of an encrypted document', form({ catalog: '/Collection << /View /H >> /AF [9 0 R]' })],
  ])('%s is refused', async (_title, bytes) => {
    const { error } = await render([pdf(bytes)]);
    expect(error).toMatchObject({ code: 'FILE_UNREADABLE', fault: 'undrawn_content', fileIndex: 0 });
    expect(error?.message).toMatch(/^File 1 shows only a notice .* print it to a new PDF/);
  });

  test.each([
    ['a form in XFA whose fields are drawn as PDF too', form({ catalog: xfa, annotation: field })],
    ['a form without a template', form({ catalog: '/AcroForm << /Fields [] /XFA [] >> /NeedsRendering true' })],
    ['a PDF with an attached file', form({ catalog: '/AF [10 0 R]' })],
  ])('%s is printed', async (_title, bytes) => {
    const { error, printFile } = await render([pdf(bytes)]);
    expect([error, printFile?.report?.pages[0]?.notes]).toEqual([null, []]);
  });
});

describe('what a sender should know of a file', () => {
  const render = useRendering();
  const notesOf = async (files: readonly Uint8Array[], pages = files.length) => {
    const { error, printFile } = await render(files.map(pdf), { expectedPages: pages });
    expect(error).toBeNull();
    return printFile?.report?.pages.map(({ notes }) => notes);
  };
  const readable = { ownerPassword: 'b', permissions: { printing: true }, allowWeakCryptography: true } as const;

  test('the cover of a portfolio is printed, with a note at its page, alone and among other files', async () => {
    const cover = form({ catalog: '/Collection << /View /D >>' });
    expect(await notesOf([cover])).toEqual([['portfolio']]);
    expect(await notesOf([await textPdf(['a', 'b']), cover], 3)).toEqual([[], [], ['portfolio']]);
  });

  test('a file cannot bring notes of its own', async () => {
    expect(await notesOf([rawPdf({ objects: onePage({ page: '/BJ_Notes [/portfolio]' }) })])).toEqual([[]]);
  });

  test.each<EncryptionAlgorithm>(['RC4-40', 'RC4-128', 'AES-128', 'AES-256'])(
    'a PDF in %s with restrictions that allow printing is printed, with a note',
    async (algorithm) => {
      const { error, printFile } = await render([pdf(await lockedPdf({ ...readable, algorithm }))]);
      expect([error, printFile?.report?.pages[0]?.notes]).toEqual([null, ['restricted']]);
      const [page] = await readPages(printFile?.path ?? '');
      expect(page?.text).toContain('secret');
    },
  );

  test('a PDF whose author forbids printing is refused', async () => {
    const { error } = await render([pdf(await lockedPdf({ ownerPassword: 'b', permissions: { copying: true } }))]);
    expect(error).toMatchObject({ code: 'FILE_UNREADABLE', fault: 'printing_forbidden', fileIndex: 0 });
  });
});
