import { createLease, whileLeased } from '#common/platform/mongo/lease.model.ts';
import type { Log } from '#common/platform/process/log.ts';
import { OperatorError } from '../program/operator-error.ts';

/** A process that dies keeps others from making backups for this long. */
const leaseMs = 60_000;

/**
 * Runs `work` while no other process makes or removes backups of this installation, on any machine: removing objects
 * beside a backup could remove those that it has just found. `isStillAlone` asks the database: a process that was
 * stopped for longer than its lease may have a successor. Throws OperatorError while another one runs.
 */
export async function holdingBackups<Result>(
  log: Log,
  work: (isStillAlone: () => Promise<boolean>) => Promise<Result>,
): Promise<Result> {
  const lease = createLease('backups', leaseMs);
  if (!(await lease.hold())) {
    throw new OperatorError(
      'Another backup of this installation is running. Wait for it to end. If its process hangs, end it, wait a minute, and repeat the command.',
    );
  }
  try {
    return await whileLeased({ renew: lease.hold, leaseMs, log }, () => work(lease.hold));
  } finally {
    // A lease that is not released ends by itself, and its failure must not hide that of the work.
    await lease.release().catch((error: unknown) => log.warn({ err: error }, 'lease of backups not released'));
  }
}
