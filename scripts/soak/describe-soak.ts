import { describeRun, toTable } from '../program/describe-run.ts';
import type { MemoryRow } from './checks/watch-memory.ts';
import type { MadeFault } from './make-faults.ts';
import type { KindRow } from './request-log.ts';
import type { SoakOptions, SoakResult } from './run-soak.ts';

/** Violations of one check. */
export const maxShown = 20;

export type SoakRun = Pick<SoakOptions, 'minutes' | 'seed'> & {
  at: Date;
  /** At the start of the run. */
  commit: string;
};

/** Returns the result as Markdown, the form in which it is committed. */
export function describeSoak(result: SoakResult, { minutes, seed, at, commit }: SoakRun): string {
  const { maximumPerS, perS, load, faults, requests, memory, checks } = result;
  const violated = checks.filter(({ violations }) => violations.length > 0);
  const measured = maximumPerS === null ? 'given' : `60 % of the ${maximumPerS.toFixed(1)} that were measured before`;
  const command = `npm run soak -- --minutes ${minutes} --seed ${seed}`;
  return [
    '# Soak',
    '',
    `Written by \`${command}\`. Repeat this load exactly with \`--rate ${perS.toFixed(2)}\`. Do not edit it.`,
    '',
    ...toTable(
      ['', ''],
      [
        ...describeRun(at, commit),
        ['Processes', 'API x 2, workers x 2, MongoDB, Redis, object store and the customers, all on this machine'],
        ['Load', `${perS.toFixed(2)} arrivals/s for ${minutes} min (${measured})`],
        ['Arrivals', `${load.arrivals}, at most ${load.mostInFlight} in flight`],
        ['Faults', String(faults.length)],
        ['Violations', violated.length === 0 ? 'none' : String(countViolations(result))],
      ],
    ),
    '## Promises',
    '',
    ...toTable(
      ['Promise', 'Kept', 'Figure'],
      checks.map(({ name, figure, violations }) => [name, violations.length === 0 ? 'yes' : 'NO', figure]),
    ),
    ...violated.flatMap(({ name, violations }) => describeViolations(name, violations)),
    '## Durations',
    '',
    'From the intended start of a request to the answer that settles it, with all repeats, in ms.',
    'A request counts as disturbed when a fault, or the 10 s after it, overlaps with it.',
    '',
    ...toTable(['Request', 'Count', 'p50', 'p99', 'p99.9', 'Disturbed', 'p50', 'p99', 'p99.9'], requests.map(toRow)),
    '## Memory',
    '',
    'A process is judged from its fifth minute on, when it lives for 15 minutes or more. MongoDB is not: its cache grows',
    'up to its limit of 1 GB.',
    '',
    ...toTable(['Process', 'Lived, s', 'First MB', 'Last MB', 'Most MB', 'MB/min'], memory.map(toMemoryRow)),
    '## Faults',
    '',
    ...toTable(['At, s', 'Fault', 'Away, s'], faults.map(toFaultRow)),
  ].join('\n');
}

export function countViolations({ checks }: SoakResult): number {
  return checks.reduce((sum, { violations }) => sum + violations.length, 0);
}

function describeViolations(name: string, violations: readonly string[]): string[] {
  const more = violations.length > maxShown ? [`- and ${violations.length - maxShown} more`] : [];
  return [`Violations of "${name}":`, '', ...violations.slice(0, maxShown).map((each) => `- ${each}`), ...more, ''];
}

const toRow = ({ kind, count, quiet, faulty }: KindRow) => [
  kind,
  toWhole(count),
  ...(faulty.count === count ? ['', '', ''] : [quiet.p50, quiet.p99, quiet.p999].map(toWhole)),
  ...(faulty.count === 0 ? ['0', '', '', ''] : [faulty.count, faulty.p50, faulty.p99, faulty.p999].map(toWhole)),
];
const toWhole = (value: number) => String(Math.round(value));

const toMemoryRow = ({ name, lifeS, fromMb, toMb, mostMb, slopeMb }: MemoryRow) => [
  name,
  ...[lifeS, fromMb, toMb, mostMb].map(toWhole),
  slopeMb === null ? 'not judged' : slopeMb.toFixed(2),
];

const toFaultRow = ({ atS, kind, awayS }: MadeFault) => [atS.toFixed(1), kind, awayS.toFixed(1)];
