// Level: ci
import { execFile } from 'node:child_process';
import { appendFile, copyFile, cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
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
  openOnce,
  test,
  testWithTool,
  useTempFolders,
} from '#test/support/jest.ts';
import { killStartedPrograms, startProgram } from '#test/support/processes/process-control.ts';
import { startWorld } from '#test/support/product/world.ts';
import { blocksOf, readText, root, sectionOf } from '#test/support/project/markdown.ts';
import { findNode } from '#test/support/sdk/find-node.ts';
import { installSdkPackage, type SdkPackage } from '#test/support/sdk/install-sdk-package.ts';
import { createPipFolder, testWithPython } from '#test/support/sdk/python.ts';
import { serveDocs } from '#test/support/sdk/serve-docs.ts';
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
    const files = await readdir(installed.sdk, { recursive: true });
    expect(files.filter((file) => !/^(dist(\/|$)|README\.md$|package\.json$)/.test(file))).toEqual([]);
    expect(files.filter((file) => /(?<!\.d)\.ts$/.test(file))).toEqual([]);
  });

  test('the command line is one program of the same version, with the licence of what it includes', async () => {
    const manifest = JSON.parse(await readFile(join(installed.cli, 'package.json'), 'utf8'));
    expect([manifest.dependencies, manifest.version]).toEqual([undefined, version]);
    const files = await readdir(installed.cli, { recursive: true });
    expect(files.sort()).toEqual(['README.md', 'dist', 'dist/bluejay.js', 'dist/commander.LICENSE', 'package.json']);
  });

  test('packages that are built again have the same bytes', async () => {
    const again = join(installed.folder, 'again');
    await run(process.execPath, ['scripts/sdk/packages/build-packages.ts', again], { cwd: installed.clone });
    const names = await readdir(installed.packages);
    expect([names.length, await readdir(again)]).toEqual([3, names]);
    for (const name of names) {
      const [first, second] = [await readFile(join(installed.packages, name)), await readFile(join(again, name))];
      expect([name, first.equals(second)]).toEqual([name, true]);
    }
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

  test('the commands in the README of the command line check a letter, price it and listen', async () => {
    const { key } = await world.customer();
    const { folder } = installed;
    const lines = [...sectionOf(readText('scripts/sdk/cli/README.md'), 'Using it').matchAll(/^ {4}(.*)$/gm)].map(
      ([, line = '']) => line,
    );
    const environment = {
      PATH: `${join(folder, 'node_modules/.bin')}:${process.env.PATH}`,
      ...{ BLUEJAY_API_KEY: key, BLUEJAY_URL: world.url, HOME: folder, XDG_CONFIG_HOME: folder },
    };
    const startLine = (line: string) => startProgram('sh', ['-c', line], { cwd: folder, environment });
    const [login = '', preflight = '', send = '', listen = '', ...others] = lines;
    expect(others).toEqual([]);
    // It asks for the key, which only a person has. The tests of the command give it.
    expect(login).toMatch(/^bluejay login --url https:/);
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

  const newFolder = useTempFolders();

  /** Runs lines in an empty folder, without registries. */
  async function runLines(text: string, { bin = '/usr/bin' } = {}) {
    const top = await newFolder();
    const folder = join(top, 'app');
    await mkdir(folder);
    await symlink(installed.clone, join(top, 'bluejay'));
    // The clone is compiled already.
    const npm = { npm_config_offline: 'true', npm_config_audit: 'false', npm_config_ignore_scripts: 'true' };
    const pip = { PIP_NO_INDEX: '1', PIP_NO_BUILD_ISOLATION: '0' };
    const env = { PATH: `${bin}:${process.env.PATH}`, HOME: folder, ...npm, ...pip };
    const { stderr = '', code = 0 } = await run('sh', ['-c', text], { cwd: folder, env }).catch((error) => error);
    return { folder, code, stderr };
  }

  describe.each(['the API', 'a clone'])('as the guide prints it, from %s', (from) => {
    const docs = openOnce(() => serveDocs(world.config, from === 'a clone' ? '/nonexistent' : installed.packages));

    test('npm installs the client, and globally the command line', async () => {
      const { npm, cli } = await docs.readLines();
      const { folder, code, stderr } = await runLines(npm);
      expect([code, stderr]).toEqual([0, expect.any(String)]);
      const shown = "import('bluejay-post').then(({ version }) => console.log(version))";
      expect((await run(process.execPath, ['-e', shown], { cwd: folder })).stdout).toBe(`${version}\n`);
      const global = await runLines(cli.replace('npm install', 'npm install --prefix "$HOME"'));
      expect([global.code, global.stderr]).toEqual([0, expect.any(String)]);
      expect((await run('bin/bluejay', ['--help'], { cwd: global.folder })).stdout).toContain('bluejay send');
    });

    testWithPython('pip installs the client', async () => {
      const { bin, python } = await createPipFolder(await newFolder());
      const { code, stderr } = await runLines((await docs.readLines()).pip, { bin });
      expect([code, stderr]).toEqual([0, expect.any(String)]);
      const shown = 'import bluejay_post; print(bluejay_post.__version__, bluejay_post.__file__)';
      expect((await run(python, ['-I', '-c', shown])).stdout).toMatch(new RegExp(`^${version} .*/venv/.*\\n$`));
    });
  });

  testWithPython('packages with other bytes than the guide says are not installed', async () => {
    const packages = await newFolder();
    await cp(installed.packages, packages, { recursive: true });
    const docs = await serveDocs(world.config, packages);
    const { npm, pip, cli } = await docs.readLines();
    for (const name of await readdir(packages)) await appendFile(join(packages, name), ' ');
    const { bin } = await createPipFolder(await newFolder());
    for (const [line, name] of [
      [npm, `bluejay-post-${version}.tgz`],
      [cli.replace('npm install', 'npm install --prefix "$HOME"'), `bluejay-post-cli-${version}.tgz`],
    ] as const) {
      const { code, folder } = await runLines(line);
      expect([code, await readdir(folder)]).toEqual([1, [name]]);
    }
    const ofPip = await runLines(pip, { bin });
    expect([ofPip.code, ofPip.stderr]).toEqual([1, expect.stringContaining('DO NOT MATCH THE HASHES')]);
    await docs.close();
  });

  test('without packages the API answers 404 with the line for a clone, which the READMEs have too', async () => {
    const docs = await serveDocs(world.config, '/nonexistent');
    const lines = await docs.readLines();
    for (const [name, path, line] of [
      [`bluejay-post-${version}.tgz`, 'typescript', lines.npm],
      [`bluejay_post-${version}-py3-none-any.whl`, 'python', lines.pip],
      [`bluejay-post-cli-${version}.tgz`, 'cli', lines.cli],
    ] as const) {
      const answer = await fetch(`${docs.url}/docs/clients/${name}`);
      const { code, message } = (await answer.json()) as Record<string, string>;
      expect([answer.status, code, message]).toEqual([404, 'NOT_FOUND', expect.stringContaining(line.trim())]);
      expect(blocksOf(readText(`scripts/sdk/${path}/README.md`))[0]).toEqual({ language: 'sh', text: line });
    }
    await docs.close();
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

    testHere('the command line prints its version', async () => {
      expect((await run(command, [join(installed.cli, 'dist/bluejay.js'), '--version'])).stdout).toBe(`${version}\n`);
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
