import { existsSync } from 'node:fs';
import { claimDataDir } from '#scripts/local-servers/claim-data-dir.ts';
import { runProgram } from '#scripts/program/run-program.ts';

// Claims the folder of its first argument, once the file of its second exists if there is one, then waits.
await runProgram(async () => {
  const [dataDir = '', startFile = dataDir] = process.argv.slice(2);
  process.stdout.write('waiting\n');
  while (!existsSync(startFile)) {
    // Busy loop: all competing processes must start in the same millisecond.
  }
  await claimDataDir(dataDir);
  process.stdout.write('claimed\n');
  return new Promise(() => setInterval(() => {}, 60_000));
});
