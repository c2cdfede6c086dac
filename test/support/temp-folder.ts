import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from '@jest/globals';

/** Folders for one test each, removed after it. The name has a space, since real folders do. */
export function useTempFolders(): () => Promise<string> {
  const folders: string[] = [];
  afterEach(async () => {
    await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true, maxRetries: 5 })));
  });
  return async () => {
    const folder = await mkdtemp(join(tmpdir(), 'bluejay test '));
    folders.push(folder);
    return folder;
  };
}
