import { median, type Rounds } from './measure.ts';

/** The bound on a figure, in a table on the ratio of our figure to its floor. */
export type Goal = { atMost: number } | { atLeast: number };

/** `measured` has at least one round. */
export type GoalRow = { name: string; unit: 'ms' | '/s'; goal: Goal; measured: Rounds };

/** Returns a table with one line per row: ours, floor, median ratio, spread, goal, and whether it was reached. */
export function describeGoals(rows: readonly GoalRow[]): string {
  const header = ['', 'ours', 'floor', 'ratio', 'spread', 'goal', ''];
  const cells = rows.map(({ name, unit, goal, measured: { ours, floor } }) => {
    const ratios = ours.map((value, round) => value / (floor[round] ?? Number.NaN));
    return [
      name,
      `${format(median(ours))} ${unit}`,
      `${format(median(floor))} ${unit}`,
      median(ratios).toFixed(2),
      `${Math.min(...ratios).toFixed(2)}–${Math.max(...ratios).toFixed(2)}`,
      'atMost' in goal ? `<= ${goal.atMost.toFixed(2)}` : `>= ${goal.atLeast.toFixed(2)}`,
      judge(median(ratios), goal),
    ];
  });
  const widths = header.map((_, column) => Math.max(...[header, ...cells].map((row) => row[column]?.length ?? 0)));
  const line = (row: string[]) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ');
  const missed = cells.filter((row) => row.at(-1) === 'MISSED').length;
  const outcome = missed === 0 ? 'All goals are reached.' : `${missed} OF ${rows.length} GOALS ARE MISSED.`;
  return [...[header, ...cells].map(line), outcome].join('\n');
}

/** Returns the verdict on one figure. */
export function judge(value: number, goal: Goal): 'reached' | 'MISSED' {
  return ('atMost' in goal ? value <= goal.atMost : value >= goal.atLeast) ? 'reached' : 'MISSED';
}

function format(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(3);
}
