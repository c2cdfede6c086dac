import { median } from '../measure.ts';

/** The figures of a run: each by the line it stands in, with `#` for each number, and its place there. */
export type Figures = ReadonlyMap<string, number>;

/** Reads what a benchmark has printed. A line that occurs again counts as another one. */
export function readFigures(output: string): Figures {
  const figures = new Map<string, number>();
  const seen = new Map<string, number>();
  for (const line of output.split('\n')) {
    // Verdicts and padding differ between runs.
    const text = line
      .replaceAll(/reached|MISSED/g, '')
      .replaceAll(/\s+/g, ' ')
      .trim();
    const numbers = [...text.matchAll(/\d[\d,]*(?:\.\d+)?/g)].map(([number]) => Number(number.replaceAll(',', '')));
    const shape = text.replaceAll(/\d[\d,]*(?:\.\d+)?/g, '#');
    const times = (seen.get(shape) ?? 0) + 1;
    seen.set(shape, times);
    const name = `${shape.slice(0, 80)}${times === 1 ? '' : ` (${times})`}`;
    for (const [place, number] of numbers.entries()) figures.set(`${name} [${place + 1}]`, number);
  }
  return figures;
}

/** Two runs of one benchmark, one soon after the other. */
export type Pair = { ours: Figures; theirs: Figures };

/**
 * Returns a line for each figure that all runs have: medians of both sides, the median of the ratios of the pairs, and
 * their spread. Figures that never change are left out: they are parameters, such as the goal.
 */
export function describePairs(pairs: readonly Pair[]): string[] {
  const runs = pairs.flatMap(({ ours, theirs }) => [ours, theirs]);
  const names = [...(runs[0]?.keys() ?? [])].filter((name) => runs.every((run) => run.has(name)));
  return names.flatMap((name) => {
    const valuesOf = (side: keyof Pair) => pairs.map((pair) => pair[side].get(name) ?? 0);
    const [ours, theirs] = [valuesOf('ours'), valuesOf('theirs')];
    if (new Set([...ours, ...theirs]).size === 1) return [];
    const ratios = ours.map((value, index) => value / (theirs[index] ?? 0)).toSorted((a, b) => a - b);
    const spread = `${format(ratios[0])}–${format(ratios.at(-1))}`;
    const columns = [median(ours), median(theirs), median(ratios)].map((value) => format(value).padStart(10));
    return [`${name.padEnd(90)} ${columns.join('')}  ${spread}`];
  });
}

const format = (value = Number.NaN) => (value >= 1_000 ? value.toFixed(0) : value.toPrecision(3));
