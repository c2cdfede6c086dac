// Level: push
import { join } from 'node:path';
import { claimDataDir } from '#scripts/local-servers/claim-data-dir.ts';
import { writeRunningEnvironment } from '#scripts/local-servers/running-environment.ts';
import { afterEach, describe, expect, test, useTempFolders } from '../support/jest.ts';
import { killStartedPrograms, startNode, startProgram } from '../support/processes/process-control.ts';
import { useAdmin } from '../support/wallet/admin.ts';

const root = join(import.meta.dirname, '../..');
const bare = { PATH: process.env.PATH, HOME: process.env.HOME };

describe('the stores that an administration command works on', () => {
  const admin = useAdmin();
  const makeFolder = useTempFolders();
  afterEach(killStartedPrograms);

  const listTariffs = (environment: Record<string, string | undefined>) =>
    startNode([join(root, 'scripts/admin.ts'), 'tariff', 'list', '--json'], { environment });

  test('without variables and npm start, one sentence says what to do', async () => {
    const environment = { ...bare, DATA_DIR: join(await makeFolder(), 'data') };
    const program = listTariffs(environment);
    expect(await program.ended).toBe(1);
    expect(program.standardOutput()).toBe('');
    expect(program.output()).toBe(
      `No npm start runs on ${environment.DATA_DIR}, and MONGODB_URI is not set: start it, or name the stores in the environment.\n`,
    );
  });

  test('an unreadable secret file is named, and no other stores are used instead', async () => {
    const environment = { ...bare, DATA_DIR: join(await makeFolder(), 'data'), MONGODB_URI_FILE: '/does/not/exist' };
    const program = listTariffs(environment);
    expect(await program.ended).toBe(1);
    expect(program.output()).toContain('  MONGODB_URI_FILE: the file cannot be read (ENOENT)\n');
  });

  test('an npm command with the DATA_DIR of an npm start uses its stores', async () => {
    await admin.get('migrate');
    const dataDir = join(await makeFolder(), 'data');
    const claim = await claimDataDir(dataDir);
    await writeRunningEnvironment(dataDir, admin.environment as Record<string, string>);
    const run = (variables: Record<string, string>) =>
      startProgram('npm', ['run', '--silent', 'admin', '--', 'tariff', 'list', '--json'], {
        environment: { ...bare, DATA_DIR: dataDir, ...variables },
        cwd: root,
      });
    const program = run({});
    expect(await program.ended).toBe(0);
    expect(program.standardOutput()).toBe('[]\n');

    // A different database than that of the npm start must not use its other stores.
    const other = run({ MONGODB_URI: 'mongodb://127.0.0.1:1/other' });
    expect(await other.ended).toBe(1);
    expect(other.output()).toContain('  REDIS_URL: is missing\n');
    claim.release();
  });

  test('an unreachable database is named in one sentence', async () => {
    const program = listTariffs({ ...process.env, ...admin.environment, MONGODB_URI: 'mongodb://127.0.0.1:1/x' });
    expect(await program.ended).toBe(1);
    expect(program.output()).toBe(
      'MongoDB does not answer at the address in MONGODB_URI: start it or correct the address, then try again.\n',
    );
  });
});
