import { plusMs } from '#common/clock.ts';
import { layoutVersion } from '#common/documents/typesetting/letter-content.ts';
import { letterFaults } from '#common/documents/typesetting/refusals.ts';
import { AppError } from '#common/errors.ts';
import { keyWithin, newIdAt } from '#common/ids.ts';
import type { Owner } from '#common/modes.ts';
import { createResultWaiter } from '#common/platform/due-work/await-result.ts';
import { newDue } from '#common/platform/due-work/due-work.ts';
import { retryOnDuplicateKey } from '#common/platform/mongo/retry-on-duplicate-key.ts';
import type { Hints } from '#common/platform/redis/queues.ts';
import { sha256Hex } from '#common/secrets.ts';
import { reserveStorage } from '#common/uploads/storage-use.ts';
import { readLetterhead } from './letterheads.ts';
import type { TemplateVersion } from './template.model.ts';
import { type MergeVariables, textsOf } from './text/fill-template.ts';
import { TypesetJob, type TypesetJobRecord, typesetJobLifeMs, typesetWork } from './typeset-job.model.ts';

/** Most letters of an owner that are not typeset yet. A process typesets more than 20 in a second. */
const maxUnfinished = 500;
/** When a request beyond that is worth a retry. */
const fullRetryS = 5;

export type TypesetJobDeps = { hints: Hints; maxStoredBytes: number };

/** What a letter is made of. */
export type LetterSource = Pick<TemplateVersion, 'language' | 'text'> & {
  variables: MergeVariables;
  /** Typesets it also if the same letter exists, so the caller may move or remove the upload. */
  isOwn?: boolean;
  /** The resource that the letter is made for. It is shared within that only, and can be removed with it. */
  keptFor?: string;
};

/**
 * Starts the typesetting of a letter, or finds that of the same one in the last 20 hours. One that failed on our side is
 * replaced. Throws RATE_LIMITED while 500 letters of the owner are not typeset, and LIMIT_REACHED when its uploads take
 * all of its storage.
 */
export async function startTypesetJob(
  { organizationId, mode }: Owner,
  { language, text, variables, isOwn = false, keptFor }: LetterSource,
  { hints, maxStoredBytes }: TypesetJobDeps,
  at: Date,
): Promise<TypesetJobRecord> {
  const owner = { organizationId, mode };
  const letterhead = await readLetterhead(organizationId);
  const texts = [...textsOf(variables)].sort(([a], [b]) => (a < b ? -1 : 1));
  const content = [organizationId, mode, layoutVersion, letterhead?.version ?? 0, language, text, texts];
  const _id = newIdAt('set', at);
  const digest = sha256Hex(JSON.stringify(isOwn ? [...content, _id] : content));
  const key = keptFor === undefined ? digest : keyWithin(keptFor, digest);
  const row = await retryOnDuplicateKey(async () => {
    // The database removes rows up to a minute after they expire. One that failed on our side is made again, and one that
    // exceeded its limits: a briefly slow machine causes that too.
    const isOver = [
      { expiresAt: { $lte: at } },
      { 'result.isOurFault': true },
      { 'result.fault': letterFaults.too_hard },
    ];
    await TypesetJob.deleteOne({ key, $or: isOver });
    const fresh = {
      ...{ _id, ...owner, language, text, variables: JSON.stringify(variables) },
      due: { typeset: newDue(at) },
      expiresAt: plusMs(at, typesetJobLifeMs),
    };
    return await TypesetJob.findOneAndUpdate(
      { key },
      { $setOnInsert: fresh },
      { upsert: true, returnDocument: 'after' },
    )
      .orFail()
      .lean<TypesetJobRecord>();
  });
  if (row._id === _id) await refuseBeyondLimits(row, maxStoredBytes);
  if (row.result === undefined) hints.notify(typesetWork.queue, [row._id]);
  return row;
}

/**
 * Removes a new row and throws when its owner has too many that are not finished, or no storage left. Counting after the
 * row was written, so that simultaneous requests cannot exceed the limit; more of them than needed may be refused.
 */
async function refuseBeyondLimits({ _id, ...row }: TypesetJobRecord, maxStoredBytes: number): Promise<void> {
  const owner = { organizationId: row.organizationId, mode: row.mode };
  const unfinished = { ...owner, 'due.typeset.at': { $exists: true } };
  try {
    // The size is not known yet: the worker counts it.
    await reserveStorage(owner, 0, maxStoredBytes);
    if ((await TypesetJob.countDocuments(unfinished).limit(maxUnfinished + 1)) <= maxUnfinished) return;
    const message = `${maxUnfinished} letters of your organization wait to be typeset. Try again in a few seconds.`;
    throw new AppError('RATE_LIMITED', { message, retryAfterS: fullRetryS });
  } catch (error) {
    await TypesetJob.deleteOne({ _id });
    throw error;
  }
}

/** Delay before the first look for a letter: most are typeset in less. */
const firstLookMs = 40;

/** Waits up to `withinMs` for a letter to be typeset. Returns the row with or without its result. */
export const waitForTypesetJob = createResultWaiter(
  (id) => TypesetJob.findById(id).lean<TypesetJobRecord>(),
  firstLookMs,
);
