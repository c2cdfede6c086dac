import { AppError } from '#common/errors.ts';
import type { Owner } from '#common/modes.ts';
import { findRow, rowsOf } from '#common/platform/mongo/mongo.ts';
import type { Transaction } from '#common/platform/mongo/transaction.ts';
import type { ObjectStore } from '#common/platform/s3/s3.ts';
import { findStoredFiles, haveSameBytes, type PinnedFile } from '#common/uploads/check-uploads.ts';
import { MailJob, type MailJobRecord } from '../model/mail-job.model.ts';
import type { MailRequest } from '../model/mail-request.schema.ts';
import type { CreatedMailJob, Hashed, SendRequest } from '../model/send-request.ts';
import { hashMailRequest } from './hash-mail-request.ts';

const keyFields = ['externalId', 'idempotencyKey'] as const;
type KeyField = (typeof keyFields)[number];

/** Returns the key that identifies repeats of a request: its externalId, else its Idempotency-Key. */
function repeatKeyOf({ body, idempotencyKey }: SendRequest): { field: KeyField; value: string } | null {
  if (body.externalId != null) return { field: 'externalId', value: body.externalId };
  return idempotencyKey === null ? null : { field: 'idempotencyKey', value: idempotencyKey };
}

/**
 * Returns the existing job of a repeated request; null for a new request. Looks files with other keys up, to compare their
 * contents. Throws IDEMPOTENCY_MISMATCH.
 */
export async function findRepeat(
  sendRequest: SendRequest & Hashed,
  store: ObjectStore,
): Promise<CreatedMailJob | null> {
  const key = repeatKeyOf(sendRequest);
  if (!key) return null;
  const { organizationId, mode } = sendRequest.owner;
  // Majority read: the caller will not retry after this answer, so a failover must not roll the job back.
  const filter = { organizationId, mode, [key.field]: key.value };
  const job = await findRow<MailJobRecord>(MailJob, filter, { readConcern: { level: 'majority' } });
  const repeat = job && toRepeat(sendRequest, job, await findOtherFiles(sendRequest, job, store));
  if (repeat instanceof AppError) throw repeat;
  return repeat;
}

/** Returns the files of a repeat that was uploaded again. */
async function findOtherFiles({ owner, body }: SendRequest, job: MailJobRecord, store: ObjectStore) {
  const { files = [] } = body;
  const known = new Set(job.files.map(({ s3Key }) => s3Key));
  const others = new Set(files.map(({ s3Key }) => s3Key).filter((s3Key) => !known.has(s3Key)));
  return files.length === job.files.length ? await findStoredFiles(owner, [...others], store) : [];
}

/**
 * Returns the answer to a repeat. The same externalId returns the job whatever the body; the same Idempotency-Key with
 * a different body is an IDEMPOTENCY_MISMATCH. `files`: what is known of the files of the repeat.
 */
function toRepeat(
  { body, requestHashes, requestSigner }: SendRequest & Hashed,
  job: MailJobRecord,
  files: readonly PinnedFile[],
): CreatedMailJob | AppError {
  const withKnownKeys = () =>
    requestSigner && files.length > 0 ? hashMailRequest(withKeysOf(job, body, files), requestSigner) : [];
  const payloadMatches = requestHashes.includes(job.requestHash) || withKnownKeys().includes(job.requestHash);
  if (body.externalId == null && !payloadMatches) return new AppError('IDEMPOTENCY_MISMATCH');
  return { job, isNew: false, payloadMatches };
}

/** Returns the request with the keys of the job, where its files are known to have the same bytes. */
function withKeysOf(job: MailJobRecord, body: MailRequest, known: readonly PinnedFile[]): MailRequest {
  const files = body.files?.map((file, index) => {
    const original = job.files[index];
    const given = known.find(({ s3Key }) => s3Key === file.s3Key);
    return original && given && haveSameBytes(original, given) ? { ...file, s3Key: original.s3Key } : file;
  });
  return { ...body, files };
}

/** The jobs that the requests of one transaction may repeat: stored ones, and new ones of the same transaction. */
export type EarlierJobs = {
  /** Like `findRepeat`, but knows only the given files, and returns the IDEMPOTENCY_MISMATCH instead of throwing it. */
  find(sendRequest: SendRequest & Hashed, files?: readonly PinnedFile[]): CreatedMailJob | AppError | null;
  add(sendRequest: SendRequest, job: MailJobRecord): void;
};

/**
 * Reads the stored jobs of all these requests with one query: in the snapshot of the transaction, or without one what is
 * majority-committed.
 */
export async function findEarlierJobs(
  transaction: Transaction | null,
  sendRequests: readonly SendRequest[],
): Promise<EarlierJobs> {
  const found = new Map<string, MailJobRecord>();
  const filters = toFilters(sendRequests);
  if (filters.length > 0) {
    const options = transaction ? { session: transaction } : { readConcern: { level: 'majority' as const } };
    const jobs = rowsOf<MailJobRecord>(MailJob).find({ $or: filters }, options);
    for await (const job of jobs) {
      for (const field of keyFields) if (job[field] !== undefined) found.set(nameOf(job, field, job[field]), job);
    }
  }
  const lookupNameOf = (sendRequest: SendRequest) => {
    const key = repeatKeyOf(sendRequest);
    return key && nameOf(sendRequest.owner, key.field, key.value);
  };

  return {
    find(sendRequest, files = []) {
      const job = found.get(lookupNameOf(sendRequest) ?? '');
      return job ? toRepeat(sendRequest, job, files) : null;
    },
    add(sendRequest, job) {
      const name = lookupNameOf(sendRequest);
      if (name !== null) found.set(name, job);
    },
  };
}

/** Returns one filter per owner and kind of key: each is one index lookup for many requests. */
function toFilters(sendRequests: readonly SendRequest[]) {
  const keyed = sendRequests.flatMap((sendRequest) => {
    const { organizationId, mode } = sendRequest.owner;
    const key = repeatKeyOf(sendRequest);
    return key ? [{ organizationId, mode, ...key }] : [];
  });
  const groups = Map.groupBy(keyed, ({ organizationId, mode, field }) => `${organizationId} ${mode} ${field}`);
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const { organizationId, mode, field } = first;
    return [{ organizationId, mode, [field]: { $in: group.map(({ value }) => value) } }];
  });
}

const nameOf = ({ organizationId, mode }: Owner, field: KeyField, value: string) =>
  `${organizationId} ${mode} ${field} ${value}`;
