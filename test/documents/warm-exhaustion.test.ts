import { readFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import { onePage, rawPdf, rawStream } from '../support/documents/build-pdf.ts';
import { pdf, useRendering, useWarmPool } from '../support/documents/use-rendering.ts';
import { describe, expect, test } from '../support/jest.ts';

const { signal } = new AbortController();

/** A page whose font comes after `before` in an object stream. A reader that fails there prints without the font. */
function fontAfter(before: string): Buffer {
  const font = '<< /Type /Font /Subtype /Type1 /BaseFont /Times-Roman >>';
  const head = `6 0 7 ${before.length + 1} `;
  const dictionary = `/Type /ObjStm /N 2 /First ${head.length} /Filter /FlateDecode`;
  const packed = rawStream(dictionary, deflateSync(Buffer.from(`${head}${before} ${font}`, 'latin1'), { level: 1 }));
  return rawPdf({ objects: { ...onePage({ resources: '/Font << /F1 7 0 R >>' }), 8: packed } });
}
const nested = (depth: number) => fontAfter('['.repeat(depth) + ']'.repeat(depth));

describe('a file for which a process has too little stack or memory', () => {
  const render = useRendering();
  const warmPool = useWarmPool();
  const isOpenedWarm = async (bytes: Buffer) =>
    (await warmPool.run({ operation: 'rebuildPdf', bytes }, 'a', signal)).result !== null;

  test.each([40, 50])('a page whose font is in an object stream of %i MB never prints without its font', async (mb) => {
    const bytes = fontAfter(`null${' '.repeat(mb * 1_000_000)}`);
    for (let round = 0; round < 3; round += 1) {
      const { result } = await warmPool.run({ operation: 'rebuildPdf', bytes }, 'a', signal);
      expect(result?.bytes.toString('latin1') ?? '/Times-Roman').toContain('/Times-Roman');
    }
  });

  test('objects nested too deeply are reported: the page does not print without its font', async () => {
    const { error } = await render([pdf(nested(50_000))]);
    expect(error).toMatchObject({ code: 'FILE_UNREADABLE', fault: 'too_hard' });
  });

  test('a process of its own opens objects that are nested deeper than those of warm processes', async () => {
    let [opened, refused] = [100, 50_000];
    expect([await isOpenedWarm(nested(opened)), await isOpenedWarm(nested(refused))]).toEqual([true, false]);
    while (refused - opened > 50) {
      const depth = Math.floor((opened + refused) / 2);
      if (await isOpenedWarm(nested(depth))) opened = depth;
      else refused = depth;
    }
    const { printFile } = await render([pdf(nested(Math.ceil(refused * 1.1)))], { warmPool: null });
    expect(readFileSync(printFile?.path ?? '', 'latin1')).toContain('/Times-Roman');
  });
});
