import type { Clock } from '#common/clock.ts';
import { plusMs } from '#common/clock.ts';
import type { AppError } from '#common/errors.ts';
import { appendEvents } from '#common/events/event.model.ts';
import { bulkCompletedPayload } from '#common/mail-jobs/events/bulk-event.ts';
import { createNotice } from '#common/notices/notice.model.ts';
import type { Claim } from '#common/platform/due-work/due-work.ts';
import { rowsOf } from '#common/platform/mongo/mongo.ts';
import { inTransaction } from '#common/platform/mongo/transaction.ts';
import type { Log } from '#common/platform/process/log.ts';
import type { Hints } from '#common/platform/redis/queues.ts';
import { Bulk, type BulkRecord, bulkLifeMs, type PauseCode } from '../model/bulk.model.ts';
import { BulkRow, type BulkRowRecord } from '../model/bulk-row.model.ts';
import { releaseBulkUploads } from '../model/bulk-uploads.ts';

/** The bulk of a claim, while it is sent under its lease. */
export const heldAndSending = ({ id, token, slot, row: { organizationId, mode } }: Claim<BulkRecord>) => ({
  ...{ _id: id, organizationId, mode, state: 'sending' },
  [`${slot.path}.leaseToken`]: token,
});

/** Ends a bulk whose rows are all mail jobs or refused, with its event. Does nothing when it was stopped meanwhile. */
export async function completeBulk(
  claim: Claim<BulkRecord>,
  { clock, hints, log }: { clock: Clock; hints: Hints; log: Log },
): Promise<void> {
  const now = clock.now();
  const set = { state: 'sent', completedAt: now, updatedAt: now, removeAt: plusMs(now, bulkLifeMs.ended) } as const;
  const { path } = claim.slot;
  const eventIds = await inTransaction(async (session) => {
    const bulk = await rowsOf<BulkRecord>(Bulk).findOneAndUpdate(
      heldAndSending(claim) as never,
      { $set: set, $unset: { [path]: '' } } as never,
      { session, returnDocument: 'after' },
    );
    if (!bulk) return null;
    const { _id: subjectId, organizationId, mode } = bulk;
    const payload = bulkCompletedPayload(
      { bulkId: subjectId, ...bulk.progress, totalCents: bulk.progress.sentCents },
      now,
    );
    const event = { organizationId, mode, kind: payload.event, subjectId, webhookUrl: null, payload };
    return await appendEvents(session, [event], now);
  });
  if (eventIds === null) return;
  hints.notify('fan-out', eventIds);
  await releaseBulkUploads(claim.row, now, set.removeAt);
  log.info({ bulkId: claim.id, rows: claim.row.counts.rows }, 'bulk sent');
}

/** Pauses a bulk that cannot continue, with a notice for its owner. Sent letters stay sent, and the rest waits. */
export async function pauseBulk(
  claim: Claim<BulkRecord>,
  { code, message }: { code: string; message: string },
  at: Date,
): Promise<void> {
  const pause = { code: code as PauseCode, message };
  const { path } = claim.slot;
  await inTransaction(async (session) => {
    const set = { state: 'paused', pause, updatedAt: at, removeAt: plusMs(at, bulkLifeMs.ended) };
    const bulk = await rowsOf<BulkRecord>(Bulk).findOneAndUpdate(
      heldAndSending(claim) as never,
      { $set: set, $unset: { [path]: '' } } as never,
      { session, returnDocument: 'after' },
    );
    if (!bulk) return;
    const { _id: subjectId, organizationId, mode, progress, counts } = bulk;
    const data = { reason: pause.code, sent: progress.sent, letters: counts.valid };
    const key = `BULK_PAUSED:${subjectId}:${at.toISOString()}`;
    await createNotice(session, { organizationId, mode, kind: 'BULK_PAUSED', subjectId, key, data }, at);
  });
}

/** Stores why these rows are no mail jobs. */
export async function refuseRows(
  claim: Claim<BulkRecord>,
  refused: readonly { row: BulkRowRecord; error: AppError }[],
): Promise<void> {
  if (refused.length === 0) return;
  const rows = rowsOf<BulkRowRecord>(BulkRow);
  const updates = refused.map(({ row: { _id }, error }) => {
    const fault = { column: null, code: 'refused', detail: describe(error) } as const;
    return { updateOne: { filter: { _id }, update: { $set: { state: 'refused', faults: [fault] } } } } as never;
  });
  await rows.bulkWrite(updates, { ordered: false });
  // Counted, not added: the chunk may be repeated after a kill.
  const count = await rows.countDocuments({ bulkId: claim.id, state: 'refused' });
  const { organizationId, mode } = claim.row;
  await rowsOf<BulkRecord>(Bulk).updateOne(
    { _id: claim.id, organizationId, mode },
    { $set: { 'progress.refused': count } },
  );
}

function describe({ message, issues }: AppError): string {
  return issues?.map((issue) => issue.message).join(' ') ?? message;
}
