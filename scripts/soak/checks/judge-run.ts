import type { LoadResult } from '../drive-load.ts';
import type { Installation } from '../installation.ts';
import type { MadeFault } from '../make-faults.ts';
import type { Records } from '../perform.ts';
import type { RequestLog } from '../request-log.ts';
import type { Check } from './check-records.ts';
import type { MemoryRow } from './watch-memory.ts';

const maxSlopeMbPerMinute = 1;
/** Of all requests. A busy machine may delay a few beyond their time limit. */
const maxFailedShare = 0.001;

/** Every request was answered in the end, and each answer agreed with the attempts before it. */
export function checkRequests(log: Pick<RequestLog, 'rows' | 'failures'>, records: Records, load: LoadResult): Check {
  const violations = [...records.violations];
  const { inWindows, outside } = log.failures;
  const requests = log.rows().reduce((sum, { count }) => sum + count, 0);
  if (load.notStarted > 0) violations.push(`${load.notStarted} arrivals were not started: too many were in flight`);
  if (sum(outside) > requests * maxFailedShare) {
    violations.push(`${sum(outside)} of ${requests} requests failed without a fault: ${list(outside)}`);
  }
  const figure = `${requests} requests; failed attempts during faults: ${list(inWindows)}; without: ${list(outside)}`;
  return { name: 'every failed request was repeated, and the answer was true', figure, violations };
}

const sum = (counts: ReadonlyMap<string, number>) => [...counts.values()].reduce((total, count) => total + count, 0);
const list = (counts: ReadonlyMap<string, number>) =>
  [...counts].map(([reason, count]) => `${count} x ${reason}`).join(', ') || 'none';

/** No program that lived long enough grows, except MongoDB, whose cache fills up to its limit. */
export function checkMemory(rows: readonly MemoryRow[]): Check {
  const judged = rows.filter(({ isBounded, slopeMb }) => isBounded && slopeMb !== null);
  const violations = judged
    .filter(({ slopeMb }) => (slopeMb ?? 0) >= maxSlopeMbPerMinute)
    .map(({ name, slopeMb }) => `${name} grows by ${slopeMb?.toFixed(2)} MB/min`);
  const most = Math.max(...judged.map(({ slopeMb }) => slopeMb ?? 0));
  const figure = judged.length === 0 ? 'not judged: the run is too short' : `at most ${most.toFixed(2)} MB/min`;
  return { name: 'no process grows by 1 MB/min', figure, violations };
}

/** The kinds of fault that kill a program. */
const killing = ['worker', 'api', 'mongodb', 'redis', 'object store'];

export function checkRestarts(
  { programs, unexpected }: Pick<Installation, 'programs' | 'unexpected'>,
  faults: readonly Pick<MadeFault, 'kind'>[],
): Check {
  const restarts = programs.reduce((total, program) => total + program.restarts, 0);
  const caused = faults.filter(({ kind }) => killing.includes(kind)).length;
  const violations = [...unexpected];
  if (restarts !== caused + unexpected.length) violations.push(`${restarts} restarts for ${caused} kills`);
  return { name: 'no program ended that was not killed', figure: `${restarts} restarts, ${caused} kills`, violations };
}
