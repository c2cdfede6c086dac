import type { AuditActor } from '../audit/audit.model.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { AppError } from '../errors.ts';
import { makeDueNow } from '../platform/due-work/make-due-now.ts';
import type { Hints, QueueName } from '../platform/redis/queues.ts';
import { dueSlots } from './due-slots.ts';

export type RequeueRequest = { queue: QueueName; organizationId: string | null };

/** Their work belongs to no organization: batches have letters of several, and chores concern all. */
const sharedQueues: readonly QueueName[] = ['press', 'print-parts', 'cleanup'];

/**
 * Makes the work of a queue that threw due now, also where a pause has held its next try, and forgets its failures. For after a repair:
 * a letter whose rendering failed five times while a store was away would otherwise fail for good at the next error.
 * The work itself is done as at its regular retry, so no letter is printed or paid twice. Leaves out work in progress,
 * work that never threw and what has failed for good. Returns how much work it made due. Throws CONFLICT for an
 * organization whose own work the queue does not have.
 */
export async function requeueWork(
  { queue, organizationId }: RequeueRequest,
  by: AuditActor,
  { hints, at }: { hints: Hints; at: Date },
): Promise<number> {
  const [slot] = dueSlots.filter((each) => each.queue === queue);
  if (!slot) throw new Error(`No work has the queue ${queue}`);
  if (organizationId !== null && sharedQueues.includes(queue)) {
    throw new AppError('CONFLICT', {
      message: `Work of ${queue} belongs to no organization. Repeat the command without --org.`,
    });
  }
  const { count, someIds } = await makeDueNow(slot, organizationId, at);
  await recordAudit({ action: 'work.requeued', subjectId: queue, organizationId, detail: { count } }, by, at);
  hints.notify(queue, someIds);
  return count;
}
