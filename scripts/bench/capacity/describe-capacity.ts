import { describeRun, toTable } from '#scripts/program/describe-run.ts';
import { median } from '../measure.ts';
import { capacityOfCells, type LetterCosts, type Measured, parts, sum, twoMachines } from './capacity-model.ts';

export type CapacityFigures = {
  one: Measured;
  two: Measured;
  rounds: number;
  roundS: number;
  inFlight: number;
  at: Date;
  /** At the start of the run. */
  commit: string;
};

/** Of the machines in the table. */
const cores = 8;
const utilisation = 0.6;
const fleets = [1, 3, 10, 100];
/** Of a day's letters, the busiest hour has this share. */
const busiestHour = 0.2;
/** A usual price of a rented core with 4 GB of memory, in euros per hour. */
const coreHourEur = 0.03;
const mostDeviation = 0.25;

const names: Record<(typeof parts)[number], string> = {
  api: 'API',
  workers: 'workers without `render`',
  render: '`render`, with the processes that open documents',
  mongodb: 'MongoDB, one member',
  redis: 'Redis',
  objectStore: 'object store',
};

/** Returns the result as Markdown, the form in which it is committed. */
export function describeCapacity({ one, two, rounds, roundS, inFlight, at, commit }: CapacityFigures): string {
  const { costs } = one;
  const total = sum(costs);
  const predicted = 1_000 / Math.max(...twoMachines(costs, one.customer));
  const measured = median(two.perS);
  const deviation = predicted / measured - 1;
  const verdict = Math.abs(deviation) <= mostDeviation ? 'kept' : 'MISSED';
  return [
    '# Capacity figures',
    '',
    'Written by `npm run bench -- capacity`. Do not edit it. [capacity.md](../capacity.md) says what follows from it.',
    '',
    ...toTable(
      ['', ''],
      [
        ...describeRun(at, commit),
        [
          'Load',
          `${inFlight} callers of 4 organizations, each with one letter under way; ${rounds} rounds of ${roundS} s`,
        ],
        [
          'Letter',
          '3 pages as PDF, uploaded, sent in test mode, rendered, moved through 2 steps, 3 webhooks delivered',
        ],
      ],
    ),
    '## CPU time of a letter',
    '',
    `On one machine of one core, which carried ${toSpread(one.perS)} letters a second.`,
    '',
    ...toTable(
      ['Part', 'ms', 'Share'],
      [
        ...parts.map((part) => [names[part], costs[part].toFixed(1), `${Math.round((costs[part] / total) * 100)} %`]),
        ['**all**', total.toFixed(1), ''],
      ],
    ),
    '## The model beside a measurement',
    '',
    'Two machines of one core each share the work evenly. The first also has the stores, the second the customers. The',
    'model predicts what they carry from the table above.',
    '',
    ...toTable(
      ['Predicted', 'Measured', 'Deviation', `Within ${mostDeviation * 100} %`],
      [[`${predicted.toFixed(1)}/s`, `${toSpread(two.perS)}/s`, toPercent(deviation), verdict]],
    ),
    '## What fleets carry',
    '',
    `Machines of ${cores} such cores, ${utilisation * 100} % busy. A day has its letters evenly, or a fifth of them in one hour. A core costs`,
    `${coreHourEur} EUR an hour, an assumption: the cost of a letter is in proportion.`,
    '',
    ...toTable(
      [
        'Machines',
        'Installations',
        'Letters/s',
        'Letters a day, evenly',
        'with a peak',
        'EUR per 1,000',
        'Saturates first',
      ],
      fleets.map((machines) => describeFleet(costs, machines)),
    ),
    'From three machines on, MongoDB has three members, and each is taken to cost as much as the primary. From ten on, four',
    'machines have the stores alone. Not measured: disks, networks between machines, and what a second member really costs.',
    'Storage, traffic, paper, postage and people are not included.',
    '',
  ].join('\n');
}

function describeFleet(costs: LetterCosts, machines: number): string[] {
  const fleet = { machines, cores, utilisation };
  const { cells, lettersPerS, saturates } = capacityOfCells(costs, fleet);
  const eurPer1000 = (machines * cores * coreHourEur * 1_000) / (lettersPerS * 3_600);
  return [
    String(machines),
    String(cells),
    lettersPerS.toFixed(0),
    toRounded(lettersPerS * 3_600 * 24),
    toRounded((lettersPerS * 3_600) / busiestHour),
    eurPer1000.toFixed(3),
    saturates,
  ];
}

/** Returns a number with two significant digits: the model knows no more. */
function toRounded(value: number): string {
  return Number(value.toPrecision(2)).toLocaleString('en');
}

function toSpread(values: readonly number[]): string {
  return `${median(values).toFixed(1)} (${Math.min(...values).toFixed(1)} to ${Math.max(...values).toFixed(1)})`;
}

function toPercent(share: number): string {
  return `${share > 0 ? '+' : ''}${Math.round(share * 100)} %`;
}
