import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { runProgram } from './program/run-program.ts';

/** The programs that write the generated files, in the order in which they need each other's results. */
const writers = ['openapi/write-openapi-snapshot.ts', 'openapi/write-press-schemas.ts', 'sdk/types/write-sdk-types.ts'];

// Writes all generated files that are committed. The first writer that fails ends it. `--break-clients` is for the snapshot
// of the API.
await runProgram(async () => {
  for (const [index, writer] of writers.entries()) {
    const args = index === 0 ? process.argv.slice(2) : [];
    const child = spawn(process.execPath, [join(import.meta.dirname, writer), ...args], { stdio: 'inherit' });
    const [code] = await once(child, 'close');
    if (code !== 0) return 1;
  }
  return 0;
});
