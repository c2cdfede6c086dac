import { claimDataDir } from '#scripts/local-servers/claim-data-dir.ts';
import { runProgram } from '#scripts/program/run-program.ts';

// Claims the folder of its first argument at the time of its second (milliseconds), then waits.
await runProgram(async () => {
  const [dataDir = '', startAtMs = '0'] = process.argv.slice(2);
  while (Date.now() < Number(startAtMs)) {
    // Busy loop: all competing processes must start in the same millisecond.
  }
  await claimDataDir(dataDir);
  process.stdout.write('claimed\n');
  return new Promise(() => setInterval(() => {}, 60_000));
});
