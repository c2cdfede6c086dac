import type { EventKind } from '#common/events/event.model.ts';
import { mailStatuses } from '../model/mail-status.ts';
import { bulkCompletedPayload } from './bulk-event.ts';
import { itemReturnedPayload } from './item-event.ts';
import { eventKindOf } from './mail-event.schema.ts';
import { mailEventPayload } from './mail-event.ts';

const sampleFailure = { code: 'SIMULATED', message: 'A test of your webhook: no letter has failed.' } as const;

/** What a test event is about. */
type SampleSubject = { mailJobId: string; externalId: string | null; itemId: string };

/** Returns a subject that does not exist. */
export function madeUp(id: string): SampleSubject {
  return { mailJobId: id, externalId: null, itemId: id };
}

/** Returns the payload of a test event, as declared in `eventPayloadSchemas`. */
export function samplePayload(kind: EventKind, { itemId, ...subject }: SampleSubject, at: Date) {
  const status = mailStatuses.find((each) => eventKindOf[each] === kind);
  if (kind === 'BULK_COMPLETED') {
    return bulkCompletedPayload({ bulkId: subject.mailJobId, sent: 0, refused: 0, totalCents: 0 }, at);
  }
  if (!status) return itemReturnedPayload({ ...subject, itemId, reason: 'other' }, at);
  return mailEventPayload({ ...subject, status, failure: status === 'failed' ? sampleFailure : null }, at);
}
