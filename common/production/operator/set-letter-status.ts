import {
  type LiveStatusChange,
  type LiveStatusChanged,
  setLiveStatus,
} from '#common/mail-jobs/lifecycle/set-live-status.ts';
import { MailJob } from '#common/mail-jobs/model/mail-job.model.ts';
import { findRow } from '#common/platform/mongo/mongo.ts';
import { finishBatch } from '../submission/finish-batch.ts';
import type { OperatorDeps } from './operator-deps.ts';

/** Sets the status of a live mail job, and moves its batch on when none of its items is left behind. Throws like `setLiveStatus`. */
export async function setLetterStatus(
  change: LiveStatusChange,
  { hints, at }: OperatorDeps & { at: Date },
): Promise<LiveStatusChanged> {
  try {
    return await setLiveStatus(change, hints, at);
  } finally {
    // After a refusal too: the process that recorded the status may have died before it moved the batch on.
    const filter = { _id: change.mailJobId };
    const job = await findRow(MailJob, filter, { projection: { batchId: 1 } });
    if (job?.batchId !== undefined) await finishBatch(job.batchId, { at });
  }
}
