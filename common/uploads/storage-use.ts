import { bytesPerGb } from '../config/variables.ts';
import { AppError } from '../errors.ts';
import type { Mode, Owner } from '../modes.ts';
import { Organization, type OrganizationRecord } from '../organizations/organization.model.ts';
import { unjournaled } from '../platform/due-work/due-work.ts';
import { rowsOf } from '../platform/mongo/mongo.ts';
import { retryOnDuplicateKey } from '../platform/mongo/retry-on-duplicate-key.ts';
import type { Log } from '../platform/process/log.ts';
import { neverRecounted, StorageUse, type StorageUseRecord, storageUseId } from './storage-use.model.ts';

/**
 * Reserves `bytes` for an owner with one conditional write, so concurrent requests cannot exceed the limit together: that
 * of the organization, or `usualMaxBytes`. Throws LIMIT_REACHED and adds nothing if they do not fit. The first upload of
 * an owner always fits: the lowest limit that can be set, 1 GB, exceeds the largest upload.
 */
export async function reserveStorage(owner: Owner, bytes: number, usualMaxBytes: number): Promise<void> {
  const maxBytes = (await readOwnMaxBytes(owner)) ?? usualMaxBytes;
  if (await addBytes(owner, bytes, { bytes: { $lte: maxBytes - bytes } })) return;
  const row = await rowsOf<StorageUseRecord>(StorageUse).findOne({ _id: storageUseId(owner) });
  throw new AppError('LIMIT_REACHED', { message: describeLimit(owner.mode, row?.bytes ?? 0, maxBytes) });
}

/**
 * Counts bytes stored regardless of the limit, or removed (negative). Logs a failure instead of throwing, because the
 * bytes are already stored or removed and the next recount corrects the count.
 */
export async function countStored(owner: Owner, bytes: number, log: Log): Promise<void> {
  await addBytes(owner, bytes, {}).catch((error: unknown) => {
    log.warn({ err: error, organizationId: owner.organizationId, mode: owner.mode, bytes }, 'stored bytes not counted');
  });
}

/**
 * Returns false if a row exists that does not match `onlyIf`. Unjournaled, so requests do not wait for the disk; the
 * next recount corrects a lost write.
 */
async function addBytes(owner: Owner, bytes: number, onlyIf: { bytes?: { $lte: number } }): Promise<boolean> {
  const { organizationId, mode } = owner;
  const fitting = { _id: storageUseId(owner), ...onlyIf };
  const change = { $inc: { bytes }, $setOnInsert: { organizationId, mode, recountAt: neverRecounted } };
  const uses = rowsOf<StorageUseRecord>(StorageUse);
  const { matchedCount, upsertedCount } = await retryOnDuplicateKey((attempt) =>
    // After a duplicate key the row exists: it does not match, or another request just inserted it.
    uses.updateOne(fitting, change, { upsert: attempt === 1, ...unjournaled }),
  );
  return matchedCount + upsertedCount === 1;
}

/** Returns the limit that an operator has set for the organization. */
async function readOwnMaxBytes({ organizationId, mode }: Owner): Promise<number | undefined> {
  const organization = await rowsOf<OrganizationRecord>(Organization).findOne(
    { _id: organizationId },
    { projection: { limits: 1 } },
  );
  const { storedTestGb, storedLiveGb } = organization?.limits ?? {};
  const ownGb = mode === 'test' ? storedTestGb : storedLiveGb;
  return ownGb === undefined ? undefined : ownGb * bytesPerGb;
}

function describeLimit(mode: Mode, usedBytes: number, maxBytes: number): string {
  return (
    `Uploads and print files in ${mode} mode may take ${maxBytes} bytes, ${usedBytes} are used. Upload fewer or ` +
    'smaller files, try again when unused uploads are removed, 26 hours after they were made, or ask the operator ' +
    'for a higher limit.'
  );
}
