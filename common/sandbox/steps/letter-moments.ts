import { plusMs } from '#common/clock.ts';
import type { MailJobRecord, PrintFileRecord } from '#common/mail-jobs/model/mail-job.model.ts';
import { nextStepAt, type Planned } from '#common/sandbox/steps/sandbox-steps.ts';

/** How long the print file of a test job is kept after rendering. It is never printed. */
const testPrintFileMs = 7 * 24 * 60 * 60 * 1000;

type OnClock = { clock?: MailJobRecord['clock'] | undefined };

/** Returns the clock of a letter with the time of its next step; nothing for a letter without one. */
export function stepOnClock(job: Planned & OnClock): Pick<MailJobRecord, 'clock'> {
  if (!job.clock) return {};
  const { stepAt: _, ...clock } = job.clock;
  const stepAt = nextStepAt(job);
  return { clock: { ...clock, ...(stepAt && { stepAt }) } };
}

/** Returns the fields of a letter that is rendered. The print file of a test job is removed after some days. */
export function renderedFields({ mode, clock }: Pick<MailJobRecord, 'mode' | 'clock'>, printFile: PrintFileRecord) {
  const removeAt = plusMs(printFile.renderedAt, testPrintFileMs);
  if (clock) return { printFile, 'clock.removeFileAt': removeAt };
  return { printFile: { ...printFile, ...(mode === 'test' && { removeAt }) } };
}

/** Returns the clock of a letter that is settled since `from`; null without one. */
export function settledOnClock({ clock }: OnClock, from: Date): Pick<MailJobRecord, 'clock'> | null {
  return clock ? { clock: { ...clock, settledAt: from } } : null;
}

/** What is unset once a letter's print file is removed, or its people are redacted: that of either clock. */
export const pastMoments = {
  fileRemoved: { 'retention.documentsFrom': '', 'printFile.removeAt': '', 'clock.removeFileAt': '' },
  redacted: { 'retention.addressesFrom': '', 'clock.settledAt': '' },
} as const;
