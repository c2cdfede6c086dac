// Level: unit
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createMemorySink } from '#common/documents/pdf/pdf-sink.ts';
import { createPdfWriter } from '#common/documents/pdf/pdf-writer.ts';
import { parseDictionary } from '#common/documents/sheet/parse-dictionary.ts';
import { readPrintFile } from '#common/documents/sheet/read-print-file.ts';
import { buildPrintFile, plainPrintFile } from '#test/support/documents/addressing/build-print-file.ts';
import { openPrintFileReader } from '#test/support/documents/sheet/print-file-reader.ts';
import { byLevel, describe, expect, openOnce, test, useTempFolders } from '#test/support/jest.ts';
import { createRandom } from '#test/support/random.ts';

const all = () => true;
const good = plainPrintFile(3);

/** Replaces text by other text of the same length, so that all positions stay. */
function replace(from: string, to: string, file = good): Buffer {
  const text = file.toString('latin1');
  if (!text.includes(from)) throw new Error(`There is no ${from}`);
  return Buffer.from(text.replace(from, to.padEnd(from.length)), 'latin1');
}

/** A print file with one page of these entries, and further objects. */
function withPage(page: string): Buffer {
  const sink = createMemorySink(Buffer.alloc(8 * 1024 * 1024));
  const writer = createPdfWriter(sink);
  const number = writer.reserve();
  writer.beginObject(number);
  writer.text(page);
  writer.endObject();
  writer.addPage(number);
  writer.finish();
  return Buffer.from(sink.written());
}

/** Changes one to four bytes, or cuts or repeats a part. */
function damage(file: Buffer, seed: number): Buffer {
  const { random } = createRandom(seed);
  const position = () => Math.floor(random() * file.length);
  if (random() < 0.3) {
    const [from, to] = [position(), position()];
    return Buffer.concat([file.subarray(0, from), file.subarray(to)]);
  }
  const damaged = Buffer.from(file);
  for (let i = 0; i < 1 + random() * 3; i += 1) damaged[position()] = Math.floor(random() * 256);
  return damaged;
}

describe('the structure of a print file', () => {
  const newFolder = useTempFolders();
  const reader = openOnce(openPrintFileReader);

  test('is the same in memory and in a file, with the pages that are wanted', async () => {
    const path = join(await newFolder(), 'print.pdf');
    await writeFile(path, good);
    const structure = await readPrintFile({ bytes: good }, (index) => index === 2);
    expect(structure).toMatchObject({ pageCount: 3, sizeBytes: good.length, pageTreeNumber: 2 });
    expect([...structure.pages.keys()]).toEqual([2]);
    expect(await readPrintFile({ path }, (index) => index === 2)).toEqual(structure);
  });

  test('is read from a page with 100,000 annotations', async () => {
    const annotations = Array.from({ length: 100_000 }, (_, i) => `${i + 10} 0 R`).join(' ');
    const file = withPage(`<< /Type /Page /MediaBox [0 0 9 9] /Annots [${annotations}] >>`);
    const { pages } = await readPrintFile({ bytes: file }, all);
    expect(pages.get(0)).toMatchObject({ annotations, entries: '/Type /Page /MediaBox [0 0 9 9]' });
  });

  const page = (entries: string) => withPage(`<< /Type /Page ${entries} >>`);
  const box = '/MediaBox [0 0 9 9]';
  const hostile: [string, Buffer][] = [
    ['nothing', Buffer.alloc(0)],
    ['no PDF', Buffer.from('hello')],
    ['a cut end', good.subarray(0, -1)],
    ['a cut middle', Buffer.concat([good.subarray(0, 300), good.subarray(320)])],
    ['bytes in front', Buffer.concat([Buffer.from('%PDF-1.7\n'), good])],
    ['bytes behind', Buffer.concat([good, Buffer.from('\n')])],
    [
      'a later update',
      Buffer.concat([
        good,
        Buffer.from('xref\n0 0\ntrailer\n<< /Size 9 /Root 1 0 R /Prev 9 >>\nstartxref\n9\n%%EOF\n'),
      ]),
    ],
    ['more objects than its table has', replace('/Size 10', '/Size 99')],
    ['no catalog', replace('/Type /Catalog', '/Type /Catalo')],
    ['pages that are the catalog', replace('/Pages 2 0 R', '/Pages 1 0 R')],
    ['pages that do not exist', replace('/Pages 2 0 R', '/Pages 9999 0 R'.slice(0, 12))],
    ['a wrong number of pages', replace('/Count 3', '/Count 2')],
    ['a page twice', replace('/Kids [4 0 R 6 0 R', '/Kids [4 0 R 4 0 R')],
    ['a page that is no page', replace('/Kids [4 0 R', '/Kids [2 0 R')],
    ['a page that is a stream', replace('/Kids [4 0 R', '/Kids [5 0 R')],
    ['a page of generation 1', replace('/Kids [4 0 R', '/Kids [4 1 R')],
    ['an object that is somewhere else', replace('\n4 0 obj', '\n5 0 obj')],
    ['a free page', replace(entryOf(4), '0000000000 00000 f \n')],
    ['a page behind the table', replace(entryOf(4), '9999999999 00000 n \n')],
    ['no MediaBox', page('')],
    ['a MediaBox of three numbers', page('/MediaBox [0 0 9]')],
    ['a huge MediaBox', page('/MediaBox [0 0 9 99999999999999999999]')],
    ['a MediaBox elsewhere', page('/MediaBox 7 0 R')],
    ['a rotation that is no number', page(`${box} /Rotate /X`)],
    ['an entry twice', page(`${box} /Rotate 0 /Rotate 90`)],
    ['annotations elsewhere', page(`${box} /Annots 7 0 R`)],
    ['annotations that are no references', page(`${box} /Annots [<< >>]`)],
    ['a text', page(`${box} /A (>> endobj)`)],
    ['a comment', page(`${box} % >>`)],
    ['a dictionary without an end', withPage(`<< /Type /Page ${'/A << '.repeat(3)}`)],
    ['brackets that do not match', page(`${box} /A [ << ] >>`)],
    ['deep nesting', page(`${box} /A ${'['.repeat(100_000)}`)],
    ['3 MB of entries', page(`${box} /A [${'0 '.repeat(1_500_000)}]`)],
    ['a name without a value', page(`${box} /A`)],
    ['numbers where names belong', page(`1 2 ${box}`)],
  ];

  function entryOf(objectNumber: number): string {
    const text = good.toString('latin1');
    const from = text.indexOf('xref\n0 10\n') + 'xref\n0 10\n'.length + objectNumber * 20;
    return text.slice(from, from + 20);
  }

  test.each(hostile)('%s is an error, and no part of the file is read again and again', async (_title, bytes) => {
    const { error, readBytes } = await reader.read(bytes);
    expect(error).toMatch(/^Invalid (print file|dictionary|page):/);
    // The catalog, the page tree, and each page with the end of the file again, because all are smaller than one read.
    expect(readBytes).toBeLessThan(2 * bytes.length + 20_000);
  });

  test('of a damaged file is read to its end, or an error', async () => {
    const pages = [{ content: 'q' }, { entries: '/MediaBox [0 0 9 9] /CropBox [1 1 8 8] /Rotate 90 /UserUnit 2' }];
    const file = buildPrintFile(pages);
    let errors = 0;
    for (let seed = 0; seed < byLevel({ quick: 500, full: 2_000, long: 10_000 }); seed += 1) {
      const { error } = await reader.read(damage(file, seed));
      if (error === null) continue;
      expect(error).toMatch(/^Invalid (print file|dictionary|page):/);
      errors += 1;
    }
    expect(errors).toBeGreaterThan(100);
  });
});

describe('a dictionary', () => {
  test.each([
    ['<< >>', {}],
    ['<</A/B/C 1>>', { A: '/B', C: '1' }],
    [
      '<< /A << /B << /C [1 /D] >> >> /E [ 1 0 R ] /F true >> endobj',
      { A: '<< /B << /C [1 /D] >> >>', E: '[ 1 0 R ]', F: 'true' },
    ],
    ['<< /A /B#20 /C -1.5 >>', { A: '/B#20', C: '-1.5' }],
  ])('%s', (text, entries) => {
    expect(Object.fromEntries(parseDictionary(text) ?? [])).toEqual(entries);
  });

  test('that is not whole yet is none, wherever it is cut', () => {
    const text = '<< /A << /B [1 2] >> /C 3 0 R >>';
    for (let end = 0; end < text.length; end += 1) expect(parseDictionary(text.slice(0, end))).toBeNull();
    expect(parseDictionary(text)).not.toBeNull();
  });
});
