import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { describeCommit } from './program/describe-run.ts';
import { runProgram } from './program/run-program.ts';
import { countViolations, describeSoak, maxShown } from './soak/describe-soak.ts';
import { runSoak } from './soak/run-soak.ts';
import { waitForStop } from './supervisor/wait-for-stop.ts';

type Options = { minutes: number; seed: number; rate?: number; out?: string };

const committedFile = join(import.meta.dirname, 'deploy/results/soak.md');
/** Shorter runs do not replace the committed result. */
const leastCommittedMinutes = 30;

/** Loads an installation of its own with faults, prints the result, and returns 1 for violations. */
async function soak({ minutes, seed, rate, out }: Options): Promise<number> {
  const commit = describeCommit();
  const held = new AsyncDisposableStack();
  const stopping = new AbortController();
  const report = (line: string) => void process.stderr.write(`${new Date().toISOString().slice(11, 19)} ${line}\n`);
  const stopped = waitForStop('soak', () => report('still stopping, for at most half a minute'));
  try {
    const running = runSoak({ minutes, seed, perS: rate, report, signal: stopping.signal }, held);
    running.catch(() => {});
    const outcome = await Promise.race([stopped, running]);
    if (typeof outcome === 'string') {
      report(`stopping (${outcome})`);
      return 1;
    }
    const text = describeSoak(outcome, { minutes, seed, commit, at: new Date() });
    process.stdout.write(`${text}\n`);
    const file = out ?? (minutes >= leastCommittedMinutes ? committedFile : undefined);
    if (file) await writeFile(file, text);
    for (const { name, violations } of outcome.checks) {
      const shown = violations.slice(0, maxShown);
      for (const violation of shown) process.stderr.write(`VIOLATION of "${name}": ${violation}\n`);
      if (violations.length > maxShown) process.stderr.write(`and ${violations.length - maxShown} more\n`);
    }
    return countViolations(outcome) === 0 ? 0 : 1;
  } finally {
    stopping.abort();
    await held.disposeAsync();
  }
}

function readNumber(text: string): number {
  const value = Number(text);
  if (Number.isFinite(value) && value > 0) return value;
  throw new InvalidArgumentError('It must be a number above 0.');
}

const command = new Command('npm run soak --')
  .description(
    'Loads a whole installation of its own at 60 % of its maximum, with faults, and checks what it promises.',
  )
  .option('--minutes <n>', 'duration of the load', readNumber, 30)
  .option('--seed <n>', 'chooses arrivals and faults', readNumber, 1)
  .option('--rate <n>', 'arrivals per second, instead of 60 % of the measured maximum', readNumber)
  .option('--out <file>', 'where to write the result; runs of 30 minutes or more write scripts/deploy/results/soak.md')
  .allowExcessArguments(false)
  .parse();
await runProgram(() => soak(command.opts<Options>()));
