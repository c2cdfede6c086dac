import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { startKeeper } from '../../scripts/local-servers/start-keeper.ts';
import { startMongodb } from '../../scripts/local-servers/start-mongodb.ts';
import { useTempFolders } from '../support/temp-folder.ts';

describe('a MongoDB that does not come up', () => {
  const makeFolder = useTempFolders();

  /** A data folder, and a `mongod` that ends at once with these last words. */
  async function prepare(lastWords: string) {
    const dataDir = await makeFolder();
    await mkdir(join(dataDir, 'run'));
    await mkdir(join(dataDir, 'mongodb'));
    const path = join(dataDir, 'mongod');
    await writeFile(path, `#!/bin/sh\necho '${lastWords}'\nexit 62\n`, { mode: 0o755 });
    return { dataDir, binary: { path, version: '8.2.6' } };
  }

  test('given data of another version, when it ends at once, then the message names both versions and what to do', async () => {
    // given
    const { dataDir, binary } = await prepare('{"msg":"UPGRADE PROBLEM"}');
    await writeFile(join(dataDir, 'mongodb/WiredTiger'), '');
    await writeFile(join(dataDir, 'run/mongodb.last'), JSON.stringify({ host: '127.0.0.1:1', version: '6.0.5' }));
    const keeper = await startKeeper();
    // when
    const start = startMongodb({ keeper, binary, dataDir, isTest: true });
    // then
    await expect(start).rejects.toThrow(
      `The data in ${dataDir} were written by MongoDB 6.0.5, and ${binary.path}, version 8.2.6, cannot open them. ` +
        'Put a mongod 6.0.5 first on PATH, or begin anew in another folder: DATA_DIR=/path npm start',
    );
    await keeper.close();
  });

  test('given a fresh folder, when it ends at once, then the message carries its last words and the log file', async () => {
    // given
    const { dataDir, binary } = await prepare('no space left');
    const keeper = await startKeeper();
    // when
    const start = startMongodb({ keeper, binary, dataDir, isTest: true });
    // then
    await expect(start).rejects.toThrow(
      `MongoDB ended at once. Its last words:\n  no space left\nThe whole log: ${dataDir}/logs/mongodb.log`,
    );
    await keeper.close();
  });
});
