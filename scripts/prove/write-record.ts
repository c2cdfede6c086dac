import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describeRun } from '../program/describe-run.ts';
import type { PassedCheck } from './checklist.ts';

const root = join(import.meta.dirname, '../..');

/** A finished proof. */
export type Run = {
  name: string;
  checks: PassedCheck[];
  facts: string[];
  seconds: number;
  /** Of `describeCommit`, at its start. */
  commit: string;
};

/** Writes the result to scripts/deploy/results/<name>.md, which is committed. Returns the path of the file. */
export async function writeRecord({ name, checks, facts, seconds, commit }: Run): Promise<string> {
  const file = join(root, 'scripts/deploy/results', `${name}.md`);
  const rows = checks.map((check) => `| ${check.name} | ${check.seconds} s | ${check.detail} |`);
  const lines = [
    `# Last result of \`npm run prove -- ${name}\``,
    '',
    'Written by the command itself, with `--record`. Do not edit it.',
    '',
    ...describeRun(new Date(), commit).map(([title, value]) => `- ${title}: ${value}`),
    ...facts.map((fact) => `- ${fact}`),
    `- All ${checks.length} checks passed in ${Math.round(seconds)} s.`,
    '',
    '| Check | Time | Detail |',
    '|---|---|---|',
    ...rows,
    '',
  ];
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, lines.join('\n'));
  return file;
}
