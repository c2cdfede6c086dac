import { z } from 'zod';
import type { Credential } from '#common/access/credential.ts';
import { requireReadable } from '#common/access/require-scope.ts';
import { conflict, invalid, notFound } from '#common/errors.ts';
import { issueSentence } from '#common/fields/issue-sentence.ts';
import { newDue } from '#common/platform/due-work/due-work.ts';
import { findRow, rowsOf } from '#common/platform/mongo/mongo.ts';
import { inTransaction, type Transaction } from '#common/platform/mongo/transaction.ts';
import { readLetterTime } from '#common/sandbox/clocks/letter-time.ts';
import { stepOnClock } from '#common/sandbox/steps/letter-moments.ts';
import type { CutoffRules } from '#common/services.ts';
import { appendHistory, countSteps } from '../items/item-history.model.ts';
import { MailJob, type MailJobRecord } from '../model/mail-job.model.ts';
import { Metadata, MetadataPatch, metadataFields, toMetadata } from '../model/metadata.schema.ts';
import { requireChangeable } from '../rules/actions.ts';
import { planDrop } from '../rules/plan-drop.ts';

/** The body of PATCH /v1/mails/{id}: a merge patch (RFC 7396). */
export const MailPatch = z
  .strictObject({
    scheduledDropAt: z.iso
      .datetime({ offset: true })
      .nullable()
      .describe('Not in the past, at most 180 days ahead. `null`: with the next cutoff whose batch is open.'),
    metadata: MetadataPatch.nullable().describe('`null` for a key removes it; `null` for all removes all.'),
  })
  .partial()
  .refine((patch) => Object.keys(patch).length > 0, 'Give at least one field to change.')
  .meta({ id: 'MailJobPatch', minProperties: 1 });
export type MailPatch = z.infer<typeof MailPatch>;

/** Each change of the cutoff is a step of every copy. Beyond this, the steps of a letter would have no end. */
export const maxReschedules = 50;

/**
 * Changes when a job is posted, and its metadata, while it can be cancelled. Returns the changed job. Throws NOT_FOUND,
 * NOT_CANCELLABLE, VALIDATION_ERROR, CONFLICT when the job was moved to another cutoff 50 times, and FORBIDDEN for a
 * credential that may not read the job.
 */
export async function changeMailJob(
  credential: Pick<Credential, 'organizationId' | 'mode' | 'scopes' | 'id'>,
  { mailJobId, patch }: { mailJobId: string; patch: MailPatch },
  { cutoffs }: { cutoffs: CutoffRules },
  at: Date,
): Promise<MailJobRecord> {
  const { organizationId, mode } = credential;
  return await inTransaction(async (transaction) => {
    const filter = { _id: mailJobId, organizationId, mode };
    const job = await findRow<MailJobRecord>(MailJob, filter, { hint: { _id: 1 }, session: transaction });
    if (!job) throw notFound();
    requireReadable(credential, job, 'the letter');
    requireChangeable(job, at);
    const drop = patch.scheduledDropAt === undefined ? {} : await reschedule(transaction, job, { patch, cutoffs, at });
    const noted = patch.metadata === undefined ? {} : notedFields(job, patch.metadata);
    const changed = await rowsOf<MailJobRecord>(MailJob).findOneAndUpdate(
      filter,
      {
        $set: { ...drop, ...noted, updatedAt: at },
        ...(patch.metadata !== undefined && !('metadata' in noted) && { $unset: { metadata: '', metadataTags: '' } }),
      },
      { session: transaction, returnDocument: 'after' },
    );
    if (!changed) throw notFound();
    return changed;
  });
}

async function reschedule(
  transaction: Transaction,
  job: MailJobRecord,
  { patch, cutoffs, at }: { patch: MailPatch; cutoffs: CutoffRules; at: Date },
) {
  const { _id: mailJobId, organizationId, mode, serviceType, items } = job;
  const letterAt = await readLetterTime(job, at, transaction);
  const drop = planDrop(patch.scheduledDropAt, { serviceType, now: letterAt }, cutoffs);
  const planned = {
    ...drop,
    ...(mode === 'live' && { 'due.batch': newDue(drop.closesAt) }),
    ...stepOnClock({ ...job, ...drop }),
  };
  if (drop.dropAt.getTime() === job.dropAt.getTime()) return planned;
  const detail = { dropAt: drop.dropAt.toISOString() };
  const going = items.filter(({ status }) => status === 'queued');
  const step = { mailJobId, organizationId, mode, at: letterAt, kind: 'rescheduled', by: 'sender', detail } as const;
  const [first] = going;
  const count = first
    ? await countSteps(transaction, { organizationId, itemId: first.itemId, kind: 'rescheduled' })
    : 0;
  if (count >= maxReschedules) {
    const message = `This mail job was moved to another cutoff ${maxReschedules} times. Cancel it, and send it again.`;
    throw conflict(message);
  }
  const key = String(count + 1);
  await appendHistory(
    transaction,
    going.map(({ itemId }) => ({ ...step, itemId, key })),
  );
  return planned;
}

/** Returns the stored fields of the metadata after a merge patch. Throws VALIDATION_ERROR for too many keys. */
function notedFields(job: MailJobRecord, patch: MetadataPatch | null) {
  if (patch === null) return {};
  const merged = Object.entries({ ...toMetadata(job.metadata), ...patch }).filter(([, value]) => value !== null);
  const parsed = Metadata.safeParse(Object.fromEntries(merged), { error: issueSentence });
  if (!parsed.success) throw invalid(['metadata'], parsed.error.issues[0]?.message ?? 'Must be metadata.');
  return metadataFields(parsed.data);
}
