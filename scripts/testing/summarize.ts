import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';

type Summary = {
  numPassedTests: number;
  numFailedTests: number;
  numRuntimeErrorTestSuites: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: {
    name: string;
    status: string;
    assertionResults: { status: string; title: string; ancestorTitles: string[] }[];
  }[];
};

/**
 * Returns the last lines of every run: the failed tests, because their reports may be far above, what skipped tests lack,
 * and `12 passed, 0 failed`. A file that could not run counts as one failed test. So do
 * all forbidden log lines together.
 */
export async function summarize(summaryFile: string, hasLeaked: boolean): Promise<string> {
  const text = await readFile(summaryFile, 'utf8').catch(() => undefined);
  if (text === undefined) return '0 passed, 1 failed';
  const run: Summary = JSON.parse(text);
  const failed = run.numFailedTests + run.numRuntimeErrorTestSuites + (hasLeaked ? 1 : 0);
  const skipped = run.numPendingTests + run.numTodoTests;
  return `${listFailed(run)}${describeMissing(run)}${run.numPassedTests} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** Returns a line for each failed test, or for its file if that could not run. */
function listFailed({ testResults }: Summary): string {
  const lines = testResults.flatMap(({ name, status, assertionResults }) => {
    const file = relative(process.cwd(), name);
    const failed = assertionResults.filter((test) => test.status === 'failed');
    const titles = failed.map(({ ancestorTitles, title }) => [...ancestorTitles, title].join(' > '));
    return status === 'failed' && titles.length === 0 ? [file] : titles.map((title) => `${file}: ${title}`);
  });
  return lines.map((line) => `Failed: ${line}\n`).join('');
}

/** Returns a line that names what the skipped tests lack: `5 skipped: no Chromium, no php`. Their titles end with it. */
function describeMissing(run: Summary): string {
  const tests = run.testResults.flatMap(({ assertionResults }) => assertionResults);
  const missing = tests
    .filter(({ status }) => status === 'pending')
    .flatMap(({ title }) => / \[(no .+)\]$/.exec(title)?.[1] ?? []);
  if (missing.length === 0) return '';
  return `${missing.length} skipped: ${[...new Set(missing)].sort().join(', ')}\n`;
}
