// Level: unit
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { summarize } from '#scripts/testing/summarize.ts';
import { expect, test, useTempFolders } from '../support/jest.ts';

const makeFolder = useTempFolders();

test('the end of a run names each failed test, because its report may be far above', async () => {
  const file = join(await makeFolder(), 'jest.json');
  const one = (status: string, title: string) => ({ status, title, ancestorTitles: ['a group'] });
  const run = {
    ...{ numPassedTests: 1, numFailedTests: 2, numRuntimeErrorTestSuites: 1, numPendingTests: 1, numTodoTests: 0 },
    testResults: [
      {
        ...{ name: join(process.cwd(), 'test/a.test.ts'), status: 'failed' },
        assertionResults: [one('failed', 'first'), one('passed', 'second'), one('failed', 'third')],
      },
      { name: join(process.cwd(), 'test/broken.test.ts'), status: 'failed', assertionResults: [] },
      {
        ...{ name: join(process.cwd(), 'test/b.test.ts'), status: 'passed' },
        assertionResults: [one('pending', 'fourth [no php]')],
      },
    ],
  };
  await writeFile(file, JSON.stringify(run));
  expect((await summarize(file, false)).split('\n')).toEqual([
    'Failed: test/a.test.ts: a group > first',
    'Failed: test/a.test.ts: a group > third',
    'Failed: test/broken.test.ts',
    '1 skipped: no php',
    '1 passed, 3 failed, 1 skipped',
  ]);
  expect(await summarize(join(file, 'absent'), false)).toBe('0 passed, 1 failed');
});
