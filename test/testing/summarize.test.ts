// Level: unit
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { summarize } from '#scripts/testing/summarize.ts';
import { expect, test, useTempFolders } from '../support/jest.ts';

const makeFolder = useTempFolders();

test('the end of a run names each failed test with its error, because its report may be far above', async () => {
  const file = join(await makeFolder(), 'jest.json');
  const one = (status: string, title: string, ...failureMessages: string[]) => ({
    ...{ status, title, ancestorTitles: ['a group'], failureMessages },
  });
  const manyLines = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`);
  const run = {
    ...{ numPassedTests: 1, numFailedTests: 2, numRuntimeErrorTestSuites: 1, numPendingTests: 1, numTodoTests: 0 },
    testResults: [
      {
        ...{ name: join(process.cwd(), 'test/a.test.ts'), status: 'failed' },
        assertionResults: [
          one('failed', 'first', 'Error: \u001b[31m4\u001b[39m is not 5'),
          one('passed', 'second'),
          one('failed', 'third', manyLines.join('\n')),
        ],
      },
      {
        name: join(process.cwd(), 'test/broken.test.ts'),
        status: 'failed',
        message: 'no module',
        assertionResults: [],
      },
      {
        ...{ name: join(process.cwd(), 'test/b.test.ts'), status: 'passed' },
        assertionResults: [one('pending', 'fourth [no php]')],
      },
    ],
  };
  await writeFile(file, JSON.stringify(run));
  expect((await summarize(file, false)).split('\n')).toEqual([
    'Failed: test/a.test.ts: a group > first',
    '    Error: 4 is not 5',
    'Failed: test/a.test.ts: a group > third',
    ...manyLines.slice(0, 8).map((line) => `    ${line}`),
    'Failed: test/broken.test.ts',
    '    no module',
    '1 skipped: no php',
    '1 passed, 3 failed, 1 skipped',
  ]);
  expect(await summarize(join(file, 'absent'), false)).toBe('0 passed, 1 failed');
});
