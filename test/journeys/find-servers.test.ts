import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { findMongodb } from '../../scripts/local-servers/find-mongodb.ts';
import { findRedis } from '../../scripts/local-servers/find-redis.ts';
import { useTempFolders } from '../support/temp-folder.ts';

const report = () => {};

describe('finding the servers', () => {
  const makeFolder = useTempFolders();

  test.each([
    ['MongoDB', findMongodb, 'there is no mongod on PATH'],
    ['Redis', findRedis, 'there is no redis-server on PATH'],
  ])(
    'given no %s on the machine and no downloads, when it is looked for, then the message names every way out',
    async (name, find, problem) => {
      // given
      const empty = await makeFolder();
      // when
      const search = find({ environment: { PATH: empty, XDG_CACHE_HOME: empty }, allowDownload: false, report });
      // then
      const error = await search.catch((failure: Error) => failure);
      expect(error).toMatchObject({ name: 'OperatorError' });
      const { message } = error as Error;
      expect(message).toContain(`${name} was not found on this machine and could not be brought`);
      expect(message).toContain(problem);
      for (const way of ['Debian, Ubuntu:', 'macOS:', 'Docker:', 'npm start']) expect(message).toContain(way);
    },
  );

  test('given a damaged program in the cache, when it is looked for, then it is not used', async () => {
    // given
    const folder = await makeFolder();
    await mkdir(join(folder, 'bluejay/redis-6.2.14'), { recursive: true });
    await writeFile(join(folder, 'bluejay/redis-6.2.14/redis-server'), '\x7fELF half a file', { mode: 0o755 });
    // when
    const search = findRedis({ environment: { PATH: '', XDG_CACHE_HOME: folder }, allowDownload: false, report });
    // then
    await expect(search).rejects.toThrow('nothing usable is in the cache');
  });

  test('given a program on PATH that is too old, when it is looked for, then the message says so', async () => {
    // given
    const folder = await makeFolder();
    const script = '#!/bin/sh\necho "Redis server v=5.0.14 sha=0:0 malloc=libc bits=64 build=0"\n';
    await writeFile(join(folder, 'redis-server'), script, { mode: 0o755 });
    // when
    const search = findRedis({ environment: { PATH: folder, XDG_CACHE_HOME: folder }, allowDownload: false, report });
    // then
    await expect(search).rejects.toThrow('is version 5.0.14, older than 6.2');
  });

  test('given a program on PATH that lacks a library, when it is looked for, then the message names the library', async () => {
    // given
    const folder = await makeFolder();
    const script =
      '#!/bin/sh\necho "mongod: error while loading shared libraries: libcurl.so.4: cannot open shared object file" >&2\nexit 127\n';
    await writeFile(join(folder, 'mongod'), script, { mode: 0o755 });
    // when
    const search = findMongodb({ environment: { PATH: folder, XDG_CACHE_HOME: folder }, allowDownload: false, report });
    // then
    await expect(search).rejects.toThrow(
      /needs libcurl\.so\.4, which this machine lacks[\s\S]*apt-get install .*libcurl4/,
    );
  });
});
