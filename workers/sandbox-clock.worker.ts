import { type ClockDeps, runClock } from '#common/sandbox/advance/run-clock.ts';
import { clockWork, type SandboxClockRecord } from '#common/sandbox/clocks/sandbox-clock.model.ts';
import type { ClaimedWork } from './claimed-work.ts';

/** Clocks that one process advances at once. */
const maxClocks = 8;

/** Advances test clocks. Running twice is harmless: each step of a letter is recorded when it is taken. */
export function sandboxClockWorker(deps: ClockDeps): ClaimedWork<SandboxClockRecord> {
  return {
    slot: clockWork,
    concurrency: maxClocks,
    logFieldsOf: ({ _id: clockId }) => ({ clockId }),
    doneLevel: 'debug',
    run: (claim, ending) => runClock(claim, deps, ending),
  };
}
