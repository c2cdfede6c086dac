import { mkdtemp, readFile, realpath, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Log } from '#common/platform/process/log.ts';
import { type FileContent, toPath } from '../file-content.ts';
import type { ChildProgram } from '../isolation/child-command.ts';
import { type ChildLimits, limitsForFile } from '../isolation/child-limits.ts';
import { ChildFailedError } from '../isolation/run-in-child.ts';
import { runInSlot } from '../isolation/run-in-slot.ts';
import { runWarm, type WarmWork } from '../warm/run-warm.ts';
import { maxWarmBytes } from '../warm/warm-pool.ts';
import { type LetterReport, letterReport } from './page-report.ts';

const program: ChildProgram = {
  entryPath: fileURLToPath(new URL('./measure-pages.child.ts', import.meta.url)),
  permissions: 'plain',
};

/** Most bytes of a report. 2,000 pages with all they can report have 6 MB. */
const maxReportBytes = 8 * 1024 * 1024;
/** A warm process has 0.5 s of CPU time per file. A page takes 1 to 10 ms, and more in a new process. */
const maxWarmPages = 25;

export type LetterToMeasure = WarmWork & {
  /** The print file, as `renderPrintFile` made it. */
  file: FileContent;
  pageCount: number;
  /** Returns a folder for temporary files, when they are needed. */
  makeFolder: () => Promise<string>;
  log: Log;
};

/**
 * Measures the pages of a print file: a small one in a warm process, else in one of its own. Returns null when the
 * document makes it impossible, so a retry is useless. Throws `ChildFailedError` or the signal's reason.
 */
export async function measureLetter(letter: LetterToMeasure): Promise<LetterReport | null> {
  const { file, pageCount } = letter;
  const bytes = pageCount <= maxWarmPages ? await readSmall(file) : null;
  if (bytes) {
    const measured = await runWarm(letter, { operation: 'measurePages', bytes });
    const report = measured && parseReport(measured.bytes, pageCount);
    if (report) return report;
  }
  return await measureAlone(letter);
}

/** Returns null for a file that is too large for a warm process. That of an image is on the disk, also when it is small. */
async function readSmall(file: FileContent): Promise<Buffer | null> {
  if ('bytes' in file) return file.bytes;
  return (await stat(file.path)).size <= maxWarmBytes ? await readFile(file.path) : null;
}

async function measureAlone(letter: LetterToMeasure): Promise<LetterReport | null> {
  const { file, pageCount, makeFolder, slot, signal, log } = letter;
  const folder = await mkdtemp(join(await realpath(await makeFolder()), 'measure-'));
  try {
    const source = await realpath(await toPath(file, join(folder, 'print.pdf')));
    const reportPath = join(folder, 'measured.json');
    const limits: ChildLimits = { ...limitsForFile(pageCount), fileBytes: maxReportBytes };
    const end = await runInSlot(slot, {
      program,
      args: [source],
      readable: [source],
      parentFolder: folder,
      output: { name: 'measured.json', path: reportPath },
      limits,
      signal,
      log,
    });
    if (end.kind === 'fault') {
      if (end.fault === 'out_of_time') throw new ChildFailedError('The letter was not measured in time.');
      return null;
    }
    return parseReport(await readFile(reportPath), pageCount);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns what a child measured; null when it is not a valid report of all pages. */
function parseReport(bytes: Buffer, pageCount: number): LetterReport | null {
  if (bytes.length > maxReportBytes) return null;
  try {
    const report = letterReport.parse(JSON.parse(bytes.toString('utf8')));
    return report.pages.length === pageCount ? report : null;
  } catch {
    return null;
  }
}
