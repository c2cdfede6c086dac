const mib = 1024 * 1024;

/** Limits of one child process. When it ends or exceeds a limit, the parent kills its whole process group. */
export type ChildLimits = ProcessLimits & { wallMs: number };

/** Limits that the system applies. */
export type ProcessLimits = {
  cpuS: number;
  /** Private memory (heap, typed arrays, WebAssembly, stacks), without what Node reserves for itself. */
  dataBytes: number;
  /** Most bytes per written file. */
  fileBytes: number;
  openFiles: number;
};

/**
 * Returns the limits for opening or converting one file. `pages` is the number of pages that the mail job paid for, the
 * most that a valid file has. HEIC of 48 megapixels, the largest photo of current phones, was measured at 392 MB
 * resident.
 */
export function limitsForFile(pages: number): ChildLimits {
  return { ...timeFor(pages), dataBytes: 768 * mib, fileBytes: 200_000_000, openFiles: 64 };
}

const kib = 1024;

/**
 * Returns the most bytes that a PDF of `inputBytes` with `pages` pages may have after rebuilding. Streams are copied
 * unchanged, once each, so only objects in object streams grow: of 929 PDFs of pdf.js's collection, at most 2.4 times.
 */
export function maxRebuiltBytes(inputBytes: number, pages: number): number {
  return 256 * kib + 4 * inputBytes + 4 * kib * pages;
}

/** Most bytes of one print file: 20 files of 20 MB, plus room for growth by rebuilding. */
export const maxPrintFileBytes = 512 * mib;

/** Larger input may write more and needs the slow slot. The maximum of a valid letter is 20 files of 20 MB. */
export const bigMergeBytes = 100_000_000;

/**
 * Returns the limits for merging. One source file is in memory at a time, so only the file size limit depends on the
 * input: a merge of 400 MB of photos was measured below 250 MB resident.
 */
export function limitsForMerge(pages: number, inputBytes: number): ChildLimits {
  const fileBytes = inputBytes > bigMergeBytes ? maxPrintFileBytes : 200_000_000;
  return { ...timeFor(pages), dataBytes: 768 * mib, fileBytes, openFiles: 64 };
}

/**
 * CPU time: 20 s plus 30 ms per page, rounded down to whole seconds, the unit of the system. Wall time: 30 s plus 60 ms
 * per page. The sender of one hostile page gets the failure within 40 s.
 */
function timeFor(pages: number): Pick<ChildLimits, 'cpuS' | 'wallMs'> {
  const cpuMs = 20_000 + 30 * pages;
  return { cpuS: Math.floor(cpuMs / 1000), wallMs: 30_000 + 60 * pages };
}
