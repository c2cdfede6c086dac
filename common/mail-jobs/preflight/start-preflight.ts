import { setTimeout as wait } from 'node:timers/promises';
import { plusMs } from '#common/clock.ts';
import type { EnvelopeWindow } from '#common/config.ts';
import type { FindingCode } from '#common/documents/preflight/finding-table.ts';
import { notFound } from '#common/errors.ts';
import { newIdAt } from '#common/ids.ts';
import type { Owner } from '#common/modes.ts';
import { readCoverPageRule } from '#common/organizations/cover-pages.ts';
import { newDue } from '#common/platform/due-work/due-work.ts';
import { retryOnDuplicateKey } from '#common/platform/mongo/retry-on-duplicate-key.ts';
import type { Hints } from '#common/platform/redis/queues.ts';
import type { ObjectStore } from '#common/platform/s3/s3.ts';
import type { ServiceType } from '#common/pricing/tariff.schema.ts';
import { sha256Hex } from '#common/secrets.ts';
import { checkUploads, type NamedFile } from '#common/uploads/check-uploads.ts';
import { schemeFor } from '../render/judge-letter.ts';
import { Preflight, type PreflightRecord, preflightLifeMs, preflightWork } from './preflight.model.ts';

/** How often a waiting request looks for the result. Most checks take less than this. */
const pollMs = 100;

/** The finding of a check that failed on our side. */
const failedCheck: FindingCode = 'not_checked';

export type PreflightRequest = { files: readonly NamedFile[]; serviceType: ServiceType };
type StartDeps = { store: ObjectStore; hints: Hints; envelopeWindow: EnvelopeWindow };

/**
 * Starts the check of an owner's uploads, or finds one of the last 24 hours for the same bytes. One that failed on our
 * side is replaced. Throws VALIDATION_ERROR for unknown files, and StoreUnavailableError.
 */
export async function startPreflight(
  { organizationId, mode }: Owner,
  { files, serviceType }: PreflightRequest,
  { store, hints, envelopeWindow }: StartDeps,
  at: Date,
): Promise<PreflightRecord> {
  const owner = { organizationId, mode };
  const [checked, coverPages] = await Promise.all([
    checkUploads(owner, files, store, at),
    readCoverPageRule(organizationId),
  ]);
  const scheme = schemeFor(serviceType, envelopeWindow);
  const content = checked.files.map(({ s3Key, etag }) => [s3Key, etag]);
  const key = sha256Hex(JSON.stringify([organizationId, mode, scheme, coverPages, content]));
  const row = await retryOnDuplicateKey(async () => {
    // The database removes rows up to a minute after they expire. A check that failed on our side is made again.
    const isOver = [{ expiresAt: { $lte: at } }, { 'result.findings.code': failedCheck }];
    await Preflight.deleteOne({ key, $or: isOver });
    const fresh = {
      ...{ _id: newIdAt('pf', at), ...owner, files: checked.files, scheme, coverPages },
      due: { check: newDue(at) },
      expiresAt: plusMs(at, preflightLifeMs),
    };
    return await Preflight.findOneAndUpdate({ key }, { $setOnInsert: fresh }, { upsert: true, returnDocument: 'after' })
      .orFail()
      .lean<PreflightRecord>();
  });
  if (row.result === undefined) hints.notify(preflightWork.queue, [row._id]);
  return row;
}

/** Returns a preflight of this owner. Throws NOT_FOUND for any other, and for one that is older than 24 hours. */
export async function readPreflight({ organizationId, mode }: Owner, id: string, at: Date): Promise<PreflightRecord> {
  const filter = { _id: id, organizationId, mode, expiresAt: { $gt: at } };
  return await Preflight.findOne(filter).orFail(notFound).lean<PreflightRecord>();
}

/** Waits up to `withinMs` for the result. Returns the row with or without one. */
export async function waitForResult(row: PreflightRecord, withinMs: number): Promise<PreflightRecord> {
  const endsAtMs = performance.now() + withinMs;
  let latest = row;
  while (latest.result === undefined && performance.now() < endsAtMs) {
    await wait(pollMs);
    latest = (await Preflight.findById(row._id).lean<PreflightRecord>()) ?? latest;
  }
  return latest;
}
