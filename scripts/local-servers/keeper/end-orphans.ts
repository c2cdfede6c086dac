import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pollUntil } from '#common/platform/concurrency/poll-until.ts';
import { OperatorError } from '#scripts/program/operator-error.ts';
import { isRunning, type ProcessIdentity, readIdentity } from './process-identity.ts';

const afterSigtermMs = 20_000;
const afterSigkillMs = 5_000;

/**
 * Waits `graceMs` for the orphaned programs of a killed start on this data folder, then ends those that still run. Only
 * affects processes that the folder's files identify by process id and start time.
 */
export async function endOrphans(dataDir: string, graceMs: number): Promise<void> {
  const folder = join(dataDir, 'run');
  const names = (await readdir(folder).catch(() => [])).filter(
    (name) => name.endsWith('.json') && name !== 'claim.json',
  );
  await Promise.all(names.map((name) => endOrphan(join(folder, name), graceMs)));
}

async function endOrphan(file: string, graceMs: number): Promise<void> {
  const identity = readIdentity(file);
  if (identity && !(await hasEnded(identity, graceMs))) {
    signal(identity, 'SIGTERM');
    if (!(await hasEnded(identity, afterSigtermMs))) signal(identity, 'SIGKILL');
    if (!(await hasEnded(identity, afterSigkillMs))) {
      throw new OperatorError(
        `Process ${identity.pid} of an earlier start does not end. End it yourself, then try again.`,
      );
    }
  }
  await rm(file, { force: true });
}

async function hasEnded(identity: ProcessIdentity, withinMs: number): Promise<boolean> {
  return await pollUntil(() => !isRunning(identity), { everyMs: 50, withinMs });
}

function signal(identity: ProcessIdentity, name: NodeJS.Signals): void {
  try {
    if (isRunning(identity)) process.kill(identity.pid, name);
  } catch {
    // The process ended in between, or it belongs to another user. The wait that follows finds out.
  }
}
