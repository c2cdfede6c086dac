// Level: ci
import { join } from 'node:path';
import { claimDataDir } from '#scripts/local-servers/claim-data-dir.ts';
import { writeRunningEnvironment } from '#scripts/local-servers/running-environment.ts';
import { afterEach, describe, expect, test, useTempFolders } from '../support/jest.ts';
import { killStartedPrograms, startAdmin, startProgram } from '../support/processes/process-control.ts';
import { runCommandLine, useAdmin } from '../support/wallet/admin.ts';

const root = join(import.meta.dirname, '../..');
const bare = { PATH: process.env.PATH, HOME: process.env.HOME };

describe('the stores that an administration command works on', () => {
  const admin = useAdmin();
  const makeFolder = useTempFolders();
  afterEach(killStartedPrograms);

  const listTariffs = (environment: Record<string, string | undefined>) =>
    runCommandLine(['tariff', 'list', '--json'], { environment });

  test('without variables and npm start, one sentence says what to do', async () => {
    const environment = { ...bare, DATA_DIR: join(await makeFolder(), 'data') };
    const program = startAdmin(['tariff', 'list', '--json'], environment);
    expect(await program.ended).toBe(1);
    expect(program.standardOutput()).toBe('');
    expect(program.output()).toBe(
      `No npm start runs on ${environment.DATA_DIR}, and MONGODB_URI is not set: start it, or name the stores in the environment.\n`,
    );
  });

  test('an unreadable secret file is named, and no other stores are used instead', async () => {
    const environment = { ...bare, DATA_DIR: join(await makeFolder(), 'data'), MONGODB_URI_FILE: '/does/not/exist' };
    expect(await listTariffs(environment)).toMatchObject({
      ...{ code: 1, stdout: '' },
      stderr: expect.stringContaining('  MONGODB_URI_FILE: the file cannot be read (ENOENT)\n'),
    });
  });

  test('an npm command with the DATA_DIR of an npm start uses its stores', async () => {
    await admin.get('migrate');
    const dataDir = join(await makeFolder(), 'data');
    const claim = await claimDataDir(dataDir);
    await writeRunningEnvironment(dataDir, admin.environment as Record<string, string>);
    const environment = { ...bare, DATA_DIR: dataDir };
    const words = ['run', '--silent', 'admin', '--', 'requeue', 'cleanup', '--json'];
    const program = startProgram('npm', words, { environment, cwd: root });
    expect(await program.ended).toBe(0);
    const nothing = { queue: 'cleanup', organizationId: null, count: 0 };
    expect([program.standardOutput(), program.output()]).toEqual(Array(2).fill(`${JSON.stringify(nothing)}\n`));

    // A different database than that of the npm start must not use its other stores.
    const other = await listTariffs({ ...environment, MONGODB_URI: 'mongodb://127.0.0.1:1/other' });
    expect(other).toMatchObject({ code: 1, stderr: expect.stringContaining('  REDIS_URL: is missing\n') });
    claim.release();
  });

  test('an unreachable database is named in one sentence', async () => {
    expect(await listTariffs({ ...admin.environment, MONGODB_URI: 'mongodb://127.0.0.1:1/x' })).toMatchObject({
      ...{ code: 1, stdout: '' },
      stderr:
        'MongoDB does not answer at the address in MONGODB_URI: start it or correct the address, then try again.\n',
    });
  });
});
