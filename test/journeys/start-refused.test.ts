// Level: ci
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { ConfigError } from '#common/config/config-error.ts';
import { OperatorError } from '#scripts/program/operator-error.ts';
import { runService } from '#scripts/supervisor/run-service.ts';
import { afterEach, describe, expect, test, useTempFolders } from '../support/jest.ts';
import { killStartedPrograms, startNode } from '../support/processes/process-control.ts';
import { findServicePorts, newcomersEnvironment } from '../support/product/service-process.ts';

const program = join(import.meta.dirname, '../../scripts/start.ts');
const servers: Server[] = [];

/** Runs `npm start` to its end. PATH is empty, because none of these starts may run a program. */
async function runProcess(variables: Record<string, string | undefined>, options: string[] = []) {
  const started = startNode([program, '--no-demo', ...options], {
    environment: newcomersEnvironment({ PATH: '', ...variables }),
  });
  const exitCode = await started.ended;
  return { exitCode, output: started.output() };
}

/** Returns the message with which a start is refused: that of an error whose message alone `npm start` prints. */
async function refusalOf(given: { DATA_DIR: string } & Record<string, string>, allowDownload = true): Promise<string> {
  const held = new AsyncDisposableStack();
  const start = runService({ given: { PATH: '', ...given }, dataDir: given.DATA_DIR, allowDownload }, held);
  const error = await start
    .then(
      () => new Error('it is not refused'),
      (reason: unknown) => reason,
    )
    .finally(() => held.disposeAsync());
  if (error instanceof OperatorError || error instanceof ConfigError) return error.message;
  throw error;
}

async function occupy(): Promise<number> {
  const server = createServer();
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, () => resolve()));
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

describe('a start that is refused', () => {
  const makeFolder = useTempFolders();
  afterEach(async () => {
    for (const server of servers.splice(0)) server.close();
    await killStartedPrograms();
  });

  test.each([
    ['PORT', 'API'],
    ['WEB_PORT', 'web host'],
    ['METRICS_PORT', 'metrics of the API'],
  ])('%s in use is reported in one sentence with port, variable and an example', async (variable, purpose) => {
    const port = await occupy();
    const variables = { DATA_DIR: await makeFolder(), ...(await findServicePorts()), [variable]: `${port}` };
    expect(await refusalOf(variables)).toMatch(
      new RegExp(
        `^Port ${port} \\(${purpose}\\) is in use by another program\\. Stop what uses it, or choose another: ${variable}=\\d+ npm start$`,
      ),
    );
  });

  test('two invalid variables are both named, and nothing else is printed', async () => {
    const variables = { DATA_DIR: await makeFolder(), PORT: '70000', REDIS_URL: 'localhost:6379' };
    const { exitCode, output } = await runProcess(variables);
    expect(exitCode).toBe(1);
    expect(output.trimEnd().split('\n')).toEqual([
      expect.stringContaining('Invalid environment variables'),
      expect.stringMatching(/^ {2}PORT: /),
      '  REDIS_URL: must start with redis:// or rediss://',
      'Every variable is explained in .env.example.',
    ]);
  });

  test.each([
    ['cannot be read', '/does/not/exist', 'the file cannot be read (ENOENT)'],
    ['is empty', '/dev/null', 'the file is empty'],
  ])('a secret file that %s stops the start instead of starting a local server', async (_, path, message) => {
    const variables = { DATA_DIR: await makeFolder(), MONGODB_URI_FILE: path, REDIS_URL_FILE: path };
    expect(await runProcess(variables)).toEqual({
      exitCode: 1,
      output:
        `Invalid environment variables:\n  MONGODB_URI_FILE: ${message}\n  REDIS_URL_FILE: ${message}\n` +
        'Every variable is explained in .env.example.\n',
    });
  });

  test('without servers and downloads the error lists how to install them', async () => {
    const folder = await makeFolder();
    const variables = { DATA_DIR: folder, XDG_CACHE_HOME: folder, ...(await findServicePorts()) };
    const message = await refusalOf(variables, false);
    expect(message).toMatch(/^(MongoDB|Redis) was not found on this machine and could not be downloaded:$/m);
    for (const way of ['Debian, Ubuntu:', 'macOS:', 'Docker:']) expect(message).toContain(way);
  });

  test('a second start on the same folder is refused in one sentence', async () => {
    const folder = await makeFolder();
    const claimant = startNode([join(import.meta.dirname, '../support/processes/claim.program.ts'), folder]);
    await claimant.waitForLine(/^claimed$/);
    const message = await refusalOf({ DATA_DIR: folder, ...(await findServicePorts()) });
    expect(message).toMatch(/^Bluejay already runs on .* \(process \d+\)\. Stop it first, or .*$/);
  });

  test('an unknown option is reported', async () => {
    const { exitCode, output } = await runProcess({}, ['--no-deom']);
    expect(exitCode).toBe(1);
    expect(output).toContain("unknown option '--no-deom'");
  });
});
