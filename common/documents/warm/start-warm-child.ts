import { fileURLToPath } from 'node:url';
import type { Log } from '#common/platform/process/log.ts';
import { bundleProgram } from '../isolation/bundle-program.ts';
import { pdfiumWasm } from '../isolation/child-command.ts';
import type { ProcessLimits } from '../isolation/child-limits.ts';
import { spawnWarmChild, type WarmChild } from './spawn-warm-child.ts';
import type { FileLimits } from './watch-usage.ts';

/** Paths of what a child runs: its program, and the script that the program evaluates for every file. */
export type WarmPrograms = { program: string; script: string };

const defaultPrograms: WarmPrograms = {
  program: fileURLToPath(new URL('../warm-program/warm.child.ts', import.meta.url)),
  script: fileURLToPath(new URL('../warm-program/warm.script.ts', import.meta.url)),
};

const mib = 1024 * 1024;

/**
 * Limits of the whole process. A child writes no file: a file comes and goes through pipes. Each file has its own limit
 * of CPU time; this one ends a child that has lost its parent. A thousand one-page files need 5 s.
 */
const limits: ProcessLimits = { cpuS: 60, dataBytes: 256 * mib, fileBytes: 0, openFiles: 64 };
/** A hundred times what a one-page PDF needs. A file that needs more gets a process of its own. */
const defaultFileLimits: FileLimits = { cpuMs: 500, wallMs: 2_000 };
/**
 * Nothing a script does changes this realm; no string becomes code; code compiled once is kept. A young generation of at
 * most 4 MiB: a child needs 119 MB instead of 131 after 2,000 letters, in the same time.
 */
const nodeFlags = [
  '--frozen-intrinsics',
  '--disallow-code-generation-from-strings',
  '--no-flush-bytecode',
  '--max-semi-space-size=4',
];

/**
 * Starts a warm child and waits until it is ready. Throws when it does not start within 30 s, after its programs have been
 * compiled. Tests change `programs` and `fileLimits`.
 */
export async function startWarmChild(
  log: Log,
  programs: Partial<WarmPrograms> = {},
  fileLimits = defaultFileLimits,
): Promise<WarmChild> {
  const { program, script } = { ...defaultPrograms, ...programs };
  const scriptSource = await bundleProgram(script);
  return await spawnWarmChild(log, {
    ...{ path: program, args: [pdfiumWasm], readable: [], nodeFlags, limits, fileLimits },
    startRequest: { operation: 'loadScript', bytes: Buffer.from(scriptSource) },
  });
}
