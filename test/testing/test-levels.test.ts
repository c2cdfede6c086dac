// Level: push
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { chooseTestFiles } from '#scripts/testing/choose-test-files.ts';
import { describeCosts, findTooDear } from '#scripts/testing/costs.ts';
import { findServers } from '#scripts/testing/find-servers.ts';
import { createImportGraph } from '#scripts/testing/import-graph.ts';
import { readChangedPaths } from '#scripts/testing/read-changed-paths.ts';
import { readOptions } from '#scripts/testing/read-options.ts';
import { readTestFiles, type TestFile } from '#scripts/testing/test-files.ts';
import { describe, expect, test, useTempFolders } from '../support/jest.ts';

const beforePush = new Set(['unit', 'push']);
const root = join(import.meta.dirname, '../..');
const makeFolder = useTempFolders();

describe('the level of a test file', () => {
  const closureOf = createImportGraph(root);
  const opensNothing = ({ path }: TestFile) => {
    const { shared, startsPrograms } = findServers(root, [path], closureOf(path));
    return shared.size === 0 && !startsPrograms;
  };

  test('is unit only if the file opens no server and starts no program, and push only if it does', () => {
    const ours = readTestFiles(root);
    expect(ours.filter((file) => file.level === 'unit' && !opensNothing(file))).toEqual([]);
    expect(ours.filter((file) => file.level === 'push' && opensNothing(file))).toEqual([]);
  });

  test('is explained in levels.md where npm test leaves the file out, by files that npm test runs', () => {
    const names = readTestFiles(root).map(({ path, level }) => [path.slice('test/'.length, -'.test.ts'.length), level]);
    const rows = readFileSync(join(root, 'test/levels.md'), 'utf8').split('\n');
    const reasonOf = ([name, level]: string[]) => {
      const row = rows.find((each) => each.startsWith(`| \`${name}\` | ${level} | `));
      // What follows is of the level ci: for a file of the level long.
      return row?.split(' | ')[2]?.split('in `.ci/run`')[0];
    };
    const isRun = (named: string) =>
      names.some(([name = '', level = '']) => beforePush.has(level) && `${name}/`.startsWith(`${named}/`));
    const isExplained = (reason = '') => {
      const named = [...reason.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);
      return named.length === 0 ? reason.startsWith('none: ') : named.every(isRun);
    };
    const leftOut = names.filter(([, level = '']) => !beforePush.has(level));
    expect(leftOut.filter((each) => !isExplained(reasonOf(each)))).toEqual([]);
  });

  test('is named by the first line, and a file without one is refused', async () => {
    const folder = await aCheckout({ 'test/a.test.ts': '// Level: ci\n', 'test/b/b.test.ts': '\n// Level: unit\n' });
    expect(() => readTestFiles(folder)).toThrow(/"\/\/ Level: push":\ntest\/b\/b\.test\.ts$/);
  });

  test('decides what runs, unless paths are named: these run at all levels but long', () => {
    const files: TestFile[] = [
      { path: 'test/a/one.test.ts', level: 'unit' },
      { path: 'test/a/two.test.ts', level: 'push' },
      { path: 'test/a/three.test.ts', level: 'ci' },
      { path: 'test/a/four.test.ts', level: 'long' },
    ];
    const loadsChanged = (path: string) => path === 'test/a/two.test.ts';
    const chosen = (...args: string[]) =>
      chooseTestFiles(files, readOptions(args), { root, loadsChanged }).map(({ level }) => level);
    expect(chosen()).toEqual(['unit', 'push']);
    expect(chosen('--level', 'push', '--level', 'ci')).toEqual(['push', 'ci']);
    expect(chosen('test/a')).toEqual(['unit', 'push', 'ci']);
    expect(chosen('./test/a/one.test.ts', join(root, 'test/a/three.test.ts'))).toEqual(['unit', 'ci']);
    expect(chosen('test/a/four')).toEqual(['long']);
    expect(chosen('--level', 'unit', 'test/a')).toEqual(['unit']);
    expect(chosen('--changed')).toEqual(['push']);
    expect(chosen('--changed', 'test/a/one')).toEqual([]);
    expect(() => chosen('nothing')).toThrow('No test file matches nothing.');
    expect(() => chosen('--level', 'ci', 'test/a/one')).toThrow('No test file matches test/a/one ci.');
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
    const loaded = [...createImportGraph(folder)('test/a.test.ts')].sort();
    const existing = ['common/d.ts', 'common/g.ts', 'test/a.test.ts', 'test/b.ts', 'test/e.ts', 'test/f.ts'];
    // A module that is gone is a change of those that load it.
    expect(loaded).toEqual([...existing, 'common/missing.ts'].sort());
  });

  test('names the shared servers that it needs, and says whether it starts programs', async () => {
    // In pieces, because this file would need these servers itself.
    const variable = (name: string) => ['process', 'env', name].join('.');
    const folder = await aCheckout({
      'test/a.test.ts': "import './redis.ts';",
      'test/b.test.ts': "import { readConfig } from '#common/config.ts';",
      'test/c.test.ts': `import { execFile } from '${'node:'}child_process';`,
      'test/redis.ts': `export const url = ${variable('REDIS_URL')};`,
      'common/config.ts': `export const uri = ${variable('MONGODB_URI')};`,
    });
    const opened = (path: string) => {
      const { shared, startsPrograms } = findServers(folder, [path], createImportGraph(folder)(path));
      return [...shared, startsPrograms];
    };
    expect(['a', 'b', 'c'].map((name) => opened(`test/${name}.test.ts`))).toEqual([['redis', false], [false], [true]]);
  });

  test('differs from the last commit: changed, new and deleted paths, and nothing outside a checkout', async () => {
    const folder = await aCheckout({ 'a.ts': '', 'b.ts': '', 'c é.ts': '' });
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: folder });
    expect(() => readChangedPaths(folder)).toThrow(/^--changed asks git what has changed, which failed: /);
    git('init', '--quiet');
    git('add', '.');
    git('commit', '--quiet', '--message', 'first');
    await Promise.all([rm(join(folder, 'a.ts')), writeFile(join(folder, 'c é.ts'), 'new')]);
    await aFile(folder, 'd/e.ts', '');
    expect([...readChangedPaths(folder)].sort()).toEqual(['a.ts', 'c é.ts', 'd/e.ts']);
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
    expect(findTooDear({ loopMs: 5, files: costs(3_000, 9_000) }, files)).toEqual([]);
    expect(findTooDear({ loopMs: 5, files: costs(3_001, 9_001) }, files)).toEqual(files.slice(0, 2));
    expect(findTooDear({ loopMs: 10, files: costs(3_001, 9_001) }, files)).toEqual([]);
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
  for (const [path, text] of Object.entries(files)) await aFile(folder, path, text);
  return folder;
}

async function aFile(folder: string, path: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), text);
}
