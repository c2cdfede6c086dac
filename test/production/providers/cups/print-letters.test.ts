// Level: unit
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type CupsPrinter, createCupsPrinter } from '#common/production/providers/cups/create-cups-printer.ts';
import { findJobs } from '#common/production/providers/cups/find-jobs.ts';
import { parsePrinterUri } from '#common/production/providers/cups/printer-target.ts';
import { textPdf } from '#test/support/documents/build-pdf.ts';
import { describe, eventually, expect, guardMs, useTempFolders } from '#test/support/jest.ts';
import { cancelJob } from '#test/support/print/cancel-job.ts';
import { openPrintSystem, testPrinting } from '#test/support/print/print-system.ts';

const test = testPrinting;
const system = openPrintSystem();
const newFolder = useTempFolders();
const printer = (): CupsPrinter => createCupsPrinter({ uri: system.cupsd.uri, timeoutMs: guardMs });

async function untilPrinted(jobId: number): Promise<void> {
  const requirePrinted = async () => expect((await printer().readJob(jobId)).state).toBe('printed');
  await eventually(requirePrinted);
}

async function findPrint(name: string) {
  const print = (await system.printer.prints()).find((one) => one.name === name);
  return { ...print, isPrinted: print !== undefined };
}

describe('a queue of cupsd', () => {
  test('is idle, takes jobs and lacks nothing that letters need', async () => {
    expect(await printer().check()).toEqual({
      ...{ state: 'idle', isAccepting: true, reasons: [], lacks: [] },
      ...{ printsColor: true, printsMonochrome: true, keepsSize: true, omitsBanners: true },
    });
  });

  test.each([
    ['mi_color', { color: true }, { colorMode: 'color', sides: 'two-sided-long-edge' }],
    ['mi_monochrome', { color: false }, { colorMode: 'monochrome', sides: 'two-sided-long-edge' }],
    ['mi_one_side', { color: false, doubleSided: false }, { sides: 'one-sided' }],
  ])('prints %s byte for byte on A4', async (name, how, expected) => {
    const pdf = Buffer.from(await textPdf(['one', 'two', 'three']));
    const { jobId } = await printer().print({ name, content: { bytes: pdf }, ...how });
    await untilPrinted(jobId);
    const print = await findPrint(name);
    expect(print).toMatchObject(expected);
    expect(print.media).toContain('media-size={x-dimension=21000 y-dimension=29700}');
    expect(print.pdf?.equals(pdf)).toBe(true);
  });

  test('prints a file of 8 MB from the disk byte for byte', async () => {
    // Comments behind the end are valid, and no size of a network packet divides their length.
    const pdf = Buffer.concat([Buffer.from(await textPdf(['large'])), Buffer.alloc(8_000_001, '% filler\n')]);
    const path = join(await newFolder(), 'letter.pdf');
    await writeFile(path, pdf);
    const { jobId } = await printer().print({ name: 'mi_large', content: { path }, color: false });
    await untilPrinted(jobId);
    expect((await findPrint('mi_large')).pdf?.equals(pdf)).toBe(true);
  });

  test('finds jobs by name, page by page, in every state', async () => {
    const pdf = Buffer.from(await textPdf(['found']));
    const order = (name: string) => ({ name, content: { bytes: pdf }, color: false });
    const done = await printer().print(order('mi_done'));
    await untilPrinted(done.jobId);
    await system.cupsd.pause();
    const waiting: number[] = [];
    for (const name of ['mi_a', 'mi_twice', 'mi_twice', 'mi_other']) {
      waiting.push((await printer().print(order(name))).jobId);
    }
    const [a = 0, first = 0, second = 0, other = 0] = waiting;
    expect(await cancelJob(system.cupsd.uri, other)).toBe('cancelled');

    const access = { target: parsePrinterUri(system.cupsd.uri), user: 'bluejay', timeoutMs: guardMs };
    const names = new Set(['mi_a', 'mi_twice', 'mi_other', 'mi_done', 'mi_never']);
    const expected = new Map([
      ['mi_done', [{ jobId: done.jobId, state: 'printed' }]],
      ['mi_a', [{ jobId: a, state: 'waiting' }]],
      ['mi_other', [{ jobId: other, state: 'failed' }]],
    ]);
    const twice = [first, second].map((jobId) => ({ jobId, state: 'waiting' }));
    for (const pageSize of [1, 2, 500]) {
      expect(await findJobs(access, names, pageSize)).toEqual(new Map([...expected, ['mi_twice', twice]]));
    }
    const stranger = createCupsPrinter({ uri: system.cupsd.uri, timeoutMs: guardMs, user: 'stranger' });
    expect(await stranger.findJobs(names)).toEqual(new Map());
    await system.cupsd.resume();
    for (const jobId of [a, first, second]) await untilPrinted(jobId);
  });

  test('says of jobs that it does not know that they are gone', async () => {
    expect(await printer().readJob(4_000)).toEqual({ state: 'gone', reasons: [] });
    expect(await cancelJob(system.cupsd.uri, 4_000)).toBe('gone');
  });

  test('refuses a file that is empty or missing before it sends anything', async () => {
    const folder = await newFolder();
    await writeFile(join(folder, 'empty.pdf'), '');
    const print = (path: string) => printer().print({ name: 'mi_none', content: { path }, color: false });
    await expect(print(join(folder, 'empty.pdf'))).rejects.toThrow('An empty document cannot be printed.');
    await expect(print(join(folder, 'missing.pdf'))).rejects.toThrow('ENOENT');
    expect(await printer().findJobs(new Set(['mi_none']))).toEqual(new Map());
  });
});
