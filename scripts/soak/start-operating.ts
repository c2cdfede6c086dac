import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '#common/errors.ts';
import { MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { Chore, type ChoreRecord } from '#common/platform/due-work/chore.model.ts';
import { isMongoUnavailable, rowsOf } from '#common/platform/mongo/mongo.ts';
import { Batch, type BatchRecord } from '#common/production/batches/batch.model.ts';
import { closeCutoffEarly } from '#common/production/operator/close-cutoff-early.ts';
import { markBatch } from '#common/production/operator/mark-batch.ts';

const everyMs = 5_000;
/** All chores: cleaners, recounts, the search for forgotten endpoints, and the reconciliation. */
const choresEveryMs = 30_000;
/** The scanner finds due work. */
const hints = { notify: () => {} } as never;

/** Work of an operator during the soak, which would otherwise wait for a cutoff or for an hour. */
export type Operator = {
  /** Settles after the current round. Rejects with the first failure that the database did not cause. */
  stop(): Promise<void>;
  /** Rounds that met a fault of the database, and were repeated. */
  interrupted(): number;
};

/** Closes batches, reports printed ones as posted, and makes all chores due, round after round. */
export function startOperating(): Operator {
  let isOpen = true;
  let interrupted = 0;
  let lastChoresMs = performance.now();
  const ending = new AbortController();
  const round = async () => {
    await closeBatches();
    await postBatches();
    if (performance.now() - lastChoresMs < choresEveryMs) return;
    lastChoresMs = performance.now();
    await rowsOf<ChoreRecord>(Chore).updateMany({}, { $min: { 'due.at': new Date() } });
  };
  const loop = async () => {
    while (isOpen) {
      await round().catch((error) => {
        if (!isInterruption(error)) throw error;
        interrupted += 1;
      });
      await sleep(everyMs, undefined, { signal: ending.signal }).catch(() => {});
    }
  };
  const looping = loop();
  looping.catch(() => {});
  return {
    async stop() {
      isOpen = false;
      ending.abort();
      await looping;
    },
    interrupted: () => interrupted,
  };
}

/** 503 and 409: the database is away, or a worker was faster. */
function isInterruption(error: Error): boolean {
  return (
    isMongoUnavailable(error) || (error instanceof AppError && ['SERVICE_UNAVAILABLE', 'CONFLICT'].includes(error.code))
  );
}

async function closeBatches(): Promise<void> {
  const isWaiting = { mode: 'live', status: 'queued', batchId: { $exists: false }, printFile: { $ne: null } } as const;
  const cutoffs = await rowsOf<MailJobRecord>(MailJob).distinct('dropAt', isWaiting);
  for (const cutoff of cutoffs) await closeCutoffEarly(cutoff, undefined, { hints, at: new Date() });
}

async function postBatches(): Promise<void> {
  const printed = await Batch.find({ state: 'printed', marking: { $exists: false } })
    .select({ _id: 1 })
    .lean<Pick<BatchRecord, '_id'>[]>();
  for (const { _id } of printed) await markBatch(_id, 'posted', undefined, { hints, at: new Date() });
}
