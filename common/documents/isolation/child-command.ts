import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { ProcessLimits } from './child-limits.ts';
import type { Fences } from './fences.ts';

/**
 * At start V8 reserves 512 MB of address space for machine code, and Linux counts all of it as data: an idle Node
 * process was measured at 534 MB. The configured limit is added to this.
 */
const reservedByNodeBytes = 512 * 1024 * 1024;

const root = fileURLToPath(new URL('../../../', import.meta.url));
/** Resolved path of node_modules, which may be a symbolic link: the permission model checks resolved paths. */
const packages = realpathSync(`${root}node_modules`);
/** Every child may read it. */
export const pdfiumWasm = realpathSync(fileURLToPath(import.meta.resolve('@hyzyla/pdfium/pdfium.wasm')));

/** A child's program: a TypeScript file and its permissions in Node's permission model. */
export type ChildProgram = {
  entryPath: string;
  /** `nativeCode`: may load compiled libraries. `off`: no permission model, for tests that break out on purpose. */
  permissions: 'plain' | 'nativeCode' | 'off';
};

/** The paths that a child may open, and Node flags for one program. */
export type ChildAccess = { readable: readonly string[]; writable?: string; nodeFlags?: readonly string[] };

export type ChildCommand = { file: string; args: string[] };

/**
 * Returns the command line that runs the program on standard input with `args` under `limits`. Each program in the chain
 * calls exec for the next, so the spawned process is the one that opens the document.
 */
export function buildChildCommand(
  permissions: ChildProgram['permissions'],
  args: readonly string[],
  limits: ProcessLimits,
  fences: Fences,
  access: ChildAccess,
): ChildCommand {
  const node = [process.execPath, ...nodeFlags(permissions, limits, access), '-', ...args];
  const words = [
    ...fences.withoutNetwork,
    ...limitWords(limits, fences.prlimitPath),
    ...fences.endedWithParent,
    ...node,
  ];
  const [file = process.execPath, ...rest] = words;
  return { file, args: rest };
}

function nodeFlags(
  permissions: ChildProgram['permissions'],
  limits: ProcessLimits,
  { readable, writable, nodeFlags = [] }: ChildAccess,
) {
  // Below the data limit: Node then reports a full heap itself, instead of failing in a system call.
  const heapMib = Math.floor((limits.dataBytes * 0.75) / 1024 / 1024);
  const flags = [
    '--input-type=module',
    '--no-warnings',
    `--max-old-space-size=${heapMib}`,
    '--v8-pool-size=1',
    ...nodeFlags,
  ];
  if (permissions === 'off') return flags;

  const own = permissions === 'nativeCode' ? [`${root}node_modules/`, `${packages}/`] : [pdfiumWasm];
  const written = writable === undefined ? [] : [writable];
  return [
    ...flags,
    '--permission',
    ...(permissions === 'nativeCode' ? ['--allow-addons'] : []),
    ...[...own, ...readable, ...written].map((path) => `--allow-fs-read=${path}`),
    ...written.map((path) => `--allow-fs-write=${path}`),
  ];
}

function limitWords({ cpuS, dataBytes, fileBytes, openFiles }: ProcessLimits, prlimitPath: string | null): string[] {
  const allDataBytes = dataBytes + reservedByNodeBytes;
  if (prlimitPath) {
    return [
      prlimitPath,
      `--cpu=${cpuS}:${cpuS + 2}`,
      `--data=${allDataBytes}`,
      `--fsize=${fileBytes}`,
      `--nofile=${openFiles}`,
      '--core=0',
      '--',
    ];
  }
  // `-f` counts blocks of 512 bytes, `-d` kilobytes. A shell that cannot limit data continues without that limit.
  const limits = [
    `ulimit -t ${cpuS}`,
    `ulimit -f ${Math.ceil(fileBytes / 512)}`,
    `ulimit -n ${openFiles}`,
    'ulimit -c 0',
    `ulimit -d ${Math.ceil(allDataBytes / 1024)} 2>/dev/null || :`,
  ];
  return ['/bin/sh', '-c', `${limits.join('; ')}; exec "$@"`, 'sh'];
}
