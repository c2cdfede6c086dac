import { lstat, rename, rm, writeFile } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { ignoreErrors } from './ignore-errors.ts';
import { fileMode } from './prepare-folder.ts';
import type { OnPath } from './take-files.ts';

export type FileMove = {
  toFolder: string;
  /** Returns a text for the person who wrote the file, which is written beside it as `<name>.txt`. */
  adviceOn?: (name: string) => string;
  onPath: OnPath;
};

/**
 * Moves a file that is done with to another folder of the same file system, under a name that is free there. Does nothing
 * when the file is gone.
 */
export async function moveFile(path: string, { toFolder, adviceOn, onPath }: FileMove): Promise<void> {
  // Only the last part of a name is used: no name leads out of the folder.
  const name = await findFreeName(toFolder, shorten(basename(path)), onPath);
  const target = join(toFolder, name);
  if (adviceOn) await onPath(target, () => writeAdvice(`${target}.txt`, adviceOn(name)));
  try {
    await rename(path, target);
  } catch (error) {
    const isGone = (await ignoreErrors(['ENOENT'], lstat(path))) === undefined;
    if (!isGone) await onPath(target, () => Promise.reject(error));
    // Another process may have moved it under the same name: the text is then the one beside it.
    const isThere = (await ignoreErrors(['ENOENT'], lstat(target))) !== undefined;
    if (adviceOn && !isThere) await rm(`${target}.txt`, { force: true });
  }
}

const maxNameLength = 40;

/** A file system takes names of 255 bytes, and the name gets longer here. */
function shorten(name: string): string {
  const end = extname(name);
  const characters = [...name.slice(0, name.length - end.length)];
  return characters.length <= maxNameLength ? name : `${characters.slice(0, maxNameLength).join('')}${end}`;
}

/** Returns the name, with a number in front of its end if a file of that name is there: a rename would replace it. */
async function findFreeName(folder: string, name: string, onPath: OnPath): Promise<string> {
  const end = extname(name);
  for (let number = 1; ; number += 1) {
    const free = number === 1 ? name : `${name.slice(0, name.length - end.length)}.${number}${end}`;
    const path = join(folder, free);
    if ((await onPath(path, () => ignoreErrors(['ENOENT'], lstat(path)))) === undefined) return free;
  }
}

async function writeAdvice(path: string, text: string): Promise<void> {
  // Parts of the file may be in the text.
  const said = text.replaceAll(/[^\P{Cc}\n]/gu, ' ');
  // A link at this path would otherwise be followed.
  await rm(path, { force: true });
  await writeFile(path, said, { flag: 'wx', mode: fileMode });
}
