import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openOnce, test } from '../jest.ts';
import { startNode } from '../processes/process-control.ts';
import { blocksOf, readText, root, sectionOf } from '../project/markdown.ts';
import { startPythonDriver, testWithPython } from './python.ts';

/** A program that runs: what it has printed, and its end. */
type Running = { lines: () => string[]; ended: Promise<unknown> };

/** The README of an SDK, and how its blocks of code are run. */
export type ReadmeLanguage = {
  readme: string;
  testHere: (title: string, body: () => unknown) => void;
  /** The blocks of code by section. */
  blocks: Record<string, number>;
  /** Returns a block as it is printed. */
  block(heading: string, index?: number): string;
  start(text: string, environment?: Record<string, string>): Promise<Running>;
  /** Writes values as constants. */
  constants(values: object): string;
  /** What the blocks about calls assume. */
  client: string;
};

function readmeOf(path: string, wanted: string): Pick<ReadmeLanguage, 'readme' | 'block'> {
  const readme = readText(path);
  const block = (heading: string, index = 0) =>
    blocksOf(sectionOf(readme, heading)).filter(({ language }) => language === wanted)[index]?.text ?? '';
  return { readme, block };
}

/** Opens what runs the README of the TypeScript SDK: a process per program, which imports the source of the package. */
export function openTypescript(): ReadmeLanguage {
  const opened = openOnce(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'bluejay-readme-'));
    const sdk = join(folder, 'node_modules/bluejay-post');
    await mkdir(sdk, { recursive: true });
    await writeFile(join(sdk, 'package.json'), '{ "type": "module", "exports": "./src/index.ts" }');
    await symlink(join(root, 'scripts/sdk/typescript/src'), join(sdk, 'src'));
    for (const name of ['express', 'hono']) {
      await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name));
    }
    return { folder, close: async () => await rm(folder, { recursive: true, force: true }) };
  });
  return {
    ...readmeOf('scripts/sdk/typescript/README.md', 'js'),
    testHere: test,
    blocks: { 'A first letter': 1, Calls: 2, Webhooks: 1, OAuth: 2 },
    constants: (values) =>
      Object.entries(values)
        .map(([name, value]) => `const ${name} = ${JSON.stringify(value)};\n`)
        .join(''),
    client: `import { Bluejay } from 'bluejay-post';
const bluejay = new Bluejay({ apiKey, baseUrl });
const open = bluejay.events.stream;
bluejay.events.stream = (query) => open.call(bluejay.events, query, { onOpen: () => console.log('open') });
`,
    async start(text, environment = {}) {
      await writeFile(join(opened.folder, 'program.mjs'), text);
      const { PATH, NODE_COMPILE_CACHE } = process.env;
      const program = startNode(['program.mjs'], {
        ...{ cwd: opened.folder, environment: { PATH, NODE_COMPILE_CACHE, ...environment } },
      });
      return { lines: () => program.output().trim().split('\n'), ended: program.ended };
    },
  };
}

/** Opens what runs the README of the Python SDK: one process. */
export function openPython(): ReadmeLanguage & { stop: () => void } {
  let python: ReturnType<typeof startPythonDriver> | undefined;
  openOnce(async () => ({ close: async () => await python?.close() }));
  return {
    ...readmeOf('scripts/sdk/python/README.md', 'python'),
    testHere: testWithPython,
    blocks: { 'A first letter': 1, Calls: 3, Webhooks: 1, OAuth: 2 },
    constants: (values) =>
      Object.entries(values)
        .map(([name, value]) => `${name} = ${JSON.stringify(value)}\n`)
        .join(''),
    client: `import functools
from bluejay_post import Bluejay
bluejay = Bluejay(key, url)
bluejay.events.stream = functools.partial(bluejay.events.stream, on_open=lambda: print("open"))
`,
    async start(text, environment = {}) {
      python ??= startPythonDriver();
      const lines: string[] = [];
      const onLine = (line: unknown) => void lines.push(String(line));
      return { lines: () => lines, ended: python.run('execute', 'sync', { text, environment }, onLine) };
    },
    stop: () => python?.stop(),
  };
}
