import { invalid, notFound } from '#common/errors.ts';
import { appendEvents, Event, type EventKind, mailEventKinds, triggerPrefix } from '#common/events/event.model.ts';
import { newId } from '#common/ids.ts';
import type { Owner } from '#common/modes.ts';
import { findRow } from '#common/platform/mongo/mongo.ts';
import { inTransaction, isInserted } from '#common/platform/mongo/transaction.ts';
import type { Hints } from '#common/platform/redis/queues.ts';
import { readLetterTime } from '#common/sandbox/clocks/letter-time.ts';
import { MailJob, type MailJobRecord } from '../model/mail-job.model.ts';
import { ownTarget } from './mail-event.ts';
import { madeUp, samplePayload } from './sample-payload.ts';

export type TriggerRequest = { event: EventKind; mailJobId?: string | undefined };
type Triggered = { eventId: string; event: EventKind; mailJobId: string };

/**
 * Sends a test event to all webhooks of an owner that name its kind, by the ordinary mechanism: about a mail job of the
 * owner, which does not change, or about one that does not exist (`trigger-…`). It goes to the mail job's own URL when it
 * would in earnest. Throws NOT_FOUND, and VALIDATION_ERROR for a mail job with an event of a bulk.
 */
export async function triggerEvent(
  { organizationId, mode }: Owner,
  { event: kind, mailJobId: givenId }: TriggerRequest,
  { hints }: { hints: Hints },
  at: Date,
): Promise<Triggered> {
  if (givenId !== undefined && kind === 'BULK_COMPLETED') {
    throw invalid(['mailJobId'], 'BULK_COMPLETED is about a bulk. Leave this out.');
  }
  // A subject of its own: the same event of the mail job itself happens once, and must still be possible.
  const subjectId = triggerPrefix + newId('evt').slice('evt_'.length);
  const job = givenId === undefined ? null : await readJob({ organizationId, mode }, givenId);
  const subject = job
    ? { mailJobId: job._id, externalId: job.externalId ?? null, itemId: job.items[0]?.itemId ?? '' }
    : madeUp(subjectId);
  const isOfJob = (mailEventKinds as readonly EventKind[]).includes(kind);
  const letterAt = await readLetterTime(job ?? {}, at);
  const event = {
    organizationId,
    mode,
    kind,
    subjectId,
    ...(isOfJob && job ? ownTarget(job) : { webhookUrl: null }),
    ...(job?.clock && { clockId: job.clock.id }),
    payload: samplePayload(kind, subject, letterAt),
  };
  const [eventId = ''] = await inTransaction((transaction) => appendEvents(transaction, [event], at), {
    isStored: (transaction, [stored = '']) => isInserted(transaction, Event, stored, event),
  });
  hints.notify('fan-out', [eventId]);
  return { eventId, event: kind, mailJobId: subject.mailJobId };
}

async function readJob(owner: Owner, _id: string): Promise<MailJobRecord> {
  const { organizationId, mode } = owner;
  const job = await findRow<MailJobRecord>(MailJob, { _id, organizationId, mode }, { hint: { _id: 1 } });
  if (!job) throw notFound();
  return job;
}
