import { readFile } from 'node:fs/promises';

type Summary = {
  numPassedTests: number;
  numFailedTests: number;
  numRuntimeErrorTestSuites: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: { assertionResults: { status: string; title: string }[] }[];
};

/**
 * Returns the last line of every run: `12 passed, 0 failed`. A file that could not run counts as one failed test. So do
 * all forbidden log lines together.
 */
export async function summarize(summaryFile: string, hasLeaked: boolean): Promise<string> {
  const text = await readFile(summaryFile, 'utf8').catch(() => undefined);
  if (text === undefined) return '0 passed, 1 failed';
  const run: Summary = JSON.parse(text);
  const failed = run.numFailedTests + run.numRuntimeErrorTestSuites + (hasLeaked ? 1 : 0);
  const skipped = run.numPendingTests + run.numTodoTests;
  return `${describeMissing(run)}${run.numPassedTests} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
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
