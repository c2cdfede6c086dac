import { join, resolve } from 'node:path';
import { moveFile } from '#common/platform/drop-folder/move-file.ts';
import { takeFiles } from '#common/platform/drop-folder/take-files.ts';
import { onPath } from './hot-folder-error.ts';
import { folderNames } from './hot-folder-paths.ts';
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
  for await (const file of takeFiles(join(root, folderNames.results), { end: '.json', maxBytes, onPath })) {
    yield 'problem' in file ? file : { path: file.path, ...parseResultFile(file.bytes) };
  }
}

/** Moves a file whose results are stored to `results/done`. Does nothing when it is gone. */
export async function settle(path: string): Promise<void> {
  await moveFile(path, { toFolder: resolve(path, '../..', folderNames.done), onPath });
}

const maxProblemLength = 1_000;

/**
 * Moves a file that cannot be taken to `results/rejected`, with a text beside it for the person at the printer: what is
 * wrong, and what to do. Does nothing when the file is gone.
 */
export async function reject(path: string, problem: string): Promise<void> {
  const adviceOn = (name: string) =>
    `${name} was not taken. Nothing in it was stored.\n\nWhat is wrong:\n${problem.slice(0, maxProblemLength)}\n\n` +
    'What to do:\nCorrect the file and write it to the folder results again: first under a name that ends in .tmp, then ' +
    'rename it so that it ends in .json.\nThe format is described in print-results.schema.json of the documentation.\n';
  await moveFile(path, { toFolder: resolve(path, '../..', folderNames.rejected), adviceOn, onPath });
}

function parseResultFile(bytes: Buffer): { results: PrintResults } | { problem: string } {
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
