// Level: push
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type CopyOptions, openCopyMaker } from '#common/documents/addressing/create-copies.ts';
import { appendTo, measure } from '#common/documents/file-content.ts';
import { mergePdfs } from '#common/documents/pdf/merge-pdfs.ts';
import { createMemorySink } from '#common/documents/pdf/pdf-sink.ts';
import { envelopeSchemes, sheetMarkBox } from '#common/documents/sheet/envelope-schemes.ts';
import {
  buildPrintFile,
  itemId,
  plainPrintFile,
  recipient,
  sender,
} from '#test/support/documents/addressing/build-print-file.ts';
import { countChanges } from '#test/support/documents/addressing/compare-pages.ts';
import { drawGrey } from '#test/support/documents/draw-grey.ts';
import { goldenCorpus } from '#test/support/documents/golden/golden-corpus.ts';
import { readPages } from '#test/support/documents/read-pdf.ts';
import { pdf, useRendering } from '#test/support/documents/use-rendering.ts';
import { describe, expect, test, testWithPrograms, useTempFolders } from '#test/support/jest.ts';

const scheme = envelopeSchemes['window-left'];
const options: CopyOptions = { scheme, placement: 'page', sender };
const greek = {
  name: 'Ευάγγελος Παπαδόπουλος',
  line1: 'Λεωφόρος Βασιλίσσης Σοφίας 2',
  line2: null,
  zip: '10674',
  city: 'Αθήνα',
  country: 'GR',
};
const vietnamese = { ...recipient, name: 'Nguyễn Thị Ánh x\u0301', city: 'Đồng Nai', country: 'VN' };

async function makeCopy(print: Buffer, changes: Partial<CopyOptions> = {}, address = recipient): Promise<Buffer> {
  const maker = await openCopyMaker({ bytes: print }, { ...options, ...changes });
  return Buffer.concat([print, maker.make({ itemId, address }).tail]);
}

describe('the copy of a letter', () => {
  const newFolder = useTempFolders();
  const print = plainPrintFile(3);

  test('begins with the bytes of the print file, and the same input gives the same bytes', async () => {
    const maker = await openCopyMaker({ bytes: print }, options);
    const [first, other, again] = [recipient, greek, recipient].map((address) => maker.make({ itemId, address }));
    expect(again).toEqual(first);
    expect(other?.tail.equals(first?.tail ?? Buffer.alloc(0))).toBe(false);
    const anew = await openCopyMaker({ bytes: print }, options);
    expect(anew.make({ itemId, address: recipient })).toEqual(first);

    const content = await appendTo({ bytes: print }, first!.tail, async () => 'unused');
    const { bytes } = content as { bytes: Buffer };
    expect(bytes.subarray(0, print.length).equals(print)).toBe(true);
    expect(await measure(content)).toEqual({ sizeBytes: first?.sizeBytes, sha256: first?.sha256 });
  });

  test('of a print file on the disk is a new file with the same bytes', async () => {
    const folder = await newFolder();
    const path = join(folder, 'print.pdf');
    const newPath = async () => join(folder, 'copy.pdf');
    await writeFile(path, print, { mode: 0o600 });
    const copy = (await openCopyMaker({ path }, options)).make({ itemId, address: recipient });
    const content = await appendTo({ path }, copy.tail, newPath);

    expect(content).toEqual({ path: join(folder, 'copy.pdf') });
    expect(await measure(content)).toEqual({ sizeBytes: copy.sizeBytes, sha256: copy.sha256 });
    expect(readFileSync(join(folder, 'copy.pdf'))).toEqual(await makeCopy(print));
    expect((await stat(join(folder, 'copy.pdf'))).mode & 0o777).toBe(0o600);
    await expect(appendTo({ path }, copy.tail, newPath)).rejects.toThrow('EEXIST');
    expect(readFileSync(path)).toEqual(print);
  });

  test('shows chosen pages in grey, alone and merged with others', async () => {
    const content = '1 0 0 rg 0 0 600 450 re f 0 0 1 rg 0 450 600 200 re f 1 0 0 1 5 5 cm q';
    const turned = '/MediaBox [0 0 841.89 595.276] /Rotate 270';
    const coloured = buildPrintFile([{ content }, { content }, { content }, { content, entries: turned }]);
    const copy = await makeCopy(coloured, { greyPages: [0, 1, 3] });
    const sink = createMemorySink(Buffer.alloc(1024 * 1024));
    await mergePdfs([print, copy], (part) => part, sink);
    const path = join(await newFolder(), 'copy.pdf');
    for (const [bytes, before] of [
      [copy, 0],
      [sink.written(), 3],
    ] as const) {
      await writeFile(path, bytes);
      const pages = (await readPages(path)).slice(before);
      const bottoms = pages.map((page) => page.colourAt(0.5, 0.9));
      expect(bottoms).toEqual(['#4c4c4c', '#4c4c4c', '#ff0000', '#4c4c4c']);
      expect([pages[1]?.colourAt(0.5, 0.4), pages[1]?.colourAt(0.999, 0.9)]).toEqual(['#1c1c1c', '#4c4c4c']);
    }
  });

  test('grows neither with the size of the document nor much with its pages', async () => {
    const tails = [1, 100].map(
      async (pages) => (await makeCopy(plainPrintFile(pages))).length - plainPrintFile(pages).length,
    );
    const [one = 0, hundred = 0] = await Promise.all(tails);
    expect(one).toBeLessThan(12_000);
    expect(hundred - one).toBeLessThan(49 * 3000);
  });
});

describe('the copy of a letter is a valid PDF', () => {
  const newFolder = useTempFolders();
  const test = testWithPrograms('qpdf', 'pdftotext');

  test.each([
    { placement: 'page', address: recipient },
    { placement: 'page', address: greek },
    { placement: 'page', address: vietnamese },
    { placement: 'cover', address: greek },
    { placement: 'none', address: recipient },
  ] as const)('with the address as text: $placement, $address.country', async ({ placement, address }) => {
    const path = join(await newFolder(), 'copy.pdf');
    await writeFile(path, await makeCopy(plainPrintFile(3), { placement }, address));
    const checked = spawnSync('qpdf', ['--check', path], { encoding: 'utf8' });
    expect(checked.stderr).toBe('');
    expect(checked.stdout).toContain('No syntax or stream encoding errors found');

    const words = execFileSync('pdftotext', ['-l', '1', path, '-'], { encoding: 'utf8' }).normalize('NFC');
    const expected = placement === 'none' ? [] : [address.name.normalize('NFC'), address.line1, sender.name];
    for (const line of expected) expect(words).toContain(line);
    expect(words.includes(recipient.name)).toBe(placement !== 'none' && address === recipient);
  });
});

/** Its pages are smaller than A4, so that some boxes are beyond their edges. */
describe('every print file can be addressed', () => {
  const render = useRendering();
  const test = testWithPrograms('pdftoppm');
  const dotsPerInch = 50;
  const maxFiles = 20;
  const jobs = Array.from({ length: Math.ceil(goldenCorpus.length / maxFiles) }, (_, i) => i * maxFiles);

  test.each(jobs)('nothing but the address changes on the golden corpus from file %i on', async (from) => {
    const files = goldenCorpus.slice(from, from + maxFiles);
    const expectedPages = files.reduce((sum, { pages }) => sum + pages, 0);
    const { printFile } = await render(
      files.map(({ bytes }) => pdf(bytes)),
      { expectedPages },
    );
    const print = readFileSync(printFile?.path ?? '');
    const [before, after] = await Promise.all([drawGrey(print), makeCopy(print).then((copy) => drawGrey(copy))]);
    expect(after).toHaveLength(expectedPages);
    for (const [index, page] of before.entries()) {
      const boxes = index === 0 ? [scheme.sender, scheme.address, sheetMarkBox] : index % 2 === 0 ? [sheetMarkBox] : [];
      const { outside } = countChanges(page, after[index]!, boxes, dotsPerInch);
      expect({ index, outside }).toEqual({ index, outside: 0 });
    }
  });
});
