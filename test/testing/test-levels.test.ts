// Level: push
// Level: push
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { chooseTestFiles } from '#scripts/testing/choose-test-files.ts';
import { describeCosts, findTooDear } from '#scripts/testing/costs.ts';
import { findServers } from '#scripts/testing/find-servers.ts';
import { createImportGraph } from '#scripts/testing/import-graph.ts';
import { readOptions } from '#scripts/testing/read-options.ts';
import { readTestFiles, type TestFile } from '#scripts/testing/test-files.ts';
import { describe, expect, test, useTempFolders } from '../support/jest.ts';

const root = join(import.meta.dirname, '../..');
const makeFolder = useTempFolders();

describe('the level of a test file', () => {
  const closureOf = createImportGraph(root);
  const opensNothing = ({ path }: TestFile) => {
    const { shared, startsPrograms } = findServers(root, [path], closureOf);
    return shared.size === 0 && !startsPrograms;
  };

  test('is unit only if the file opens no server and starts no program, and push only if it does', () => {
    const ours = readTestFiles(root);
    expect(ours.filter((file) => file.level === 'unit' && !opensNothing(file))).toEqual([]);
    expect(ours.filter((file) => file.level === 'push' && opensNothing(file))).toEqual([]);
  });

  test('is explained in levels.md where npm test leaves the file out', () => {
    const explained = readFileSync(join(root, 'test/levels.md'), 'utf8');
    const isLeftOut = ({ level }: TestFile) => level === 'ci' || level === 'long';
    const row = ({ path, level }: TestFile) => `| \`${path.slice('test/'.length, -'.test.ts'.length)}\` | ${level} |`;
    expect(
      readTestFiles(root)
        .filter(isLeftOut)
        .map(row)
        .filter((each) => !explained.includes(each)),
    ).toEqual([]);
  });

  test('is named by the first line, and a file without one is refused', async () => {
    const folder = await aCheckout({ 'test/a.test.ts': '// Level: ci\n', 'test/b/b.test.ts': '\n// Level: unit\n' });
    expect(() => readTestFiles(folder)).toThrow(/"\/\/ Level: push":\ntest\/b\/b\.test\.ts$/);
  });

  test('decides what runs, unless paths are named: then all but long ones run, which need the whole path', () => {
    const files: TestFile[] = [
      { path: 'test/a/one.test.ts', level: 'unit' },
      { path: 'test/a/two.test.ts', level: 'push' },
      { path: 'test/a/three.test.ts', level: 'ci' },
      { path: 'test/a/four.test.ts', level: 'long' },
    ];
    const chosen = (...args: string[]) =>
      chooseTestFiles(files, readOptions(args), () => ({
        modules: new Set(['test/a/two.test.ts']),
        closureOf: (path) => new Set([path]),
      })).map(({ level }) => level);
    expect(chosen()).toEqual(['unit', 'push']);
    expect(chosen('--level', 'push', '--level', 'ci')).toEqual(['push', 'ci']);
    expect(chosen('test/a')).toEqual(['unit', 'push', 'ci']);
    expect(chosen('test/a/four.test.ts')).toEqual(['long']);
    expect(chosen('--changed')).toEqual(['push']);
    expect(() => chosen('nothing')).toThrow('No test file matches nothing.');
    expect(() => readOptions(['--level', 'quick'])).toThrow(/^Unknown level 'quick'\n\nUsage/);
    expect(() => readOptions(['--colour'])).toThrow(/Usage: npm test/);
  });
});

describe('what a test file loads', () => {
  test('is found through static, dynamic and URL imports, and not through types', async () => {
    const folder = await aCheckout({
      'test/a.test.ts':
        "import { b } from './b.ts';\nimport type { C } from './c.ts';\nconst d = await import('#common/d.ts');\n",
      'test/b.ts': "export {\n  e,\n} from './e.ts';\nconst f = new URL('./f.ts', import.meta.url);\n",
      'test/c.ts': '',
      'common/d.ts': "import './g.ts';",
      'test/e.ts': '',
      'test/f.ts': '',
      'common/g.ts': "const missing = import('./missing.ts');",
    });
    const loaded = createImportGraph(folder)('test/a.test.ts');
    expect([...loaded].sort()).toEqual([
      'common/d.ts',
      'common/g.ts',
      'test/a.test.ts',
      'test/b.ts',
      'test/e.ts',
      'test/f.ts',
    ]);
  });

  test('names the shared servers that it needs', async () => {
    const folder = await aCheckout({
      'test/a.test.ts': "import './redis.ts';",
      'test/b.test.ts': "import { readConfig } from '#common/config.ts';",
      'test/redis.ts': 'export const url = process.env.REDIS_URL;',
      'common/config.ts': 'export const uri = process.env.MONGODB_URI;',
    });
    const sharedBy = (path: string) => [...findServers(folder, [path], createImportGraph(folder)).shared];
    expect([sharedBy('test/a.test.ts'), sharedBy('test/b.test.ts')]).toEqual([['redis'], []]);
  });
});

describe('the CPU time of test files', () => {
  const files: TestFile[] = (['unit', 'push', 'ci'] as const).map((level) => ({
    path: `test/${level}.test.ts`,
    level,
  }));
  const costs = (unitMs: number, pushMs: number) => [
    { path: 'test/unit.test.ts', testMs: unitMs, programsMs: 0 },
    { path: 'test/push.test.ts', testMs: 1_000, programsMs: pushMs - 1_000 },
    { path: 'test/ci.test.ts', testMs: 1_000_000, programsMs: 0 },
  ];

  test('is too much above three times what the level allows, in loops of the same machine', () => {
    expect(findTooDear({ loopMs: 10, files: costs(3_000, 9_000) }, files)).toEqual([]);
    expect(findTooDear({ loopMs: 10, files: costs(3_001, 9_001) }, files)).toEqual(files.slice(0, 2));
    expect(findTooDear({ loopMs: 20, files: costs(3_001, 9_001) }, files)).toEqual([]);
  });

  test('is shown for the dearest files, with their levels', () => {
    expect(describeCosts(costs(500, 9_040), files, 2)).toEqual([
      '1000.0 +   0.0 s  ci    test/ci.test.ts',
      '   1.0 +   8.0 s  push  test/push.test.ts',
    ]);
  });
});

/** Writes files to a temporary folder, by their paths. */
async function aCheckout(files: Record<string, string>): Promise<string> {
  const folder = await makeFolder();
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  return folder;
}
