import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdir, mkdtempDisposable, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PDFDocument, StandardFonts } from '@cantoo/pdf-lib';
import sharp from 'sharp';
import { createRenderSlots } from '#common/documents/isolation/render-slots.ts';
import { mergePdfs } from '#common/documents/pdf/merge-pdfs.ts';
import { createFileSink } from '#common/documents/pdf/pdf-sink.ts';
import type { SourceFile } from '#common/documents/print-file/make-part.ts';
import { renderPrintFile } from '#common/documents/print-file/render-print-file.ts';
import { createLog } from '#common/platform/process/log.ts';
import { alternate, listChildren, median, print, readMemoryMb, timeMs, watchMost } from './measure.ts';

const fileCount = 20;
const pagesPerFile = 100;
const rounds = 5;
const uploadBytes = 20 * 1024 * 1024;
const mib = 1024 * 1024;
const sampleEveryMs = 10;

/** Prints render time and memory of a letter of 2,000 pages and of one with 400 MB of photos. */
export async function run(held: AsyncDisposableStack): Promise<void> {
  const temporary = held.use(await mkdtempDisposable(join(tmpdir(), 'bluejay-bench-render-')));
  const folder = temporary.path;
  const pdfs = await makePdfs(folder);
  await compareMerges(folder, pdfs);
  await renderLetter(folder, `${fileCount} PDFs of ${pagesPerFile} pages`, pdfs, 'application/pdf', 2000);
  const photos = await makePhotos(folder);
  await renderLetter(folder, `${fileCount} JPEGs of 20 MB`, photos, 'image/jpeg', fileCount);
}

/** Compares merging and writing, without checks and child processes, with pdf-lib alone. Rounds alternate. */
async function compareMerges(folder: string, pdfs: readonly string[]): Promise<void> {
  let files = 0;
  const next = () => join(folder, `merged-${files++}.pdf`);
  const { ours, floor } = await alternate(
    rounds,
    () => timeMs(() => mergePdfs(pdfs, (path) => readFileSync(path), createFileSink(next()))),
    () => timeMs(() => mergeWithLibraryAlone(pdfs, next())),
  );
  const pages = pdfs.length * pagesPerFile;
  const perS = (ms: number) => Math.round((pages / ms) * 1000);
  const ratio = median(floor) / median(ours);
  print(`merge of ${pages} pages: ${median(ours).toFixed(0)} ms, ${perS(median(ours))} pages/s`);
  print(`  pdf-lib alone with fast options: ${median(floor).toFixed(0)} ms, ${perS(median(floor))} pages/s`);
  print(`  ratio ${ratio.toFixed(2)} (goal: at least 0.80)`);
}

async function mergeWithLibraryAlone(paths: readonly string[], outputPath: string): Promise<void> {
  const merged = await PDFDocument.create({ updateMetadata: false });
  for (const path of paths) {
    const source = await PDFDocument.load(await readFile(path), {
      parseSpeed: Number.POSITIVE_INFINITY,
      updateMetadata: false,
    });
    for (const page of await merged.copyPages(source, source.getPageIndices())) merged.addPage(page);
  }
  const bytes = await merged.save({ objectsPerTick: Number.POSITIVE_INFINITY, useObjectStreams: false });
  await writeFile(outputPath, bytes);
}

async function renderLetter(
  folder: string,
  title: string,
  paths: readonly string[],
  mimeType: SourceFile['mimeType'],
  expectedPages: number,
): Promise<void> {
  const workDir = join(folder, `work-${mimeType.replace('/', '-')}`);
  await mkdir(workDir);
  const baseMib = readMemoryMb(process.pid);
  const parent = watchMost(() => readMemoryMb(process.pid), sampleEveryMs);
  // VmHWM is the kernel's high-water mark (Linux).
  const child = watchMost(
    () => Math.max(0, ...listChildren(process.pid).map((pid) => readMemoryMb(pid, 'VmHWM'))),
    sampleEveryMs,
  );
  const startedAtMs = performance.now();
  const printFile = await renderPrintFile({
    getFiles: async () => paths.map((path) => ({ path, mimeType })),
    expectedPages,
    makeFolder: async () => workDir,
    warmPool: null,
    slots: createRenderSlots(),
    signal: new AbortController().signal,
    log: createLog('bench', 'warn'),
  });
  const s = (performance.now() - startedAtMs) / 1000;
  const [parentMib, childMib] = [parent.stop() - baseMib, child.stop()].map(Math.round);
  print(`letter of ${title}: ${s.toFixed(1)} s, print file ${(printFile.sizeBytes / mib).toFixed(1)} MiB`);
  print(`  resident at most: this process grew by ${parentMib} MiB, its largest child ${childMib} MiB`);
  await rm(workDir, { recursive: true, force: true });
}

async function makePdfs(folder: string): Promise<string[]> {
  const paths: string[] = [];
  for (let file = 0; file < fileCount; file += 1) {
    const document = await PDFDocument.create();
    const font = await document.embedFont(StandardFonts.Helvetica);
    for (let page = 1; page <= pagesPerFile; page += 1) {
      const sheet = document.addPage([595.28, 841.89]);
      for (let line = 0; line < 40; line += 1) {
        const text = `File ${file + 1}, page ${page}, line ${line + 1}: the quick brown fox jumps over the lazy dog`;
        sheet.drawText(text, { x: 60, y: 780 - line * 17, size: 11, font });
      }
    }
    const path = join(folder, `letter-${file}.pdf`);
    await writeFile(path, await document.save());
    paths.push(path);
  }
  return paths;
}

/** Writes photos of 24 megapixels. Noise barely compresses, so each comes close to the largest upload of 20 MB. */
async function makePhotos(folder: string): Promise<string[]> {
  const [width, height] = [6000, 4000];
  const noise = randomBytes(width * height * 3);
  let photo = Buffer.alloc(0);
  for (const quality of [90, 91, 92, 93]) {
    const larger = await sharp(noise, { raw: { width, height, channels: 3 } })
      .jpeg({ quality })
      .toBuffer();
    if (larger.length <= uploadBytes) photo = larger;
  }
  const paths = Array.from({ length: fileCount }, (_, i) => join(folder, `photo-${i}.jpg`));
  for (const path of paths) await writeFile(path, photo);
  return paths;
}
