import { plusMs } from '#common/clock.ts';
import { clockStepIndex, MailJob, type MailJobRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { unreportedMs } from '#common/mail-jobs/rules/lifecycle.ts';
import { rowsOf } from '#common/platform/mongo/mongo.ts';

/** Letters released per write. */
const releasedAtOnce = 100;

/**
 * Releases the letters of a clock that no letter joins any more. They take no further step by themselves, and their
 * retention goes by the wall clock, from `at` on. A registered letter that waits for a report settles as one that is
 * posted at `at`.
 */
export async function releaseLetters(clockId: string, at: Date): Promise<void> {
  const onClock = { 'clock.id': clockId };
  for (;;) {
    const rows = await MailJob.find(onClock, { _id: 1 }).hint(clockStepIndex).limit(releasedAtOnce).lean();
    if (rows.length === 0) return;
    await rowsOf<MailJobRecord>(MailJob).updateMany(
      { _id: { $in: rows.map(({ _id }) => _id) }, ...onClock } as object,
      [{ $set: wallClockFields(at) }, { $unset: 'clock' }],
    );
  }
}

function wallClockFields(at: Date) {
  const has = (path: string) => ({ $ifNull: [path, false] });
  const isOnItsWay = { $and: [{ $eq: ['$status', 'posted'] }, { $not: has('$redactedAt') }] };
  const reported = { addressesFrom: plusMs(at, unreportedMs) };
  const removedAt = { $mergeObjects: ['$printFile', { removeAt: at }] };
  return {
    printFile: { $cond: [has('$clock.removeFileAt'), removedAt, '$printFile'] },
    retention: {
      $cond: [has('$clock.settledAt'), { addressesFrom: at }, { $cond: [isOnItsWay, reported, '$$REMOVE'] }],
    },
  };
}
