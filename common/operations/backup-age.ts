import { readLastRun, recordRun } from '../platform/due-work/chore.model.ts';

const backupChore = 'backup';

/** Records that a backup of this moment is complete, for the alert on its age. */
export async function recordBackup(at: Date): Promise<void> {
  await recordRun(backupChore, { at, count: 1 });
}

/** Returns the age of the moment of the last recorded backup, in seconds. Null when none was ever recorded. */
export async function readBackupAgeS(now: Date): Promise<number | null> {
  const last = await readLastRun(backupChore);
  return last && (now.getTime() - last.at.getTime()) / 1_000;
}
