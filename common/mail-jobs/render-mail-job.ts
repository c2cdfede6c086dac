import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../clock.ts';
import { DocumentError } from '../documents/document-error.ts';
import { type PrintFile, renderPrintFile } from '../documents/render-print-file.ts';
import type { RenderSlots } from '../documents/render-slots.ts';
import { AppError } from '../errors.ts';
import { type Claim, finishClaim } from '../platform/due-work.ts';
import type { Log } from '../platform/log.ts';
import { ObjectChangedError, ObjectMissingError, ObjectTooLargeError } from '../platform/object-store-errors.ts';
import type { Hints } from '../platform/queues.ts';
import type { ObjectStore } from '../platform/s3.ts';
import { rememberPageCounts } from '../uploads/remember-page-counts.ts';
import { advanceMailJob } from './advance-mail-job.ts';
import type { Failure } from './failure.ts';
import { type MailJobRecord, type PrintFileRecord, traceOf } from './mail-job.model.ts';
import { printFileKey } from './print-file-key.ts';
import { firstSandboxStep, type SandboxTimes } from './sandbox-steps.ts';

export type RenderDeps = {
  store: ObjectStore;
  slots: RenderSlots;
  hints: Hints;
  sandbox: SandboxTimes;
  clock: Clock;
  log: Log;
};

/**
 * When a rendering that met a fault of ours (the store is away, the system killed a child) is tried again; after the
 * last one the job fails. Together about three quarters of an hour: an outage must not cost a customer his letters.
 */
export const renderRetryDelaysMs = [1_000, 30_000, 120_000, 600_000, 1_800_000] as const;
const maxAttempts = renderRetryDelaysMs.length + 1;

/**
 * Makes the print file of a job: fetches its files as they were when it was taken in, checks and merges them, and
 * stores the result. A fault in the files fails the job and refunds it; any other one throws, to be tried again.
 * Safe to run twice: the print file has one key, and finishing needs the lease.
 */
export async function renderMailJob(claim: Claim<MailJobRecord>, deps: RenderDeps, signal: AbortSignal): Promise<void> {
  const log = deps.log.child(traceOf(claim.row));
  const workDir = await mkdtemp(join(tmpdir(), 'bluejay-render-'));
  try {
    const printFile = await makePrintFile(claim.row, workDir, { ...deps, log }, signal);
    await finishRendered(claim, await storePrintFile(claim.row, printFile, deps), deps);
  } catch (error) {
    const failure = failureOf(error) ?? (claim.attempt >= maxAttempts && !signal.aborted ? givenUp : null);
    if (!failure) throw error;
    if (failure === givenUp) log.error({ err: error }, 'rendering given up');
    await failRendering(claim, failure, deps);
  } finally {
    await rm(workDir, { recursive: true, force: true });
  }
}

async function makePrintFile(
  job: MailJobRecord,
  workDir: string,
  { store, slots, log }: RenderDeps,
  signal: AbortSignal,
): Promise<PrintFile> {
  const pathOf = new Map<string, string>();
  for (const { s3Key, etag, sizeBytes } of job.files) {
    if (pathOf.has(s3Key)) continue;
    const path = join(workDir, `source-${pathOf.size}`);
    await store.getToFile({ key: s3Key, path, ifMatch: etag, maxBytes: sizeBytes });
    pathOf.set(s3Key, path);
  }
  const files = job.files.map(({ s3Key, mimeType }) => ({ path: pathOf.get(s3Key) ?? '', mimeType }));
  try {
    const printFile = await renderPrintFile({ files, expectedPages: job.pages, workDir, slots, signal, log });
    await rememberCounts(job, printFile.filePageCounts);
    return printFile;
  } catch (error) {
    if (error instanceof DocumentError && error.filePageCounts) await rememberCounts(job, error.filePageCounts);
    throw error;
  }
}

async function rememberCounts({ files }: MailJobRecord, counts: readonly number[]): Promise<void> {
  await rememberPageCounts(files.map(({ s3Key }, index) => ({ s3Key, pageCount: counts[index] ?? 0 })));
}

async function storePrintFile(
  { _id, organizationId }: MailJobRecord,
  printFile: PrintFile,
  { store, clock }: RenderDeps,
): Promise<PrintFileRecord> {
  const s3Key = printFileKey(organizationId, _id);
  await store.putFile({ key: s3Key, path: printFile.path, contentType: 'application/pdf' });
  const { sha256, sizeBytes, pageCount } = printFile;

  return { s3Key, sha256, sizeBytes, pageCount, renderedAt: clock.now() };
}

async function finishRendered(
  claim: Claim<MailJobRecord>,
  printFile: PrintFileRecord,
  { sandbox }: RenderDeps,
): Promise<void> {
  const step = firstSandboxStep(claim.row, printFile.renderedAt, sandbox);
  // The first step is planned together with the end of rendering, unless somebody moved the job by hand meanwhile.
  const isPlanned =
    step !== null && (await finishClaim(claim, { set: { printFile, 'due.step': step }, onlyIf: { status: 'queued' } }));
  if (!isPlanned) await finishClaim(claim, { set: { printFile } });
}

async function failRendering(
  claim: Claim<MailJobRecord>,
  failure: Failure,
  { clock, hints, sandbox }: RenderDeps,
): Promise<void> {
  try {
    const { id: mailJobId, token: renderToken } = claim;
    const advance = { mailJobId, renderToken, target: 'failed', failure, nextStepDelayS: sandbox.stepDelayS } as const;
    const { eventId } = await advanceMailJob(advance, clock.now());
    hints.nudge('fan-out', [eventId]);
  } catch (error) {
    // Final already, by hand: its fate is told and paid, so the fault is only noted. Or the lease was lost: then
    // somebody else has the rendering, and this does nothing.
    if (!(error instanceof AppError && error.code === 'CONFLICT')) throw error;
    await finishClaim(claim, { set: { renderFailure: failure } });
  }
}

const givenUp: Failure = {
  code: 'PRINT_FAILED',
  message: 'The files could not be made ready for printing on our side. Send the letter again.',
};

/** The failure that a fault in the files is reported as; null for faults of ours. */
function failureOf(error: unknown): Failure | null {
  if (error instanceof DocumentError) return { code: error.code, message: error.message };
  const isOther = [ObjectChangedError, ObjectMissingError, ObjectTooLargeError].some((kind) => error instanceof kind);
  if (!isOther) return null;
  return { code: 'FILE_CHANGED', message: 'A file is no longer the one that was uploaded. Upload it again.' };
}
