import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Registry } from 'prom-client';
import type { FileContent } from '#common/documents/file-content.ts';
import { createRenderSlots } from '#common/documents/isolation/render-slots.ts';
import { measureLetter } from '#common/documents/preflight/measure-letter.ts';
import type { LetterReport } from '#common/documents/preflight/page-report.ts';
import type { WarmPool } from '#common/documents/warm/warm-pool.ts';
import { createLog } from '#common/platform/process/log.ts';
import { pdf, useRendering, useWarmPool } from '#test/support/documents/use-rendering.ts';
import { expect, useTempFolders } from '#test/support/jest.ts';

const { signal } = new AbortController();

/** What two ways of measuring the print file of a PDF gave: a warm process, and a process of its own. */
export type Measured = { warm: LetterReport | null; alone: LetterReport | null };

/** Returns functions that measure a print file, and that render a PDF and measure its print file in both ways. */
export function useMeasuring() {
  const newFolder = useTempFolders();
  const render = useRendering();
  const registry = new Registry();
  const warmPool = useWarmPool({ registry });

  async function measure(file: FileContent, pageCount: number, pool: WarmPool | null): Promise<LetterReport | null> {
    const slot = await createRenderSlots().acquire(signal);
    try {
      return await measureLetter({
        file,
        pageCount,
        warmPool: pool,
        slot,
        organizationId: 'org_measuring',
        makeFolder: newFolder,
        signal,
        log: createLog('test', 'silent'),
      });
    } finally {
      slot.release();
    }
  }

  return {
    /** Returns how many files a warm process has measured. */
    async warmCount(): Promise<number> {
      const { values = [] } = (await registry.getSingleMetric('warm_document_files_total')?.get()) ?? {};
      return values.find(({ labels }) => labels.outcome === 'done')?.value ?? 0;
    },
    measureWarm: (bytes: Buffer, pageCount: number) => measure({ bytes }, pageCount, warmPool),
    /** Measures a print file that is on the disk, where that of an image is. */
    async measureStored(bytes: Buffer, pageCount: number): Promise<LetterReport | null> {
      const path = join(await newFolder(), 'print.pdf');
      await writeFile(path, bytes);
      return await measure({ path }, pageCount, warmPool);
    },
    measureAlone: (bytes: Buffer, pageCount: number) => measure({ bytes }, pageCount, null),
    async renderAndMeasure(bytes: Uint8Array, pageCount: number): Promise<Measured> {
      const { printFile, error } = await render([pdf(bytes)], { expectedPages: pageCount });
      expect(error).toBeNull();
      const printed = await readFile(printFile?.path ?? '');
      const [warm, alone] = await Promise.all([
        measure({ bytes: printed }, pageCount, warmPool),
        measure({ bytes: printed }, pageCount, null),
      ]);
      return { warm, alone };
    },
  };
}
