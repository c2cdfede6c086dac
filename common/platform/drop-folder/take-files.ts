import { constants } from 'node:fs';
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { ignoreErrors } from './ignore-errors.ts';

/** Runs an operation on a path, and describes its errors of the file system. */
export type OnPath = <T>(path: string, operation: () => Promise<T>) => Promise<T>;

/** A complete file of a drop folder: its content, or why it cannot be read. */
export type DroppedFile = { path: string } & ({ bytes: Buffer } | { problem: string });

/**
 * Reads the files of a drop folder whose names end in `end`, in the order of their names, one after the other. Writers
 * write under another name and then rename the file. Hidden files are left alone, and links are not followed. The caller
 * ends each file with `moveFile`: until then it is read again.
 */
export async function* takeFiles(
  folder: string,
  { end, maxBytes, onPath }: { end: string; maxBytes: number; onPath: OnPath },
): AsyncGenerator<DroppedFile> {
  const names = await onPath(folder, () => readdir(folder));
  for (const name of names.filter((each) => each.endsWith(end) && !each.startsWith('.')).sort()) {
    const path = join(folder, name);
    const content = await onPath(path, () => ignoreErrors(['ENOENT'], readRegularFile(path, maxBytes)));
    if (content === undefined) continue;
    yield typeof content === 'string' ? { path, problem: content } : { path, bytes: content };
  }
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
async function readRegularFile(path: string, maxBytes: number): Promise<Buffer | string | undefined> {
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
