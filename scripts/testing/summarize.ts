import { readFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

type Summary = {
  numPassedTests: number;
  numFailedTests: number;
  numRuntimeErrorTestSuites: number;
  numPendingTests: number;
  numTodoTests: number;
  testResults: {
    name: string;
    status: string;
    /** Of a file that could not run. */
    message: string;
    assertionResults: { status: string; title: string; ancestorTitles: string[]; failureMessages: string[] }[];
  }[];
};

/**
 * Returns the last lines of every run: the failed tests with the begin of their errors, because their reports may be far
 * above or cut, what skipped tests lack, and `12 passed, 0 failed`. A file that could not run counts as one failed test. So do
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

const errorLines = 8;

/** Returns each failed test, or its file if that could not run, with the first lines of its error. */
function listFailed({ testResults }: Summary): string {
  const failures = testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(process.cwd(), name);
    const failed = assertionResults.filter((test) => test.status === 'failed');
    if (status === 'failed' && failed.length === 0) return [describeFailed(file, message)];
    return failed.map(({ ancestorTitles, title, failureMessages }) =>
      describeFailed(`${file}: ${[...ancestorTitles, title].join(' > ')}`, failureMessages.join('\n')),
    );
  });
  return failures.join('');
}

function describeFailed(what: string, error: string): string {
  const lines = stripVTControlCharacters(error).split('\n').slice(0, errorLines);
  return [`Failed: ${what}`, ...lines.map((line) => `    ${line}`.trimEnd()), ''].join('\n');
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
