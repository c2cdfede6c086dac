import { Histogram, type Registry } from 'prom-client';
import type { EventRecord } from '#common/events/event.model.ts';
import type { SandboxTimes } from '#common/sandbox/steps/sandbox-steps.ts';

export type LetterMetrics = {
  /** Observes letters among these events that were printed. */
  observePrinted(events: readonly EventRecord[]): void;
};

/**
 * Creates the metrics of letters. They are observed where events are fanned out: there all letters pass, also those that an
 * operator reports as printed in another process or by a command.
 */
export function createLetterMetrics(registry: Registry, { stepDelayS }: SandboxTimes): LetterMetrics {
  const printed = new Histogram({
    name: 'letter_printed_seconds',
    help: 'Time until a letter was printed: live from the closing of its batch, test beyond SANDBOX_STEP_DELAY_S.',
    labelNames: ['mode'],
    // The objectives are 60 s (test) and 5,400 s (live): see scripts/deploy/monitoring/slo.md.
    buckets: [1, 5, 15, 30, 60, 120, 300, 900, 1_800, 3_600, 5_400, 10_800, 21_600, 43_200, 86_400],
    registers: [registry],
  });
  // From the start, so that an increase from nothing to the first letter is seen.
  for (const mode of ['live', 'test']) printed.zero({ mode });
  return {
    observePrinted(events) {
      for (const { mode, at, printableAt } of events) {
        if (printableAt === undefined) continue;
        const waitedS = (at.getTime() - printableAt.getTime()) / 1_000;
        printed.observe({ mode }, Math.max(0, mode === 'live' ? waitedS : waitedS - stepDelayS));
      }
    },
  };
}
