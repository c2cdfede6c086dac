const mib = 1024 * 1024;

/** What one child process may use. Whichever end comes first, the parent kills its whole process group. */
export type ChildLimits = {
  cpuS: number;
  wallMs: number;
  /** Private memory (heap, typed arrays, WebAssembly, stacks), beyond what Node reserves for itself. */
  dataBytes: number;
  /** The largest file it may write. */
  fileBytes: number;
  openFiles: number;
};

/**
 * Opening or converting one file. `pages` is the most it can honestly have: the pages the mail job was paid for.
 * 48 megapixels of HEIC, the largest photo of present phones, were measured at 392 MB resident.
 */
export function limitsForFile(pages: number): ChildLimits {
  return { ...timeFor(pages), dataBytes: 768 * mib, fileBytes: 200_000_000, openFiles: 64 };
}

/** Input above which a merge may write more, and takes the one slow slot: a legal letter is 20 files of 20 MB. */
export const bigMergeBytes = 100_000_000;

/**
 * Merging. The writer holds one source file at a time, so memory does not grow with the letter: 400 MB of photos were
 * measured below 250 MB resident, and only the size of the result needs a second row.
 */
export function limitsForMerge(pages: number, inputBytes: number): ChildLimits {
  const fileBytes = inputBytes > bigMergeBytes ? 512 * mib : 200_000_000;
  return { ...timeFor(pages), dataBytes: 768 * mib, fileBytes, openFiles: 64 };
}

/**
 * 20 s and 30 ms a page of CPU (the system counts whole seconds); by the clock on the wall, which runs on while others
 * have the CPU, 30 s and twice the share of the pages. A sender of one bad page is told within 40 s.
 */
function timeFor(pages: number): Pick<ChildLimits, 'cpuS' | 'wallMs'> {
  const cpuMs = 20_000 + 30 * pages;
  return { cpuS: Math.floor(cpuMs / 1000), wallMs: 30_000 + 60 * pages };
}
