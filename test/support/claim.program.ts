import { claimDataDir } from '../../scripts/local-servers/claim-data-dir.ts';
import { runProgram } from '../../scripts/run-program.ts';

// Claims the folder that is its argument once its second argument, a moment in milliseconds, has come; then waits.
await runProgram(async () => {
  const [dataDir = '', startAtMs = '0'] = process.argv.slice(2);
  while (Date.now() < Number(startAtMs)) {
    // Busy on purpose: all who race shall begin in the same millisecond.
  }
  await claimDataDir(dataDir);
  process.stdout.write('claimed\n');
  return new Promise(() => setInterval(() => {}, 60_000));
});
