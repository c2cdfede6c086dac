import { join } from 'node:path';
import type { Clock } from '#common/clock.ts';
import { appendTo } from '#common/documents/file-content.ts';
import type { RenderSlots } from '#common/documents/isolation/render-slots.ts';
import { drawOverlay } from '#common/documents/preflight/draw-overlay.ts';
import { createFinding } from '#common/documents/preflight/find-findings.ts';
import type { Finding } from '#common/documents/preflight/finding.ts';
import { drawPage } from '#common/documents/preview/draw-page.ts';
import { type PrintFile, renderPrintFile } from '#common/documents/print-file/render-print-file.ts';
import { envelopeSchemes, type Placement } from '#common/documents/sheet/envelope-schemes.ts';
import type { WarmPool } from '#common/documents/warm/warm-pool.ts';
import { keyWithin } from '#common/ids.ts';
import { type Claim, finishClaim } from '#common/platform/due-work/due-work.ts';
import type { Log } from '#common/platform/process/log.ts';
import { createLazyFolder, makeTempFolder } from '#common/platform/process/temp-folders.ts';
import type { ObjectStore } from '#common/platform/s3/s3.ts';
import { storeTemporaryObject } from '#common/platform/s3/temporary-objects.ts';
import type { PrintFileRecord } from '../model/mail-job.model.ts';
import { mailJobLimits } from '../model/mail-request.schema.ts';
import { fetchFiles } from '../render/fetch-files.ts';
import { findingOfError } from '../render/finding-of-error.ts';
import { judgeLetter } from '../render/judge-letter.ts';
import { toPrintFileRecord } from '../render/print-file-record.ts';
import { type PreflightRecord, type PreflightResult, preflightLifeMs, printFileLifeMs } from './preflight.model.ts';

export type PreflightDeps = {
  store: ObjectStore;
  slots: RenderSlots;
  /** Null: every file is opened by a process of its own. */
  warmPool: WarmPool | null;
  clock: Clock;
  log: Log;
};

/** Delays before a check is repeated that failed for another reason than its files. After the last, its result says so. */
export const preflightRetryDelaysMs = [1_000, 10_000, 60_000] as const;

/** After this many claims that ended without a result, the files may be what ends the workers. */
const maxUnfinished = 5;

/**
 * Checks the files of a preflight as rendering does, and stores the result. A fault in the files is a finding; any other
 * error is thrown for a retry.
 */
export async function runPreflight(
  claim: Claim<PreflightRecord>,
  deps: PreflightDeps,
  signal: AbortSignal,
): Promise<void> {
  if (claim.unfinished >= maxUnfinished) {
    deps.log.error({ preflightId: claim.id }, 'preflight failed, too many workers ended without a result');
    await finishClaim(claim, { set: { result: withoutLetter(createFinding('not_checked', {})) } });
    return;
  }
  const result = await check(claim.row, deps, signal).catch((error: unknown) => {
    const finding = findingOfError(error);
    if (finding) return withoutLetter(finding);
    if (signal.aborted || claim.failures < preflightRetryDelaysMs.length) throw error;
    deps.log.error({ err: error, preflightId: claim.id }, 'preflight failed, no retries left');
    return withoutLetter(createFinding('not_checked', {}));
  });
  await finishClaim(claim, { set: { result } });
}

function withoutLetter(finding: Finding): PreflightResult {
  return { facts: null, placement: null, findings: [finding], overlayKey: null };
}

async function check(
  row: PreflightRecord,
  { store, slots, warmPool, clock, log }: PreflightDeps,
  signal: AbortSignal,
): Promise<PreflightResult> {
  const folder = createLazyFolder(() => makeTempFolder('preflight'));
  const work = { warmPool, signal, log, makeFolder: folder.path };
  const slotRequest = { owner: row };
  try {
    const getFiles = () => fetchFiles(row, folder.path, store);
    const file = await renderPrintFile({ getFiles, expectedPages: null, slots, slotRequest, ...work });
    if (file.pageCount > mailJobLimits.pages)
      return withoutLetter(createFinding('letter_too_long', { pages: file.pageCount, most: mailJobLimits.pages }));
    const { color = false, hasSeveralRecipients = false, addressProblems = [] } = row;
    const recipientCount = hasSeveralRecipients ? 2 : 1;
    const { placement, facts, findings } = judgeLetter({
      ...row,
      ...file,
      ...{ color, recipientCount, addressProblems },
    });
    if (row.keptFor !== undefined) {
      const printFile = await keepPrintFile(row, row.keptFor, { ...file, placement }, { store, clock });
      return { facts, placement, findings, overlayKey: null, printFile };
    }
    const slot = await slots.acquire(signal, slotRequest);
    try {
      const tail = await drawOverlay(file, envelopeSchemes[row.scheme], findings);
      const overlaid = await appendTo(file, tail, async () => join(await folder.path(), 'overlay.pdf'));
      const { organizationId } = row;
      const picture = await drawPage({ file: overlaid, page: 1, slot, organizationId, ...work });
      const overlayKey = picture && (await storeOverlay(row, picture, store, clock.now()));
      return { facts, placement, findings, overlayKey };
    } finally {
      slot.release();
    }
  } finally {
    await folder.remove();
  }
}

async function keepPrintFile(
  row: PreflightRecord,
  keptFor: string,
  file: PrintFile & { placement: Placement },
  { store, clock }: Pick<PreflightDeps, 'store' | 'clock'>,
): Promise<PrintFileRecord> {
  const at = clock.now();
  const name = keyWithin(keptFor, `print file ${row._id}`);
  const object = { name, filename: 'print.pdf', contentType: 'application/pdf', owner: row };
  const s3Key = await storeTemporaryObject(object, file, { store, at, keptMs: printFileLifeMs });
  return toPrintFileRecord(row, { ...file, s3Key, renderedAt: at });
}

async function storeOverlay(owner: PreflightRecord, bytes: Buffer, store: ObjectStore, at: Date): Promise<string> {
  const { _id } = owner;
  const object = { name: `overlay ${_id}`, filename: `${_id}.png`, contentType: 'image/png', owner };
  return await storeTemporaryObject(object, { bytes }, { store, at, keptMs: preflightLifeMs });
}
