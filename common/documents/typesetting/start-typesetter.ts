import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Log } from '#common/platform/process/log.ts';
import { spawnWarmChild, type WarmChild, type WarmProgram } from '../warm/spawn-warm-child.ts';
import { letterFontPaths } from './font-coverage.ts';
import type { CompilerFiles } from './load-compiler.ts';

const mib = 1024 * 1024;

/** What every process that typesets loads. */
export const compilerFiles: CompilerFiles = {
  wasmPath: realpathSync(fileURLToPath(import.meta.resolve('@myriaddreamin/typst-ts-web-compiler/wasm'))),
  layoutPaths: ['letter', '../papers/paper', '../papers/job-ticket', '../papers/deposit-slip'].map((path) =>
    fileURLToPath(new URL(`./${path}.typ`, import.meta.url)),
  ),
  fontPaths: letterFontPaths.map((path) => realpathSync(path)),
};
const paths = [compilerFiles.wasmPath, ...compilerFiles.layoutPaths, ...compilerFiles.fontPaths];

/**
 * A letter of one page takes about 30 ms of CPU time. After 200 letters the compiler has about 350 MB, because it keeps
 * what it computed.
 */
const program: WarmProgram = {
  path: fileURLToPath(new URL('./typeset.child.ts', import.meta.url)),
  args: paths,
  readable: paths,
  limits: { cpuS: 120, dataBytes: 1024 * mib, fileBytes: 0, openFiles: 64 },
  nodeFlags: ['--disallow-code-generation-from-strings'],
  fileLimits: { cpuMs: 5_000, wallMs: 15_000 },
  startRequest: { operation: 'startTypesetting', bytes: new Uint8Array() },
};

/** Starts a fenced process that typesets letters, and waits until its compiler and fonts are loaded. */
export function startTypesetter(log: Log, changes: Partial<WarmProgram> = {}): Promise<WarmChild> {
  return spawnWarmChild(log, { ...program, ...changes });
}
