import { listChildren, readMemoryMb } from '#scripts/bench/measure.ts';
import type { SoakProgram } from '../installation.ts';
import { type MemorySample, slopePerMinute } from './memory-slope.ts';

/** One life of a process, from a start to its end. `slopeMb`: per minute, null when it lived too short to judge. */
export type MemoryRow = {
  name: string;
  isBounded: boolean;
  lifeS: number;
  fromMb: number;
  toMb: number;
  mostMb: number;
  slopeMb: number | null;
};

const everyMs = 2_000;
/** Heaps and caches fill meanwhile. */
const warmUpS = 300;
const leastJudgedS = 600;

export type MemoryWatch = { stop(): MemoryRow[] };

/** Samples the memory of programs. A program that was restarted has several rows. Linux only. */
export function watchMemory(programs: readonly SoakProgram[]): MemoryWatch {
  const startMs = performance.now();
  const lives = new Map<number, { program: SoakProgram; samples: MemorySample[] }>();
  const children: MemorySample[] = [];
  const sample = () => {
    const atS = (performance.now() - startMs) / 1_000;
    let childrenMb = 0;
    for (const program of programs) {
      const { pid } = program.process ?? {};
      if (pid === undefined) continue;
      const mb = readMemoryMb(pid);
      for (const child of listChildren(pid)) childrenMb += readMemoryMb(child);
      const life = lives.get(pid) ?? { program, samples: [] };
      lives.set(pid, life);
      if (mb > 0) life.samples.push({ atS, mb });
    }
    children.push({ atS, mb: childrenMb });
  };
  const timer = setInterval(sample, everyMs);
  sample();
  return {
    stop() {
      clearInterval(timer);
      const rows = [...lives.values()].map(({ program: { name, isBounded }, samples }) =>
        describeLife({ name, isBounded }, samples),
      );
      // Each of them ends after some hundred files, so their sum is judged over the whole run.
      return [...rows, describeLife({ name: 'document processes, sum', isBounded: true }, children)];
    },
  };
}

function describeLife(of: Pick<MemoryRow, 'name' | 'isBounded'>, samples: readonly MemorySample[]): MemoryRow {
  const [first, last] = [samples[0], samples.at(-1)];
  const beganS = first?.atS ?? 0;
  const lifeS = (last?.atS ?? 0) - beganS;
  const isJudged = lifeS >= leastJudgedS + warmUpS;
  const warm = samples.filter(({ atS }) => atS >= beganS + warmUpS);
  return {
    ...of,
    lifeS,
    fromMb: first?.mb ?? 0,
    toMb: last?.mb ?? 0,
    mostMb: Math.max(0, ...samples.map(({ mb }) => mb)),
    slopeMb: isJudged ? slopePerMinute(warm) : null,
  };
}
