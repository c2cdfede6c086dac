import { findDefaultSender } from '#common/addresses/find-default-sender.ts';
import { plusMs } from '#common/clock.ts';
import type { EnvelopeWindow } from '#common/config/variables.ts';
import type { AddressProblem } from '#common/documents/addressing/check-addresses.ts';
import type { FindingCode } from '#common/documents/preflight/finding-table.ts';
import type { SchemeName } from '#common/documents/sheet/envelope-schemes.ts';
import { AppError, notFound } from '#common/errors.ts';
import { keyWithin, newIdAt } from '#common/ids.ts';
import type { Owner } from '#common/modes.ts';
import { readCoverPageRule } from '#common/organizations/cover-pages.ts';
import { createResultWaiter } from '#common/platform/due-work/await-result.ts';
import { newDue } from '#common/platform/due-work/due-work.ts';
import { retryOnDuplicateKey } from '#common/platform/mongo/retry-on-duplicate-key.ts';
import type { Hints } from '#common/platform/redis/queues.ts';
import type { ObjectStore } from '#common/platform/s3/s3.ts';
import { requireTemporarySpace } from '#common/platform/s3/temporary-objects.ts';
import { sha256Hex } from '#common/secrets.ts';
import type { ServiceType, Zone } from '#common/services.ts';
import { checkUploads, type NamedFile } from '#common/uploads/check-uploads.ts';
import { findAddressProblems } from '../create/check-printed-addresses.ts';
import { resolveAddresses } from '../create/resolve-addresses.ts';
import type { MailRequest } from '../model/mail-request.schema.ts';
import { schemeFor } from '../rules/scheme-for.ts';
import { Preflight, type PreflightRecord, preflightLifeMs, preflightWork, printFileLifeMs } from './preflight.model.ts';

/** Most checks of an owner that are not finished. */
const maxUnfinished = 20;
/** When a request beyond that is worth a retry. */
const fullRetryS = 5;

/** The finding of a check that failed on our side. */
const failedCheck: FindingCode = 'not_checked';

/**
 * `recipients`: judged with the sender, by default the default one. Absent: only the files are checked, for one recipient
 * unless `recipientCount` says more. `zone` absent: any country.
 */
export type PreflightRequest = {
  files: readonly NamedFile[];
  serviceType: ServiceType;
  /** Absent: printed on both sides. */
  doubleSided?: boolean | null | undefined;
  /** Absent: printed in black. */
  color?: boolean | null | undefined;
  zone?: Zone | null | undefined;
  recipients?: MailRequest['recipients'] | null | undefined;
  sender?: MailRequest['sender'];
  recipientCount?: number;
  /** Keeps the print file for this resource, in place of a picture. The check is shared within that resource only. */
  keptFor?: string;
};
type StartDeps = { store: ObjectStore; hints: Hints; envelopeWindow: EnvelopeWindow };

/**
 * Starts the check of an owner's uploads, or finds one of the last 24 hours for the same bytes. One that failed on our
 * side is replaced. Throws VALIDATION_ERROR for unknown files and address book entries, RATE_LIMITED while 20 checks of
 * the owner are not finished and when there is no space for a print file, and StoreUnavailableError.
 */
export async function startPreflight(
  { organizationId, mode }: Owner,
  request: PreflightRequest,
  { store, hints, envelopeWindow }: StartDeps,
  at: Date,
): Promise<PreflightRecord> {
  const owner = { organizationId, mode };
  const { files, serviceType, doubleSided, color, zone = null, recipients, sender, keptFor } = request;
  const scheme = schemeFor(serviceType, envelopeWindow);
  const [checked, coverPages, addressProblems] = await Promise.all([
    checkUploads(owner, files, store, at),
    readCoverPageRule(organizationId),
    recipients ? checkRecipients({ zone, recipients, sender }, owner, scheme) : [],
  ]);
  const { recipientCount = recipients?.length ?? 1 } = request;
  // It matters only where the document may show the address itself.
  const hasSeveralRecipients = coverPages === 'never' && recipientCount > 1;
  const content = checked.files.map(({ s3Key, etag }) => [s3Key, etag]);
  const print = { ...(doubleSided === false && { doubleSided }), ...(color === true && { color }) };
  const digest = sha256Hex(
    JSON.stringify([organizationId, mode, scheme, coverPages, content, hasSeveralRecipients, addressProblems, print]),
  );
  const key = keptFor === undefined ? digest : keyWithin(keptFor, digest);
  const _id = newIdAt('pf', at);
  const row = await retryOnDuplicateKey(async () => {
    // The database removes rows up to a minute after they expire. A check that failed on our side is made again.
    const isOver = [{ expiresAt: { $lte: at } }, { 'result.findings.code': failedCheck }];
    await Preflight.deleteOne({ key, $or: isOver });
    const fresh = {
      ...{ _id, ...owner, files: checked.files, scheme, coverPages, ...print },
      ...{ hasSeveralRecipients, addressProblems },
      ...(keptFor !== undefined && { keptFor }),
      due: { check: newDue(at) },
      expiresAt: plusMs(at, keptFor === undefined ? preflightLifeMs : printFileLifeMs),
    };
    return await Preflight.findOneAndUpdate({ key }, { $setOnInsert: fresh }, { upsert: true, returnDocument: 'after' })
      .orFail()
      .lean<PreflightRecord>();
  });
  if (row._id === _id) await refuseBeyondLimit(row);
  if (row.result === undefined) hints.notify(preflightWork.queue, [row._id]);
  return row;
}

async function checkRecipients(
  given: Pick<MailRequest, 'recipients' | 'sender'> & { zone: Zone | null },
  owner: Owner,
  scheme: SchemeName,
): Promise<AddressProblem[]> {
  const { recipients, sender, issues } = await resolveAddresses(given, owner);
  if (issues.length > 0) throw new AppError('VALIDATION_ERROR', { issues });
  const from = sender ?? (await findDefaultSender(owner)).address;
  return await findAddressProblems(given, { recipients, sender: from }, scheme);
}

/**
 * Removes a new row and throws when its owner has too many that are not finished. Counting after the row was written, so
 * that simultaneous requests cannot exceed the limit; more of them than needed may be refused.
 */
async function refuseBeyondLimit({ _id, organizationId, mode, keptFor }: PreflightRecord): Promise<void> {
  const unfinished = { organizationId, mode, 'due.check.at': { $exists: true } };
  try {
    if (keptFor !== undefined) await requireTemporarySpace({ organizationId, mode });
    if ((await Preflight.countDocuments(unfinished).limit(maxUnfinished + 1)) <= maxUnfinished) return;
    const message = `${maxUnfinished} checks of your organization are not finished. Wait for their results, then try again.`;
    throw new AppError('RATE_LIMITED', { message, retryAfterS: fullRetryS });
  } catch (error) {
    await Preflight.deleteOne({ _id });
    throw error;
  }
}

/** Returns a preflight of this owner. Throws NOT_FOUND for any other, and for one that is older than 24 hours. */
export async function readPreflight({ organizationId, mode }: Owner, id: string, at: Date): Promise<PreflightRecord> {
  const filter = { _id: id, organizationId, mode, expiresAt: { $gt: at } };
  return await Preflight.findOne(filter).orFail(notFound).lean<PreflightRecord>();
}

/** Waits up to `withinMs` for the result of a check. Returns the row with or without one. */
export const waitForResult = createResultWaiter((id) => Preflight.findById(id).lean<PreflightRecord>());
