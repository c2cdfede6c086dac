import { randomAt } from './load-plan.ts';

/** What goes wrong, and for how long it lasts at least and at most, in seconds. */
const durations = {
  /** kill -9 of a process of the workers. */
  worker: [0, 2],
  /** kill -9 of a process of the API. */
  api: [0, 2],
  /** kill -9 of mongod, which starts again on its data. */
  mongodb: [0, 3],
  /** kill -9 of Redis, which starts again without its data. */
  redis: [0, 3],
  'object store': [2, 5],
  'hanging receiver': [4, 8],
  'failing receiver': [4, 8],
  /** The connections of all customers are reset. */
  connections: [0, 0],
} as const satisfies Record<string, readonly [number, number]>;

export type FaultKind = keyof typeof durations;
export const faultKinds = Object.keys(durations) as FaultKind[];

/** `atS` counts from the start of the load, `forS` from the fault. */
export type PlannedFault = { kind: FaultKind; atS: number; forS: number };

/** Each kind happens twice in a long run. In a short one, some kinds do not happen. */
const maxFaults = 2 * faultKinds.length;
/** Leaves time to recover before the next fault. */
const leastGapS = 25;
/** The load runs without faults before and after these shares of its duration. */
const [firstShare, lastShare] = [0.1, 0.85];
const [orderStream, timeStream, durationStream] = [11, 12, 13];

/** Returns the faults of a run, in order. They depend only on the seed and on the duration of the load. */
export function planFaults(seed: number, loadS: number): PlannedFault[] {
  const spanS = (lastShare - firstShare) * loadS;
  const count = Math.min(maxFaults, Math.floor(spanS / leastGapS));
  const slotS = spanS / Math.max(1, count);
  const rounds = Math.ceil(count / faultKinds.length);
  const kinds = Array.from({ length: rounds }, (_, round) => shuffle(faultKinds, seed, round)).flat();
  return kinds.slice(0, count).map((kind, n) => {
    const [least, most] = durations[kind];
    const atS = firstShare * loadS + (n + randomAt(seed, timeStream, n) / 2) * slotS;
    return { kind, atS: toTenth(atS), forS: toTenth(least + randomAt(seed, durationStream, n) * (most - least)) };
  });
}

const toTenth = (value: number) => Math.round(value * 10) / 10;

function shuffle<T>(items: readonly T[], seed: number, round: number): T[] {
  const keyed = items.map((item, n) => ({ item, key: randomAt(seed, orderStream, round * items.length + n) }));
  return keyed.sort((left, right) => left.key - right.key).map(({ item }) => item);
}
