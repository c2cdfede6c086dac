import { findEndedGrants } from '#common/access/live-grants.ts';
import { AppError, hasCode } from '#common/errors.ts';
import { createMailJobs } from '#common/mail-jobs/create/create-mail-jobs.ts';
import type { CreatedMailJob } from '#common/mail-jobs/model/send-request.ts';
import { type Claim, reloadClaim } from '#common/platform/due-work/due-work.ts';
import { typesetForSending } from '../documents/typeset-for-sending.ts';
import type { BulkRecord } from '../model/bulk.model.ts';
import { type BulkRowRecord, rowsOfBulk } from '../model/bulk-row.model.ts';
import { readRows } from '../read/read-rows.ts';
import type { BulkSendDeps } from './bulk-send-deps.ts';
import { cancelLetters } from './cancel-letters.ts';
import { continueLater } from './continue-later.ts';
import { dropUnusedCells } from './drop-unused-cells.ts';
import { completeBulk, pauseBulk, refuseRows } from './end-sending.ts';
import { createProgressGuard } from './progress-guard.ts';
import { filesOf, toSendRequest } from './to-send-request.ts';

/**
 * Rows that become mail jobs together, in several transactions. Enough to keep the group commit busy, and few enough that
 * a kill repeats little.
 */
const chunkRows = 512;
/** Letters of a template are set one by one. */
const chunkTemplateRows = 64;
const consentEnded = {
  code: 'CONSENT_ENDED',
  message: 'The access of the application that sent it has ended.',
};
/** After this long another bulk gets the worker: the claim is due again behind those that wait. */
const sliceMs = 5_000;

type Stop = { closing: AbortSignal; signal: AbortSignal };

/**
 * Turns the rows of a bulk into mail jobs for a few seconds, or cancels those of a cancelled bulk. Repeating a chunk is
 * harmless: the mail job of a row has the externalId `<bulk id>:<row>`. Any error but a refusal is thrown for a retry.
 */
export async function runBulkSend(claim: Claim<BulkRecord>, deps: BulkSendDeps, stop: Stop): Promise<void> {
  if (claim.row.state === 'cancelled') return await cancelLetters(claim, deps, stop);
  const endsAt = performance.now() + sliceMs;
  const guard = createProgressGuard(claim);
  let current = claim;
  while (current.row.state === 'sending') {
    const rows = await readNextRows(current.row);
    const last = rows.at(-1);
    if (last === undefined) {
      await dropUnusedCells(current.row, { after: current.row.doneUpTo, upTo: `${claim.id};` });
      return await completeBulk(current, deps);
    }
    const isDone = await sendRows(current, rows, { ...deps, guard, signal: stop.signal });
    if (isDone) await dropUnusedCells(current.row, { after: current.row.doneUpTo, upTo: last._id });
    const set = isDone ? { doneUpTo: last._id, updatedAt: deps.clock.now() } : {};
    const reloaded = await reloadClaim(current, { set, onlyIf: { state: 'sending' } });
    // Paused or cancelled, and perhaps another worker has it already.
    if (!reloaded || stop.signal.aborted) return;
    current = reloaded;
    if (isDone && performance.now() < endsAt && !stop.closing.aborted) continue;
    if (current.row.state === 'sending') await continueLater(current, deps);
    return;
  }
}

async function readNextRows({ _id, doneUpTo, template }: BulkRecord): Promise<BulkRowRecord[]> {
  const limit = template ? chunkTemplateRows : chunkRows;
  const { rows } = await readRows({ ...rowsOfBulk(_id, doneUpTo), state: 'valid' }, { limit, hint: { _id: 1 } });
  return rows;
}

type Sending = BulkSendDeps & { guard: ReturnType<typeof createProgressGuard>; signal: AbortSignal };

/** Returns whether each row is a mail job or refused. If not, the bulk is paused, was stopped, or must try again. */
async function sendRows(claim: Claim<BulkRecord>, rows: BulkRowRecord[], deps: Sending): Promise<boolean> {
  const at = deps.clock.now();
  const { grantId } = claim.row;
  if (grantId !== undefined && (await findEndedGrants([grantId], at)).has(grantId)) {
    await pauseBulk(claim, consentEnded, at);
    return false;
  }
  const prepared = await prepareRows(claim.row, rows, deps).catch((error: unknown) => {
    if (!hasCode(error, 'LIMIT_REACHED')) throw error;
    return error as AppError;
  });
  if (prepared instanceof AppError) {
    await pauseBulk(claim, prepared, at);
    return false;
  }
  const ready = prepared.flatMap((each) => ('error' in each ? [] : [each]));
  const bulk = freshDrop(claim.row, at);
  const requests = ready.map(({ row, files }) => toSendRequest(bulk, row, files));
  // Only this worker repeats a row, by its externalId. Without hashes, the process that opens documents needs no key.
  const outcomes = await createMailJobs(requests, { ...deps, requestSigner: null }, { guard: deps.guard, at });
  const errors = outcomes.filter((outcome) => outcome instanceof AppError);
  // Stopped: the guard has refused them.
  if (errors.some((error) => hasCode(error, 'CONFLICT'))) return false;
  const busy = errors.find((error) => hasCode(error, 'SERVICE_UNAVAILABLE') || hasCode(error, 'PRICING_UNAVAILABLE'));
  if (busy) throw busy;
  const stopping = errors.find((error) => hasCode(error, 'INSUFFICIENT_FUNDS') || hasCode(error, 'PRICE_CHANGED'));
  if (stopping) {
    await pauseBulk(claim, stopping, at);
    return false;
  }
  const unprepared = prepared.flatMap((each) => ('error' in each ? [each] : []));
  await refuseRows(claim, [
    ...unprepared,
    ...findRefused(
      ready.map(({ row }) => row),
      outcomes,
    ),
  ]);
  return true;
}

type ReadyRow = { row: BulkRowRecord; files: { s3Key: string }[] };

/** Finds the document of each row. Those of a template are set now. */
async function prepareRows(
  bulk: BulkRecord,
  rows: readonly BulkRowRecord[],
  deps: Sending,
): Promise<(ReadyRow | { row: BulkRowRecord; error: AppError })[]> {
  const { template } = bulk;
  if (!template) return rows.map((row) => ({ row, files: filesOf(bulk, row) }));
  const set = await typesetForSending({ ...bulk, template }, rows, deps, deps.signal);
  return set.map((each) => ('error' in each ? each : { row: each.row, files: [{ s3Key: each.s3Key }] }));
}

function findRefused(rows: readonly BulkRowRecord[], outcomes: readonly (CreatedMailJob | AppError)[]) {
  return rows.flatMap((row, index) => {
    const outcome = outcomes[index];
    return outcome instanceof AppError ? [{ row, error: outcome }] : [];
  });
}

/** A time that has passed while the bulk waited means: as soon as possible. */
function freshDrop(bulk: BulkRecord, at: Date): BulkRecord {
  const isPast = bulk.scheduledDropAt !== null && new Date(bulk.scheduledDropAt) < at;
  return isPast ? { ...bulk, scheduledDropAt: null } : bulk;
}
