import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from '../jest.ts';

/** Returns a function that creates folders, removed after each test. Names contain a space, as real ones do. */
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
