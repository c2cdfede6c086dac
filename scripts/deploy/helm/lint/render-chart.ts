import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { OperatorError } from '#scripts/program/operator-error.ts';

const run = promisify(execFile);

export const chartFolder = join(import.meta.dirname, '../bluejay');
const examplesFolder = join(import.meta.dirname, '../examples');

/** The values files in `examples`, by name. Lint and tests render the chart with each of them. */
export const examples = readdirSync(examplesFolder)
  .map((file) => file.replace('.yaml', ''))
  .sort();
export const exampleFile = (name: string): string => join(examplesFolder, `${name}.yaml`);

/**
 * Returns the manifests of the chart with a values file, and with further values as helm's `--set` takes them. Needs
 * helm on PATH. Throws an OperatorError with helm's message when it refuses the values.
 */
export async function renderChart(valuesFile: string, sets: readonly string[] = []): Promise<string> {
  const flags = ['--namespace', 'post', '--kube-version', '1.35', '--values', valuesFile];
  return await helm('template', 'bluejay', chartFolder, ...flags, ...sets.flatMap((set) => ['--set', set]));
}

/** Runs helm's own checks of the chart with a values file. Throws like `renderChart`. */
export async function lintByHelm(valuesFile: string): Promise<void> {
  await helm('lint', '--strict', '--quiet', chartFolder, '--values', valuesFile);
}

async function helm(...words: string[]): Promise<string> {
  try {
    const { stdout } = await run('helm', words, { maxBuffer: 16 * 1024 * 1024 });
    return stdout;
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as Error & { stdout?: string; stderr?: string };
    throw new OperatorError(`${stdout}${stderr}`.trim() || message);
  }
}
