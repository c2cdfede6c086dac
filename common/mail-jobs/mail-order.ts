import type { Owner } from '../modes.ts';
import type { MailJobRecord } from './mail-job.model.ts';
import type { MailRequest } from './mail-request.schema.ts';

/** A request to send a letter, as the API hands it in. */
export type MailOrder = {
  request: MailRequest;
  /** The header's value; null when there is none. */
  idempotencyKey: string | null;
  owner: Owner;
  /** What the request is called in the logs; the letter keeps it, so that it can be followed. */
  requestId?: string;
};

/** `isNew` is false for an earlier job under the same externalId or Idempotency-Key. */
export type CreatedMailJob = { job: MailJobRecord; isNew: boolean; payloadMatches: boolean };
