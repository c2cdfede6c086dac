import { execFile } from 'node:child_process';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { version } from '#scripts/sdk/typescript/src/http/transport.ts';
import { afterAll, beforeAll, describe, expect, test } from '#test/support/jest.ts';
import { startWorld } from '#test/support/product/world.ts';
import { blocksOf, readText, root } from '#test/support/project/markdown.ts';
import { installSdkPackage, type SdkPackage } from '#test/support/sdk/install-sdk-package.ts';

const run = promisify(execFile);
const readme = 'scripts/sdk/typescript/README.md';

describe('the packed SDK in an empty folder', () => {
  const world = startWorld({ hasWorkers: true });
  let installed: SdkPackage;
  beforeAll(async () => {
    installed = await installSdkPackage();
  }, 120_000);
  afterAll(async () => await installed.remove());

  const runNode = async (name: string, text: string, environment: NodeJS.ProcessEnv = {}) => {
    await writeFile(join(installed.folder, name), text);
    const env = { PATH: process.env.PATH, ...environment };
    return (await run(process.execPath, [name], { cwd: installed.folder, env })).stdout;
  };

  test('it is imported by ES modules and required by CommonJS', async () => {
    const check = 'console.log(new Bluejay({ apiKey: "k", baseUrl: "https://a.example" }).mails.create.name, version)';
    const esm = await runNode('a.mjs', `import { Bluejay, version } from 'bluejay-sdk';\n${check}`);
    const cjs = await runNode('a.cjs', `const { Bluejay, version } = require('bluejay-sdk');\n${check}`);
    const { version: packed } = JSON.parse(await readFile(join(installed.sdk, 'package.json'), 'utf8'));
    expect([esm, cjs, version]).toEqual([`create ${packed}\n`, `create ${packed}\n`, packed]);
  });

  test('it has no dependencies, and only built files', async () => {
    const manifest = JSON.parse(await readFile(join(installed.sdk, 'package.json'), 'utf8'));
    expect([manifest.dependencies, manifest.type]).toEqual([undefined, 'module']);
    expect(installed.files.filter((file) => !/^(dist\/|README\.md$|package\.json$)/.test(file))).toEqual([]);
    expect(installed.files.filter((file) => /(?<!\.d)\.ts$/.test(file))).toEqual([]);
  });

  test('its declarations are found from both kinds of modules', async () => {
    const text = `import { Bluejay } from 'bluejay-sdk';
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

  test('the first letter of its README is delivered, in at most 8 lines', async () => {
    const block = blocksOf(readText(readme)).find(({ language }) => language === 'js');
    const text = block?.text ?? '';
    expect(text.trim().split('\n').length).toBeLessThanOrEqual(8);
    await mkdir(installed.folder, { recursive: true });
    await copyFile(join(root, 'scripts/examples/letter.pdf'), join(installed.folder, 'letter.pdf'));
    const { key } = await world.customer();
    const printed = await runNode('first-letter.mjs', text, { BLUEJAY_TEST_KEY: key, BLUEJAY_URL: world.url });
    expect(printed).toBe('delivered\n');
  });
});
