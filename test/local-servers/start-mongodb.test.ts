// Level: ci
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startKeeper } from '#scripts/local-servers/keeper/start-keeper.ts';
import { startMongodb } from '#scripts/local-servers/start-mongodb.ts';
import { describe, expect, openOnce, test, useTempFolders } from '../support/jest.ts';

describe('a MongoDB that does not start', () => {
  const makeFolder = useTempFolders();
  const keeper = openOnce(startKeeper);

  /** Creates a data folder, and a `mongod` that prints a line and exits. */
  async function prepare(lastLine: string) {
    const dataDir = await makeFolder();
    await mkdir(join(dataDir, 'run'));
    await mkdir(join(dataDir, 'mongodb'));
    const path = join(dataDir, 'mongod');
    await writeFile(path, `#!/bin/sh\necho '${lastLine}'\nexit 62\n`, { mode: 0o755 });
    return { dataDir, binary: { path, version: '8.2.6' } };
  }

  test('the error for data of another MongoDB version names both versions and the fix', async () => {
    const { dataDir, binary } = await prepare('{"msg":"UPGRADE PROBLEM"}');
    await writeFile(join(dataDir, 'mongodb/WiredTiger'), '');
    await writeFile(join(dataDir, 'run/mongodb.last'), JSON.stringify({ host: '127.0.0.1:1', version: '6.0.5' }));
    const start = startMongodb({ keeper, binary, dataDir, isTest: true });
    await expect(start).rejects.toThrow(
      `The data in ${dataDir} were written by MongoDB 6.0.5, and ${binary.path}, version 8.2.6, cannot open them. ` +
        'Put a mongod 6.0.5 first on PATH, or use an empty folder: DATA_DIR=/path npm start',
    );
  });

  test('the error contains the last output of mongod and the path of its log', async () => {
    const { dataDir, binary } = await prepare('no space left');
    const start = startMongodb({ keeper, binary, dataDir, isTest: true });
    await expect(start).rejects.toThrow(
      `MongoDB ended at once. Its last output:\n  no space left\nFull log: ${dataDir}/logs/mongodb.log`,
    );
  });
});
