import { constants } from 'node:fs';
import { lstat, open, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { onPath, toHotFolderError, unless } from './hot-folder-error.ts';
import { fileMode, folderNames } from './hot-folder-paths.ts';
import { type PrintResults, parsePrintResults } from './print-results.schema.ts';

/** 20,000 failed items with reasons of 200 characters take 6 MB in ASCII. */
const maxBytes = 8 * 1024 * 1024;

/** A complete file of the folder `results`: what it says, or why it cannot be taken. */
export type ResultFile = { path: string } & ({ results: PrintResults } | { problem: string });

/**
 * Reads the files of `results` whose names end in `.json`, in the order of their names, one after the other. The caller ends
 * each with `settle` or `reject`. After a crash in between a file is read again, so taking results twice must do no harm.
 * Throws a HotFolderError when the folder cannot be read.
 */
export async function* takeResults(root: string): AsyncGenerator<ResultFile> {
  const folder = join(root, folderNames.results);
  const names = await onPath(folder, () => readdir(folder));
  for (const name of names.filter(isComplete).sort()) {
    const path = join(folder, name);
    const file = await onPath(path, () => unless(['ENOENT'], readResultFile(path)));
    if (file) yield { path, ...file };
  }
}

function isComplete(name: string): boolean {
  return name.endsWith('.json') && !name.startsWith('.');
}

/** Moves a file whose results are stored to `results/done`. Does nothing when it is gone. */
export async function settle(path: string): Promise<void> {
  await move(path, folderNames.done);
}

/**
 * Moves a file that cannot be taken to `results/rejected`, with a text beside it for the person at the printer: what is
 * wrong, and what to do. Does nothing when the file is gone.
 */
export async function reject(path: string, problem: string): Promise<void> {
  await move(path, folderNames.rejected, problem);
}

async function move(path: string, toFolder: string, problem?: string): Promise<void> {
  // Only the last part of a name is used: no name leads out of the hot folder.
  const name = shorten(basename(path));
  const folder = resolve(path, '../..', toFolder);
  const newName = await findFreeName(folder, name);
  const target = join(folder, newName);
  if (problem !== undefined) await onPath(target, () => writeAdvice(`${target}.txt`, newName, problem));
  try {
    await rename(path, target);
  } catch (error) {
    const isGone = (await unless(['ENOENT'], lstat(path))) === undefined;
    if (!isGone) throw toHotFolderError(error, target);
    if (problem !== undefined) await rm(`${target}.txt`, { force: true });
  }
}

const maxNameLength = 40;

/** A file system takes names of 255 bytes, and the name gets longer here. */
function shorten(name: string): string {
  const characters = [...name.replace(/\.json$/, '')];
  return characters.length <= maxNameLength ? name : `${characters.slice(0, maxNameLength).join('')}.json`;
}

/** Returns the name, with a number in front of its end if a file of that name is there: a rename would replace it. */
async function findFreeName(folder: string, name: string): Promise<string> {
  for (let number = 1; ; number += 1) {
    const free = number === 1 ? name : name.replace(/\.json$/, `.${number}.json`);
    const path = join(folder, free);
    if ((await onPath(path, () => unless(['ENOENT'], lstat(path)))) === undefined) return free;
  }
}

const maxProblemLength = 1_000;

async function writeAdvice(path: string, name: string, problem: string): Promise<void> {
  // Parts of the file may be in the problem.
  const said = problem.replaceAll(/[^\P{Cc}\n]/gu, ' ').slice(0, maxProblemLength);
  const text =
    `${name} was not taken. Nothing in it was stored.\n\nWhat is wrong:\n${said}\n\nWhat to do:\n` +
    'Correct the file and write it to the folder results again: first under a name that ends in .tmp, then rename it so ' +
    'that it ends in .json.\nThe format is described in print-results.schema.json of the documentation.\n';
  // A link at this path would otherwise be followed.
  await rm(path, { force: true });
  await writeFile(path, text, { flag: 'wx', mode: fileMode });
}

async function readResultFile(path: string): Promise<{ results: PrintResults } | { problem: string } | undefined> {
  const bytes = await readRegularFile(path);
  if (bytes === undefined) return undefined;
  if (typeof bytes === 'string') return { problem: bytes };
  let value: unknown;
  try {
    // Drops a byte order mark.
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    const isText = error instanceof SyntaxError;
    return {
      problem: isText
        ? 'The file is not complete JSON. Perhaps it was read while it was being written.'
        : 'The file is not text in UTF-8.',
    };
  }
  return parsePrintResults(value);
}

const notAFile = 'It is a link, a folder or a device. Only plain files are read.';
const unreadable = 'The service may not read it. Give it permission to read.';
const problemsOfOpening: Record<string, string> = {
  ELOOP: notAFile,
  EMLINK: notAFile,
  ENXIO: notAFile,
  EACCES: unreadable,
  EPERM: unreadable,
};

/** Returns the content of a file, or why it is not read. Undefined when it grows: it is read later. */
async function readRegularFile(path: string): Promise<Buffer | string | undefined> {
  // Without O_NONBLOCK, opening a named pipe waits for a writer.
  const flags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
  const file = await open(path, flags).catch((error: NodeJS.ErrnoException) => {
    const problem = problemsOfOpening[error.code ?? ''];
    if (problem === undefined) throw error;
    return problem;
  });
  if (typeof file === 'string') return file;
  try {
    const stats = await file.stat();
    if (!stats.isFile()) return notAFile;
    if (stats.size > maxBytes) return `The file is larger than ${maxBytes} bytes.`;
    // It may have grown since.
    const buffer = Buffer.allocUnsafe(stats.size + 1);
    let length = 0;
    for (let read = -1; read !== 0 && length < buffer.length; length += read) {
      read = (await file.read(buffer, length, buffer.length - length, length)).bytesRead;
    }
    return length > stats.size ? undefined : buffer.subarray(0, length);
  } finally {
    await file.close();
  }
}
