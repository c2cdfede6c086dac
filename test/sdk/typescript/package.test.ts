// Level: ci
import { execFile } from 'node:child_process';
import { copyFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { version } from '#scripts/sdk/typescript/src/http/transport.ts';
import {
  afterAll,
  afterEach,
  beforeAll,
  describe,
  eventually,
  expect,
  test,
  testWithTool,
} from '#test/support/jest.ts';
import { killStartedPrograms, startProgram } from '#test/support/processes/process-control.ts';
import { startWorld } from '#test/support/product/world.ts';
import { blocksOf, readText, root, sectionOf } from '#test/support/project/markdown.ts';
import { findNode } from '#test/support/sdk/find-node.ts';
import { installSdkPackage, type SdkPackage } from '#test/support/sdk/install-sdk-package.ts';
import { signVectors } from '#test/support/sdk/webhook-vectors.ts';

const run = promisify(execFile);
const secret = 'whsec_of_the_tests';
const firstLetter =
  blocksOf(readText('scripts/sdk/typescript/README.md')).find(({ language }) => language === 'js')?.text ?? '';

const node20 = findNode(20);
/** The Node.js of the tests, and the oldest one that the package supports. */
const runtimes = [
  { name: `Node.js ${process.versions.node.split('.')[0]}`, command: process.execPath, testHere: test },
  { name: 'Node.js 20', command: node20 ?? '', testHere: testWithTool('Node.js 20', node20 !== undefined) },
];

describe('the packed SDK in an empty folder', () => {
  const world = startWorld({ hasWorkers: true });
  let installed: SdkPackage;
  beforeAll(async () => {
    installed = await installSdkPackage();
    await copyFile(join(root, 'scripts/examples/letter.pdf'), join(installed.folder, 'letter.pdf'));
  });
  afterEach(killStartedPrograms);
  afterAll(async () => await installed.remove());

  test('it has no dependencies, and only built files', async () => {
    const manifest = JSON.parse(await readFile(join(installed.sdk, 'package.json'), 'utf8'));
    expect([manifest.dependencies, manifest.type]).toEqual([undefined, 'module']);
    expect(installed.files.filter((file) => !/^(dist\/|README\.md$|package\.json$)/.test(file))).toEqual([]);
    expect(installed.files.filter((file) => /(?<!\.d)\.ts$/.test(file))).toEqual([]);
  });

  test('its declarations are found from both kinds of modules', async () => {
    const text = `import { Bluejay } from 'bluejay-post';
      const bluejay = new Bluejay({ apiKey: 'k', baseUrl: 'https://a.example' });
      export const id: Promise<string> = bluejay.mails.get('mj_1').then(({ mailJobId }) => mailJobId);
      // @ts-expect-error a number is no id
      export const wrong = bluejay.mails.get(1);`;
    await writeFile(join(installed.folder, 'b.mts'), text);
    await writeFile(join(installed.folder, 'b.cts'), text);
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022', '--lib', 'es2022,dom'];
    const compile = [installed.compiler, ...options, 'b.mts', 'b.cts'];
    const outcome = await run(process.execPath, compile, { cwd: installed.folder }).catch((error) => error);
    expect([outcome.code ?? 0, outcome.stdout]).toEqual([0, '']);
  });

  test('the first letter of its README has at most 8 lines', () => {
    expect(firstLetter.trim().split('\n').length).toBeLessThanOrEqual(8);
  });

  test('the commands in its README check a letter, price it and listen', async () => {
    const { key } = await world.customer();
    const { folder } = installed;
    const lines = [
      ...sectionOf(readText('scripts/sdk/typescript/README.md'), 'The command line').matchAll(/^ {4}(.*)$/gm),
    ].map(([, line = '']) => line);
    const environment = {
      PATH: `${join(folder, 'node_modules/.bin')}:${process.env.PATH}`,
      ...{ BLUEJAY_API_KEY: key, BLUEJAY_URL: world.url, HOME: folder, XDG_CONFIG_HOME: folder },
    };
    const startLine = (line: string) => startProgram('sh', ['-c', line], { cwd: folder, environment });
    const [login = '', preflight = '', send = '', listen = '', ...others] = lines;
    expect(others).toEqual([]);
    // It asks for the key, which only a person has. The tests of the command give it.
    expect(login).toMatch(/^npx bluejay-post login --url https:/);
    const asked = startLine(login);
    expect([await asked.ended, asked.output()]).toEqual([2, expect.stringContaining('--key-stdin')]);
    for (const [line, shown] of [
      [preflight, /1 page, 1 sheet/],
      [send, /EUR/],
    ] as const) {
      // The first check of a file starts the renderer, which may take longer than the command waits.
      await eventually(async () => {
        const program = startLine(line);
        expect([line, await program.ended, program.output()]).toEqual([line, 0, expect.stringMatching(shown)]);
      });
    }
    await startLine(`exec ${listen}`).waitForLine(/^Listening/);
  });

  describe.each(runtimes)('in $name', ({ command, testHere }) => {
    const runHere = async (name: string, text: string, environment: NodeJS.ProcessEnv = {}) => {
      await writeFile(join(installed.folder, name), text);
      const env = { PATH: process.env.PATH, ...environment };
      return (await run(command, [name], { cwd: installed.folder, env })).stdout;
    };

    testHere('the first letter of its README is delivered', async () => {
      const { key } = await world.customer();
      const environment = { BLUEJAY_TEST_KEY: key, BLUEJAY_URL: world.url };
      expect(await runHere('first-letter.mjs', firstLetter, environment)).toBe('delivered\n');
    });

    testHere('files, streams, events, webhooks, errors and timeouts work, from both kinds of modules', async () => {
      const smoke = readText('test/sdk/typescript/smoke.program.mjs');
      const { version: packed } = JSON.parse(await readFile(join(installed.sdk, 'package.json'), 'utf8'));
      expect(version).toBe(packed);
      for (const [name, text] of [
        ['smoke.mjs', smoke],
        ['smoke.cjs', asCommonJs(smoke)],
      ] as const) {
        const { key } = await world.customer();
        const signed = JSON.stringify({ ...signVectors(secret)[0], secret });
        const environment = { BLUEJAY_TEST_KEY: key, BLUEJAY_URL: world.url, SIGNED: signed, VERSION: packed };
        const printed = await runHere(name, text, environment);
        expect([name, printed.trim().split('\n')]).toEqual([name, Array(8).fill(expect.stringMatching(/^ok: /))]);
      }
    });
  });
});

/** Returns a program with its imports as CommonJS writes them. */
function asCommonJs(text: string): string {
  return text.replaceAll(/^import (\{[^}]*\}) from '([^']+)';$/gm, "const $1 = require('$2');");
}
