import type { Clock } from '#common/clock.ts';
import type { EnvelopeWindow } from '#common/config/variables.ts';
import { checkAddresses } from '#common/documents/addressing/check-addresses.ts';
import { DocumentError } from '#common/documents/isolation/document-error.ts';
import { type RenderSlots, SlowSlotTakenError } from '#common/documents/isolation/render-slots.ts';
import type { Finding } from '#common/documents/preflight/finding.ts';
import { type PrintFile, renderPrintFile } from '#common/documents/print-file/render-print-file.ts';
import { envelopeSchemes, type SchemeName } from '#common/documents/sheet/envelope-schemes.ts';
import type { WarmPool } from '#common/documents/warm/warm-pool.ts';
import { conflict, hasCode } from '#common/errors.ts';
import { readCoverPageRule } from '#common/organizations/cover-pages.ts';
import { type Claim, finishClaim, newDue } from '#common/platform/due-work/due-work.ts';
import type { Log } from '#common/platform/process/log.ts';
import { createLazyFolder, makeTempFolder } from '#common/platform/process/temp-folders.ts';
import type { Hints } from '#common/platform/redis/queues.ts';
import type { ObjectStore } from '#common/platform/s3/s3.ts';
import { readLetterTime } from '#common/sandbox/clocks/letter-time.ts';
import { renderedFields } from '#common/sandbox/steps/letter-moments.ts';
import { firstSandboxStep, type SandboxTimes } from '#common/sandbox/steps/sandbox-steps.ts';
import { countStored } from '#common/uploads/storage-use.ts';
import { recordPageCounts } from '#common/uploads/upload-findings.ts';
import { advanceItems } from '../items/advance-items.ts';
import type { Failure } from '../model/failure.ts';
import {
  logFieldsOf,
  MailJob,
  type MailJobRecord,
  type PrintFileRecord,
  slowRenderWork,
} from '../model/mail-job.model.ts';
import { mailStatuses } from '../model/mail-status.ts';
import { isFinal } from '../rules/lifecycle.ts';
import { schemeFor } from '../rules/scheme-for.ts';
import { fetchFiles } from './fetch-files.ts';
import { findingOfError } from './finding-of-error.ts';
import { type JudgedLetter, judgeLetter } from './judge-letter.ts';
import { recordFault, refuseKnownFaults } from './known-faults.ts';
import { printFileKey } from './print-file-key.ts';
import { toPrintFileRecord } from './print-file-record.ts';
import { failureOf, givenUp, neverFinished } from './render-failures.ts';

export type RenderDeps = {
  store: ObjectStore;
  slots: RenderSlots;
  /** Null: every file is opened by a process of its own. */
  warmPool: WarmPool | null;
  hints: Hints;
  /** The window of the envelopes for letters without registration. */
  envelopeWindow: EnvelopeWindow;
  sandbox: SandboxTimes;
  clock: Clock;
  log: Log;
};

/**
 * Retry delays after a failure that the files did not cause (store unavailable, child killed by the system). After the
 * last retry the job fails. They add up to about 42 minutes, so a short outage fails no jobs.
 */
export const renderRetryDelaysMs = [1_000, 30_000, 120_000, 600_000, 1_800_000] as const;

/**
 * After this many claims that ended without a result the job fails, because it may be what kills its workers. Well
 * above the number that deployments and unrelated crashes cause for one job.
 */
const maxUnfinished = 10;

/**
 * Renders the print file of a job: downloads its files in the version that the job was created with, checks and merges
 * them, and stores the result. A fault in the files fails and refunds the job; any other error is thrown for a retry.
 * A job that needs the slow slot while that is taken moves to its queue, which releases the claim without counting an
 * attempt. Idempotent: the print file has a fixed key, and finishing requires the lease.
 */
export async function renderMailJob(claim: Claim<MailJobRecord>, deps: RenderDeps, signal: AbortSignal): Promise<void> {
  const log = deps.log.child(logFieldsOf(claim.row));
  const { failures, unfinished } = claim;
  if (unfinished >= maxUnfinished) {
    log.error({ unfinished }, 'rendering failed, too many workers ended without a result');
    return await failRendering(claim, neverFinished, deps);
  }
  const folder = createLazyFolder(() => makeTempFolder('render'));
  try {
    const printFile = await makePrintFile(claim, folder.path, { ...deps, log }, signal);
    const judged = await judge(claim.row, printFile, deps);
    const unprintable = judged.findings.find(({ severity }) => severity === 'error');
    if (unprintable) return await failRendering(claim, toFailure(unprintable), deps, judged.findings);
    const stored = await storePrintFile(claim.row, { ...printFile, ...judged }, deps);
    const rendered = { ...renderedFields(claim.row, stored), findings: judged.findings };
    await finishRendered(claim, rendered, { ...deps, log });
  } catch (error) {
    if (error instanceof SlowSlotTakenError) return await queueForSlowSlot(claim, deps);
    const failure = failureOf(error) ?? (failures >= renderRetryDelaysMs.length && !signal.aborted ? givenUp : null);
    if (!failure) throw error;
    if (failure === givenUp) log.error({ err: error }, 'rendering failed, no retries left');
    const finding = findingOfError(error, claim.row.pages);
    await failRendering(claim, failure, deps, finding ? [finding] : []);
  } finally {
    await folder.remove();
  }
}

async function makePrintFile(
  { row: job, slot }: Claim<MailJobRecord>,
  makeFolder: () => Promise<string>,
  { store, slots, warmPool, log }: RenderDeps,
  signal: AbortSignal,
): Promise<PrintFile> {
  await refuseKnownFaults(job);
  const getFiles = () => fetchFiles(job, makeFolder, store);
  const pool = slot === slowRenderWork ? 'slow' : 'fast';
  const slotRequest = { owner: job, pool, whenSlowIsTaken: 'throw' } as const;
  const work = { makeFolder, slots, slotRequest, warmPool, signal, log };
  try {
    const printFile = await renderPrintFile({ getFiles, expectedPages: job.pages, ...work });
    await recordCounts(job, printFile.filePageCounts);
    return printFile;
  } catch (error) {
    if (error instanceof DocumentError) await recordFault(job, error);
    if (error instanceof DocumentError && error.filePageCounts) await recordCounts(job, error.filePageCounts);
    throw error;
  }
}

type JudgedJob = Pick<JudgedLetter, 'placement' | 'findings'> & { scheme: SchemeName };

/** Decides where the copies of a job have their address, and what its sender should know. */
async function judge(
  job: MailJobRecord,
  { report, filePageCounts }: PrintFile,
  { envelopeWindow }: RenderDeps,
): Promise<JudgedJob> {
  const { organizationId, serviceType, color, doubleSided, sender, items: recipients } = job;
  const schemeName = schemeFor(serviceType, envelopeWindow);
  const [coverPages, addressProblems] = await Promise.all([
    readCoverPageRule(organizationId),
    checkAddresses({ scheme: envelopeSchemes[schemeName], sender, recipients }),
  ]);
  return {
    ...judgeLetter({
      ...{ report, filePageCounts, scheme: schemeName, color, coverPages, addressProblems },
      ...{ recipientCount: recipients.length, doubleSided },
    }),
    scheme: schemeName,
  };
}

function toFailure({ message, fix }: Finding): Failure {
  return { code: 'ADDRESS_UNPRINTABLE', message: `${message} ${fix}` };
}

/** Moves the job to the queue for the slow slot and ends the claim. It holds no resources while it waits. */
async function queueForSlowSlot(claim: Claim<MailJobRecord>, { clock, hints }: RenderDeps): Promise<void> {
  const isQueued = await finishClaim(claim, { set: { [slowRenderWork.path]: newDue(clock.now()) } });
  if (isQueued) hints.notify(slowRenderWork.queue, [claim.id]);
}

async function recordCounts(job: MailJobRecord, counts: readonly number[]): Promise<void> {
  const { files } = job;
  await recordPageCounts(
    job,
    files.map(({ s3Key }, index) => ({ s3Key, pageCount: counts[index] ?? 0 })),
  );
}

async function storePrintFile(
  job: MailJobRecord,
  printFile: PrintFile & JudgedJob,
  { store, clock }: RenderDeps,
): Promise<PrintFileRecord> {
  const { _id, organizationId, color, doubleSided } = job;
  const s3Key = printFileKey(organizationId, _id);
  const object = { key: s3Key, contentType: 'application/pdf' };
  if ('bytes' in printFile) await store.put({ ...object, bytes: printFile.bytes });
  else await store.putFile({ ...object, path: printFile.path });
  const { scheme } = printFile;
  const renderedAt = await readLetterTime(job, clock.now());
  return toPrintFileRecord({ scheme, color, doubleSided }, { ...printFile, s3Key, renderedAt });
}

async function finishRendered(
  claim: Claim<MailJobRecord>,
  rendered: { printFile: PrintFileRecord; findings: Finding[] },
  { sandbox, store, log }: RenderDeps,
): Promise<void> {
  const { renderedAt, sizeBytes } = rendered.printFile;
  const step = firstSandboxStep(claim.row, renderedAt, sandbox);
  // Schedules the first step together with the end of rendering, unless the job was advanced manually in the meantime.
  const isPlanned =
    step !== null &&
    (await finishClaim(claim, { set: { ...rendered, 'due.step': step }, onlyIf: { status: 'queued' } }));
  const isFinished = isPlanned || (await finishClaim(claim, { set: rendered }));
  // Counted without a quota check, because the job is paid.
  if (isFinished) await countStored(claim.row, sizeBytes, log);
  else await discardIfFailed(claim.row, store);
}

/** Removes a print file that no row names, because its job was cancelled or failed while it was rendered. */
async function discardIfFailed(
  { _id, organizationId }: MailJobRecord,
  store: Pick<ObjectStore, 'delete'>,
): Promise<void> {
  const isFailed = await MailJob.exists({ _id, organizationId, status: 'failed', printFile: null }).hint({ _id: 1 });
  if (isFailed) await store.delete(printFileKey(organizationId, _id));
}

async function failRendering(
  claim: Claim<MailJobRecord>,
  failure: Failure,
  { clock, hints, sandbox }: RenderDeps,
  findings: Finding[] = [],
): Promise<void> {
  // Before the event, so that a receiver of the event can read them. Only by the worker that still has the lease.
  const { id: mailJobId, token, row: owner } = claim;
  const held = { _id: mailJobId, organizationId: owner.organizationId, [`${claim.slot.path}.leaseToken`]: token };
  if (findings.length > 0) await MailJob.updateOne(held, { $set: { findings } }, { hint: { _id: 1 } });
  try {
    const move = {
      mailJobId,
      owner,
      target: 'failed',
      failure,
      by: 'rendering',
      nextStepDelayS: sandbox.stepDelayS,
    } as const;
    const { eventId } = await advanceItems({ ...move, require: requireRenderLease(token) }, clock.now());
    if (eventId !== null) hints.notify('fan-out', [eventId]);
  } catch (error) {
    if (!hasCode(error, 'CONFLICT')) throw error;
    // A job that became final manually has its event and refund: the failure is only recorded. For any other job the
    // conflict may be a read from before the claim was stored, so the error is thrown and the rendering retried.
    const status = { $in: mailStatuses.filter(isFinal) };
    if (!(await finishClaim(claim, { set: { renderFailure: failure }, onlyIf: { status } }))) throw error;
  }
}

/** A worker that lost its lease must not fail a job that another one rendered. */
export function requireRenderLease(token: string): (job: MailJobRecord) => void {
  return ({ due: { render, slowRender } }) => {
    if ([render?.leaseToken, slowRender?.leaseToken].includes(token)) return;
    throw conflict('The lease of the rendering was lost.');
  };
}
