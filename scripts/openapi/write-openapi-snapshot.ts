import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { OperatorError } from '../program/operator-error.ts';
import { runProgram } from '../program/run-program.ts';
import { describeChanges } from './describe-changes.ts';
import { findBreakingChanges } from './find-breaking-changes.ts';

const root = join(import.meta.dirname, '../..');
const snapshotFile = join(root, 'test/api/openapi/openapi.snapshot.json');
const changelogFile = join(root, 'api/docs/changelog/changes.json');
const formatter = join(root, 'node_modules/@biomejs/biome/bin/biome');
const maxDocumentBytes = 16 * 1024 * 1024;

/**
 * Writes the OpenAPI document to the snapshot that a test compares with, and what changed to the changelog. Refuses a change that breaks clients of v1.
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
        'Keep the contract compatible. If no client can have used this yet: npm run generate -- --break-clients',
    );
  }
  await writeFile(snapshotFile, stdout);
  const changes = known === undefined ? [] : describeChanges(JSON.parse(known), JSON.parse(stdout));
  await recordChanges(changes, stdout);
  process.stdout.write(
    `${known === stdout ? 'Nothing has changed.' : 'Written. Review the difference with git diff.'}\n`,
  );
  return 0;
}

/** The file that the API shows as its changelog, the newest day first. */
type Changelog = { documentSha256: string; days: { date: string; changes: string[] }[] };

/** Adds the changes to those of today in the changelog. */
async function recordChanges(changes: readonly string[], document: string): Promise<void> {
  const { days } = JSON.parse(await readFile(changelogFile, 'utf8')) as Changelog;
  const date = new Date().toISOString().slice(0, 10);
  const [newest, ...older] = days;
  const today = newest?.date === date ? newest : { date, changes: [] };
  const rest = today === newest ? older : days;
  const merged = { date, changes: [...new Set([...today.changes, ...changes])] };
  const changelog: Changelog = {
    documentSha256: createHash('sha256').update(document).digest('hex'),
    days: changes.length === 0 ? days : [merged, ...rest],
  };
  await writeFile(changelogFile, JSON.stringify(changelog, null, 2));
  await promisify(execFile)(process.execPath, [formatter, 'format', '--write', changelogFile]);
}

await runProgram(() => writeSnapshot({ mayBreak: process.argv.includes('--break-clients') }));
