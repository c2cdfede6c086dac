// Level: ci
import { readFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import { onePage, rawPdf, rawStream } from '#test/support/documents/build-pdf.ts';
import { pdf, useRendering, useWarmPool } from '#test/support/documents/use-rendering.ts';
import { describe, expect, test } from '#test/support/jest.ts';

const { signal } = new AbortController();

/** A page whose font comes after `before` in an object stream. A reader that fails there prints without the font. */
function fontAfter(before: string): Buffer {
  const font = '<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman >>';
  const head = `6 0 7 ${before.length + 1} `;
  const dictionary = `/Type /ObjStm /N 2 /First ${head.length} /Filter /FlateDecode`;
  const packed = rawStream(dictionary, deflateSync(Buffer.from(`${head}${before} ${font}`, 'latin1'), { level: 1 }));
  return rawPdf({ objects: { ...onePage({ resources: '/Font << /F1 7 0 R >>' }), 8: packed } });
}
const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

describe('a file for which a process may have too little stack or memory', () => {
  const render = useRendering();
  const warmPool = useWarmPool();

  test.each([40, 50])('a page whose font is in an object stream of %i MB never prints without its font', async (mb) => {
    const bytes = fontAfter(`null${' '.repeat(mb * 1_000_000)}`);
    for (let round = 0; round < 3; round += 1) {
      const { result } = await warmPool.run({ operation: 'rebuildPdf', bytes }, 'a', signal);
      expect(result?.bytes.toString('latin1') ?? '/Times-Roman').toContain('/Times-Roman');
    }
  });

  const ways = ['a warm process', 'a process of its own'];
  const renderBy = (way: string, bytes: Buffer) =>
    render([pdf(bytes)], way === ways[0] ? { warmPool } : { warmPool: null });

  test.each(ways)('%s prints a page with its font after an object nested 500 levels deep', async (way) => {
    const { printFile } = await renderBy(way, fontAfter(nested(500)));
    expect(readFileSync(printFile?.path ?? '', 'latin1')).toContain('/Times-Roman');
  });

  // Each once printed without its font, or with it, depending on the stack and on V8's optimization.
  test.each(ways.flatMap((way) => [501, 4_300, 50_000].map((depth) => [way, depth] as const)))(
    'with %s, a page with an object nested %i levels deep does not print, and the error says why',
    async (way, depth) => {
      for (const bytes of [fontAfter(nested(depth)), rawPdf({ objects: { ...onePage(), 6: nested(depth) } })]) {
        const { error } = await renderBy(way, bytes);
        expect(error).toMatchObject({ code: 'FILE_UNREADABLE', fault: 'too_hard' });
      }
    },
  );
});
