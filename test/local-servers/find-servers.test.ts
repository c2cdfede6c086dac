// Level: unit
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findMongodb } from '#scripts/local-servers/binaries/find-mongodb.ts';
import { findRedis } from '#scripts/local-servers/binaries/find-redis.ts';
import { describe, expect, test, useTempFolders } from '../support/jest.ts';

const report = () => {};

describe('the search for the servers', () => {
  const makeFolder = useTempFolders();

  test.each([
    ['MongoDB', findMongodb, 'there is no mongod on PATH'],
    ['Redis', findRedis, 'there is no redis-server on PATH'],
  ])(
    'without %s on the machine and without downloads, the error lists every way to get it',
    async (name, find, problem) => {
      const empty = await makeFolder();
      const search = find({ environment: { PATH: empty, XDG_CACHE_HOME: empty }, allowDownload: false, report });
      const error = await search.catch((failure: Error) => failure);
      expect(error).toMatchObject({ name: 'OperatorError' });
      const { message } = error as Error;
      expect(message).toContain(`${name} was not found on this machine and could not be downloaded`);
      expect(message).toContain(problem);
      for (const way of ['Debian, Ubuntu:', 'macOS:', 'Docker:', 'npm start']) expect(message).toContain(way);
    },
  );

  test('a damaged program in the cache is not used', async () => {
    const folder = await makeFolder();
    await mkdir(join(folder, 'bluejay/redis-6.2.14'), { recursive: true });
    await writeFile(join(folder, 'bluejay/redis-6.2.14/redis-server'), '\x7fELF half a file', { mode: 0o755 });
    const search = findRedis({ environment: { PATH: '', XDG_CACHE_HOME: folder }, allowDownload: false, report });
    await expect(search).rejects.toThrow('nothing usable is in the cache');
  });

  test('the error for a program on PATH that is too old names both versions', async () => {
    const folder = await makeFolder();
    const script = '#!/bin/sh\necho "Redis server v=5.0.14 sha=0:0 malloc=libc bits=64 build=0"\n';
    await writeFile(join(folder, 'redis-server'), script, { mode: 0o755 });
    const search = findRedis({ environment: { PATH: folder, XDG_CACHE_HOME: folder }, allowDownload: false, report });
    await expect(search).rejects.toThrow('is version 5.0.14, older than 6.2');
  });

  test('the error for a program on PATH that lacks a library names the library', async () => {
    const folder = await makeFolder();
    const script =
      '#!/bin/sh\necho "mongod: error while loading shared libraries: libcurl.so.4: cannot open shared object file" >&2\nexit 127\n';
    await writeFile(join(folder, 'mongod'), script, { mode: 0o755 });
    const search = findMongodb({ environment: { PATH: folder, XDG_CACHE_HOME: folder }, allowDownload: false, report });
    await expect(search).rejects.toThrow(
      /needs libcurl\.so\.4, which this machine lacks[\s\S]*apt-get install .*libcurl4/,
    );
  });
});
