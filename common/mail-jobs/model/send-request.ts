import type { Credential } from '#common/access/credential.ts';
import type { Owner } from '#common/modes.ts';
import type { Signer } from '#common/secrets.ts';
import type { MailJobRecord, MailWarning } from './mail-job.model.ts';
import type { MailRequest, ReadyMailRequest } from './mail-request.schema.ts';

/** A request to send a letter, with its caller. */
export type SendRequest = {
  body: MailRequest;
  /** Value of the Idempotency-Key header; null when absent. */
  idempotencyKey: string | null;
  owner: Owner;
  /** The job stores the id, because a repeat by another credential may show less. */
  credential: Pick<Credential, 'id' | 'scopes'> & Partial<Pick<Credential, 'actor'>>;
  /** X-Request-Id. The job stores it, so its log lines can be traced to the request. */
  requestId?: string;
};

/** The hashes of its body, by which a repeat is compared, and what made them, if anything: see `hashMailRequest`. */
export type Hashed = { requestHashes: readonly string[]; requestSigner: Signer | null };

/** A send request whose files are known. `template`: what they were made of. */
export type ReadySendRequest = Omit<SendRequest, 'body'> & {
  body: ReadyMailRequest;
  template?: { templateId: string; version: number };
  warnings?: MailWarning[];
};

/** `isNew` is false for an existing job with the same externalId or Idempotency-Key. */
export type CreatedMailJob = { job: MailJobRecord; isNew: boolean; payloadMatches: boolean };
