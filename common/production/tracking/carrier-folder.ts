import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { moveFile } from '#common/platform/drop-folder/move-file.ts';
import { folderMode, prepareFolder } from '#common/platform/drop-folder/prepare-folder.ts';
import { type DroppedFile, takeFiles } from '#common/platform/drop-folder/take-files.ts';
import type { Log } from '#common/platform/process/log.ts';
import type { Hints } from '#common/platform/redis/queues.ts';
import { type BadLine, carrierHeader, parseCarrierFile } from './parse-carrier-file.ts';
import { recordCarrierEvents } from './record-carrier-events.ts';

/** 50,000 lines of 160 bytes. */
const maxBytes = 8 * 1024 * 1024;
/** Files that one run takes. */
export const maxCarrierFiles = 20;
/** Bad lines that are listed, so that the text stays readable. */
const maxListed = 1_000;

const folderNames = { done: 'done', rejected: 'rejected' } as const;

/**
 * Creates what is missing of the folder of carrier files and checks that it is writable. Called at the start of a process.
 * Throws an Error that says what to do.
 */
export async function prepareCarrierFolder(root: string): Promise<void> {
  await onPath(root, () => mkdir(root, { recursive: true, mode: folderMode }));
  for (const path of [root, ...Object.values(folderNames).map((name) => join(root, name))]) {
    if (await onPath(path, () => prepareFolder(path))) continue;
    throw new Error(`CARRIER_FOLDER: ${path} is not a folder, or a link to one. Move it away and restart.`);
  }
}

type CarrierFolderDeps = { hints: Hints; log: Pick<Log, 'warn'> };

/**
 * Records the events of the files `*.csv` of a folder. A file goes to `done`; one with lines that cannot be taken goes to
 * `rejected`, with a text beside it that lists them, after its other lines were recorded. Returns the number of files.
 * After a crash a file is read again, and what was recorded stays as it is.
 */
export async function takeCarrierFiles(
  root: string,
  { hints, log }: CarrierFolderDeps,
  at: Date,
  signal: AbortSignal,
): Promise<number> {
  let count = 0;
  for await (const file of takeFiles(root, { end: '.csv', maxBytes, onPath })) {
    const problem = await recordFile(file, { hints, at, signal });
    // Names of files may be those of people: they are not logged.
    if (problem !== null) log.warn('carrier file rejected');
    const rejected = {
      toFolder: join(root, folderNames.rejected),
      adviceOn: (name: string) => adviceOn(name, problem ?? ''),
    };
    await moveFile(file.path, {
      ...(problem === null ? { toFolder: join(root, folderNames.done) } : rejected),
      onPath,
    });
    count += 1;
    if (count >= maxCarrierFiles) break;
  }
  return count;
}

/** Returns what is wrong with a file; null for a good one. */
async function recordFile(
  file: DroppedFile,
  context: { hints: Hints; at: Date; signal: AbortSignal },
): Promise<string | null> {
  if ('problem' in file) return `${file.problem}\nNothing in the file was recorded.`;
  const parsed = parseCarrierFile(file.bytes);
  if ('problem' in parsed) return `${parsed.problem}\nNothing in the file was recorded.`;
  const unmatched = await recordCarrierEvents(parsed.lines, context);
  const bad = [...parsed.bad, ...unmatched].sort((one, other) => one.line - other.line);
  return bad.length === 0 ? null : listBad(bad);
}

function listBad(bad: readonly BadLine[]): string {
  const listed = bad.slice(0, maxListed).map(({ line, problem }) => `Line ${line}: ${problem}`);
  const more = bad.length > maxListed ? [`And ${bad.length - maxListed} more lines.`] : [];
  return [...listed, ...more, 'All other lines of the file were recorded.'].join('\n');
}

function adviceOn(name: string, problem: string): string {
  return (
    `What is wrong in ${name}:\n${problem}\n\nWhat to do:\nCorrect these lines and write them to the folder again, in a ` +
    `file with the header ${carrierHeader}: first under a name that ends in .tmp, then rename it so that it ends in ` +
    '.csv.\nLines that were recorded before may be in it: they change nothing.\n'
  );
}

/** Gives errors of the file system the path and what to do. */
async function onPath<T>(path: string, operation: () => Promise<T>): Promise<T> {
  try {
    return await operation();
  } catch (error) {
    const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException;
    if (code === undefined || syscall === undefined) throw error;
    const advice = 'Check that the folder is there, and that the service may read and write it.';
    throw new Error(`CARRIER_FOLDER: ${syscall} of ${path} failed with ${code}. ${advice}`, { cause: error });
  }
}
