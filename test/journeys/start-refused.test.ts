import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from '@jest/globals';
import { killStartedPrograms, startNode } from '../support/process-control.ts';
import { findServicePorts, newcomersEnvironment } from '../support/service-process.ts';
import { useTempFolders } from '../support/temp-folder.ts';

const program = join(import.meta.dirname, '../../scripts/start.ts');
const servers: Server[] = [];

/** Runs the start to its end; without PATH, since none of these may get as far as needing a program. */
async function run(variables: Record<string, string | undefined>, options: string[] = []) {
  const started = startNode([program, '--no-demo', ...options], {
    environment: newcomersEnvironment({ PATH: '', ...variables }),
  });
  const exitCode = await started.ended;
  return { exitCode, output: started.output() };
}

async function occupy(): Promise<number> {
  const server = createServer();
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, () => resolve()));
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

describe('a start that cannot be', () => {
  const makeFolder = useTempFolders();
  afterEach(async () => {
    for (const server of servers.splice(0)) server.close();
    await killStartedPrograms();
  });

  test.each([
    ['PORT', 'API'],
    ['WEB_PORT', 'web host'],
    ['METRICS_PORT', 'metrics of the API'],
  ])(
    'given %s in use, when it is started, then one sentence names port, variable and an example',
    async (variable, purpose) => {
      // given
      const port = await occupy();
      const variables = { DATA_DIR: await makeFolder(), ...(await findServicePorts()), [variable]: `${port}` };
      // when
      const { exitCode, output } = await run(variables);
      // then
      expect(exitCode).toBe(1);
      expect(output).toMatch(
        new RegExp(
          `^Port ${port} \\(${purpose}\\) is in use by another program\\. Stop what uses it, or choose another: ${variable}=\\d+ npm start\\n$`,
        ),
      );
    },
  );

  test('given two variables that do not fit, when it is started, then both are named and nothing else is said', async () => {
    // given
    const variables = { DATA_DIR: await makeFolder(), PORT: '70000', REDIS_URL: 'localhost:6379' };
    // when
    const { exitCode, output } = await run(variables);
    // then
    expect(exitCode).toBe(1);
    expect(output.trimEnd().split('\n')).toEqual([
      expect.stringContaining('The environment'),
      expect.stringMatching(/^ {2}PORT: /),
      '  REDIS_URL: must start with redis:// or rediss://',
      'Every variable is explained in .env.example.',
    ]);
  });

  test('given a machine without servers, when it is started without downloads, then the ways out are named', async () => {
    // given
    const folder = await makeFolder();
    const variables = { DATA_DIR: folder, XDG_CACHE_HOME: folder, ...(await findServicePorts()) };
    // when
    const { exitCode, output } = await run(variables, ['--no-download']);
    // then
    expect(exitCode).toBe(1);
    expect(output).toMatch(/^(MongoDB|Redis) was not found on this machine and could not be brought:$/m);
    for (const way of ['Debian, Ubuntu:', 'macOS:', 'Docker:']) expect(output).toContain(way);
    expect(output).not.toMatch(/^ +at /m);
  });

  test('given a folder that already serves, when it is started again, then one sentence says so', async () => {
    // given
    const folder = await makeFolder();
    const claimant = startNode([join(import.meta.dirname, '../support/claim.program.ts'), folder]);
    await claimant.waitForLine(/^claimed$/, { withinMs: 10_000 });
    // when
    const { exitCode, output } = await run({ DATA_DIR: folder, ...(await findServicePorts()) });
    // then
    expect(exitCode).toBe(1);
    expect(output).toMatch(/^Bluejay already runs on .* \(process \d+\)\. Stop it first, or .*\n$/);
  });

  test('given an option that does not exist, when it is started, then it says so', async () => {
    // when
    const { exitCode, output } = await run({}, ['--no-deom']);
    // then
    expect(exitCode).toBe(1);
    expect(output).toContain("unknown option '--no-deom'");
  });
});
