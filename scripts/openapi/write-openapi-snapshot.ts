import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { OperatorError } from '../program/operator-error.ts';
import { runProgram } from '../program/run-program.ts';
import { findBreakingChanges } from './find-breaking-changes.ts';

const root = join(import.meta.dirname, '../..');
const snapshotFile = join(root, 'test/api/openapi/openapi.snapshot.json');
const maxDocumentBytes = 16 * 1024 * 1024;

/**
 * Writes the OpenAPI document to the snapshot that a test compares with. Refuses a change that breaks clients of v1.
 * `--break-clients` allows it, for operations that no client can have used yet.
 */
async function writeSnapshot({ mayBreak }: { mayBreak: boolean }): Promise<number> {
  const print = [join(root, 'api/openapi/print-openapi.ts')];
  const { stdout } = await promisify(execFile)(process.execPath, print, { maxBuffer: maxDocumentBytes });
  const known = await readFile(snapshotFile, 'utf8').catch(() => undefined);
  const findings = known === undefined ? [] : findBreakingChanges(JSON.parse(known), JSON.parse(stdout));
  if (findings.length > 0 && !mayBreak) {
    throw new OperatorError(
      `Nothing was written: this breaks clients of v1.\n  ${findings.join('\n  ')}\n` +
        'Keep the contract compatible, or add --break-clients if no client can have used this yet.',
    );
  }
  await writeFile(snapshotFile, stdout);
  process.stdout.write(
    `${known === stdout ? 'Nothing has changed.' : 'Written. Review the difference with git diff.'}\n`,
  );
  return 0;
}

await runProgram(() => writeSnapshot({ mayBreak: process.argv.includes('--break-clients') }));
