import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { claimDataDir } from '../../scripts/local-servers/claim-data-dir.ts';
import { writeRunningEnvironment } from '../../scripts/local-servers/running-environment.ts';
import { useAdmin } from '../support/admin.ts';
import { killStartedPrograms, startNode, startProgram } from '../support/process-control.ts';
import { useTempFolders } from '../support/temp-folder.ts';

const root = join(import.meta.dirname, '../..');
const bare = { PATH: process.env.PATH, HOME: process.env.HOME };

describe('the stores that an administration command works on', () => {
  const admin = useAdmin();
  const makeFolder = useTempFolders();
  afterEach(killStartedPrograms);

  function present(environment: Record<string, string | undefined>): Record<string, string> {
    return Object.fromEntries(
      Object.entries(environment).filter((entry): entry is [string, string] => entry[1] !== undefined),
    );
  }

  test('given no variables and no npm start, when a command is run, then one sentence says what to do', async () => {
    const environment = { ...bare, DATA_DIR: join(await makeFolder(), 'data') };
    const program = startNode([join(root, 'scripts/admin.ts'), 'tariff', 'list', '--json'], { environment });
    expect(await program.ended).toBe(1);
    expect(program.standardOutput()).toBe('');
    expect(program.output()).toBe(
      `No npm start runs on ${environment.DATA_DIR}, and MONGODB_URI is not set: start it, or name the stores in the environment.\n`,
    );
  });

  test('given an npm start on DATA_DIR, when a command is run by npm there, then it works on its stores', async () => {
    await admin.get('migrate');
    const dataDir = join(await makeFolder(), 'data');
    const claim = await claimDataDir(dataDir);
    await writeRunningEnvironment(dataDir, present(admin.environment));
    const run = (variables: Record<string, string>) =>
      startProgram('npm', ['run', '--silent', 'admin', '--', 'tariff', 'list', '--json'], {
        environment: { ...bare, DATA_DIR: dataDir, ...variables },
        cwd: root,
      });
    const program = run({});
    expect(await program.ended).toBe(0);
    expect(program.standardOutput()).toBe('[]\n');

    // Another database than that of the npm start: its other stores are not this one's.
    const other = run({ MONGODB_URI: 'mongodb://127.0.0.1:1/other' });
    expect(await other.ended).toBe(1);
    expect(other.output()).toContain('  REDIS_URL: is missing\n');
    claim.release();
  });

  test('given a database that does not answer, when a command is run, then one sentence names it', async () => {
    const environment = {
      ...process.env,
      ...admin.environment,
      MONGODB_URI: 'mongodb://127.0.0.1:1/x',
    };
    const program = startNode([join(root, 'scripts/admin.ts'), 'tariff', 'list', '--json'], { environment });
    expect(await program.ended).toBe(1);
    expect(program.output()).toBe(
      'MongoDB does not answer at the address in MONGODB_URI: start it or correct the address, then try again.\n',
    );
  });
});
