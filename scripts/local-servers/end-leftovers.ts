import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { OperatorError } from '../operator-error.ts';
import { isRunning, type ProcessIdentity, readIdentity } from './process-identity.ts';

const afterSigtermMs = 20_000;
const afterSigkillMs = 5_000;

/**
 * Waits `patienceMs` for the programs that a killed start left on this data folder, then ends those that go on. Only
 * processes that the folder's own files name, by number and moment of start, are touched.
 */
export async function endLeftovers(dataDir: string, patienceMs: number): Promise<void> {
  const folder = join(dataDir, 'run');
  const names = (await readdir(folder).catch(() => [])).filter(
    (name) => name.endsWith('.json') && name !== 'claim.json',
  );
  await Promise.all(names.map((name) => endLeftover(join(folder, name), patienceMs)));
}

async function endLeftover(file: string, patienceMs: number): Promise<void> {
  const identity = readIdentity(file);
  if (identity && !(await hasEnded(identity, patienceMs))) {
    signal(identity, 'SIGTERM');
    if (!(await hasEnded(identity, afterSigtermMs))) signal(identity, 'SIGKILL');
    if (!(await hasEnded(identity, afterSigkillMs))) {
      throw new OperatorError(
        `Process ${identity.pid}, left from an earlier start, does not end. Look at it, end it, then try again.`,
      );
    }
  }
  await rm(file, { force: true });
}

async function hasEnded(identity: ProcessIdentity, withinMs: number): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  while (isRunning(identity)) {
    if (performance.now() > deadline) return false;
    await pause(50);
  }
  return true;
}

function signal(identity: ProcessIdentity, name: NodeJS.Signals): void {
  try {
    if (isRunning(identity)) process.kill(identity.pid, name);
  } catch {
    // It ended between the look and the signal, or it is not ours to end: the wait that follows tells.
  }
}
