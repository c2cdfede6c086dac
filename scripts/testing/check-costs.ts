import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OperatorError } from '#scripts/program/operator-error.ts';
import { runProgram } from '#scripts/program/run-program.ts';
import { findTooDear, type RunCosts } from './costs.ts';
import { readTestFiles, type TestFile } from './test-files.ts';

const root = join(import.meta.dirname, '../..');

/**
 * Fails when a file of the levels unit or push costs more than three times what its level allows, in one of the runs whose
 * costs these files hold and again by itself. Run it on a quiet machine.
 */
async function checkCosts(costs: string[]): Promise<number> {
  if (costs.length === 0) throw new OperatorError('Usage: check-costs.ts <files that npm test -- --costs has written>');
  const suspects = costs.flatMap((file) => findTooDear(readRun(file), readTestFiles(root)));
  const tooDear = suspects.filter((suspect) => findTooDear(runAlone(suspect), [suspect]).length > 0);
  for (const { path, level } of tooDear) {
    process.stdout.write(`${path} is too dear for the level ${level}. Make it cheaper, or move it to the level ci.\n`);
  }
  if (tooDear.length === 0) process.stdout.write('Each file costs what its level allows.\n');
  return tooDear.length === 0 ? 0 : 1;
}

function readRun(file: string): RunCosts {
  return JSON.parse(readFileSync(file, 'utf8'));
}

function runAlone({ path }: TestFile): RunCosts {
  const folder = mkdtempSync(join(tmpdir(), 'bluejay-costs-'));
  try {
    const costs = join(folder, 'costs.json');
    const args = [join(root, 'scripts/test.ts'), '--costs', costs, path];
    const { status, output } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
    if (status !== 0) throw new OperatorError(`${path} failed when it ran alone:\n${output.join('')}`);
    return readRun(costs);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

await runProgram(async () => await checkCosts(process.argv.slice(2)));
