import type { Clock } from '#common/clock.ts';
import type { TypesettingPool } from '#common/documents/typesetting/typesetting-pool.ts';
import type { CreateDeps } from '#common/mail-jobs/create/create-mail-job.ts';
import type { MailCommitter } from '#common/mail-jobs/create/mail-committer.ts';
import type { Mode } from '#common/modes.ts';
import type { Log } from '#common/platform/process/log.ts';

/** What sending a bulk needs. */
export type BulkSendDeps = Omit<CreateDeps, 'mailCommitter' | 'requestSigner'> & {
  mailCommitter: Pick<MailCommitter, 'commit' | 'runExclusive'>;
  typesetting: TypesettingPool;
  maxStoredBytes: Record<Mode, number>;
  clock: Clock;
  log: Log;
};
