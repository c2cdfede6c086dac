// Level: ci
import { randomBytes } from 'node:crypto';
import { copyFile, readdir } from 'node:fs/promises';
import { join, parse } from 'node:path';
import { afterEach, describe, expect, openOnce, test, testWithPrograms } from '../support/jest.ts';
import { killStartedPrograms, startProgram } from '../support/processes/process-control.ts';
import { anApplication } from '../support/product/application.ts';
import { startWorld } from '../support/product/world.ts';
import { root } from '../support/project/markdown.ts';
import { installSdkPackage } from '../support/sdk/install-sdk-package.ts';
import { installPythonSdk, pythonWithHttpx, testWithPython } from '../support/sdk/python.ts';

/** What each program of the guides prints. */
const printed: Record<string, RegExp> = {
  'send-letter': /^mj_\w+ is queued, for \d+ cents\ndelivered\n$/,
  'check-letter': /^It can be printed\.\n$/,
  'use-template': /^mj_\w+ is queued, 1 page\n$/,
  'send-list': /^2 of 2 rows are valid\n2 letters\n$/,
  'create-webhook': /^wh_\w+ whsec_\S+\n$/,
  'read-wallet': /^\d+ cents\n(?:\d+ (?:top_up|debit) -?\d+\n)+$/,
  'read-report': /^\d{4}-\d\d-\d\d to \d{4}-\d\d-\d\d: \d+ cents\n$/,
};

/** The programs in TypeScript import the package as its users do. */
const sdk = openOnce(async () => {
  const installed = await installSdkPackage();
  const folder = join(root, 'scripts/examples/typescript');
  for (const file of await readdir(folder)) await copyFile(join(folder, file), join(installed.folder, file));
  return { ...installed, close: installed.remove };
});

/** Those in Python import the modules of the wheel. */
const pythonSdk = openOnce(async () => {
  const installed = await installPythonSdk();
  return { ...installed, close: installed.remove };
});

/** How the programs of a language are started, and `test` if that is possible. */
const languages = {
  typescript: {
    testHere: testWithPrograms('npm'),
    variables: () => ({}),
    refusal: /AuthenticationError/,
    commandOf: (name: string) => [process.execPath, join(sdk.folder, `${name}.ts`)],
  },
  python: {
    testHere: testWithPython,
    variables: () => ({ PYTHONPATH: pythonSdk.modules, PYTHONDONTWRITEBYTECODE: '1' }),
    refusal: /AuthenticationError: UNAUTHORIZED: .*\/docs\/errors\/UNAUTHORIZED/,
    commandOf: (name: string) => [pythonWithHttpx(), `scripts/examples/python/${name}.py`],
  },
  php: {
    testHere: testWithPrograms('php'),
    variables: () => ({}),
    refusal: /UNAUTHORIZED: .*\/docs\/errors\/UNAUTHORIZED/,
    commandOf: (name: string) => ['php', `scripts/examples/php/${name}.php`],
  },
} as const;

test('each task has a program in each language', async () => {
  for (const language of Object.keys(languages)) {
    const files = await readdir(join(root, 'scripts/examples', language));
    const tasks = files.map((file) => parse(file).name).filter((name) => name !== 'client');
    expect([language, tasks.toSorted()]).toEqual([language, [...Object.keys(printed), 'refresh-token'].toSorted()]);
  }
});

describe.each(Object.entries(languages))(
  'the programs of the guides in %s',
  (_language, { testHere, variables, commandOf, refusal }) => {
    const world = startWorld({ hasWorkers: true, environment: { WEBHOOK_ALLOW_LOOPBACK: 'true' } });
    const customer = openOnce(() => world.customer({ mode: 'test' }));
    afterEach(killStartedPrograms);

    async function run(name: string, environment: Record<string, string> = {}) {
      const [command = '', ...args] = commandOf(name);
      const started = startProgram(command, args, {
        cwd: root,
        environment: { BLUEJAY_URL: world.url, BLUEJAY_API_KEY: customer.key, ...variables(), ...environment },
      });
      return { code: await started.ended, output: started.standardOutput(), all: started.output() };
    }

    for (const [name, expected] of Object.entries(printed)) {
      testHere(`${name} prints what it promises`, async () => {
        const { code, output, all } = await run(name);
        expect([code, output, all]).toEqual([0, expect.stringMatching(expected), expect.any(String)]);
      });
    }

    testHere('refresh-token gets new tokens, and says why it gets none', async () => {
      const application = await anApplication(world);
      const tokens = await application.authorize({ scopes: ['read'] });
      const environment = { BLUEJAY_CLIENT_ID: application.clientId, BLUEJAY_CLIENT_SECRET: application.secret };
      const refresh = (token: string) => run('refresh-token', { ...environment, BLUEJAY_REFRESH_TOKEN: token });
      expect(await refresh(tokens.refresh_token)).toMatchObject({ code: 0, output: '200 Bearer read\n' });
      const refused = await refresh('bjr_no');
      expect([refused.code === 0, refused.all]).toEqual([false, expect.stringContaining('invalid_grant')]);
    });

    testHere('a refused request ends with its code, its message and its page', async () => {
      const { code, all } = await run('read-wallet', { BLUEJAY_API_KEY: `bjk_test${randomBytes(4).toString('hex')}` });
      expect(code).not.toBe(0);
      expect(all).toMatch(refusal);
    });
  },
);
