/** CPU time per letter of each part of an installation, in milliseconds. */
export type LetterCosts = Record<Part, number>;
export type Part = (typeof parts)[number];
export const parts = ['api', 'workers', 'render', 'mongodb', 'redis', 'objectStore'] as const;

/** What rounds on some machines have measured. `customer` is the CPU time of the caller per letter, in milliseconds. */
export type Measured = { perS: number[]; costs: LetterCosts; customer: number };

export type Fleet = {
  machines: number;
  /** Of each machine. */
  cores: number;
  /** Share of a core's time that is planned for, from 0 to 1. */
  utilisation: number;
};

/** What a fleet carries, and what stops it from carrying more. */
export type Capacity = { lettersPerS: number; saturates: string };

/** What a machine, or a part of one, spends on each letter of the installation. */
type Load = { name: string; ms: number; cores: number };

/** From this size on, the stores have machines of their own. */
const leastWithOwnStores = 10;
const members = 3;
/** One more for Redis and the object store. */
const storeMachines = members + 1;

/** Returns the CPU time of a letter in API, workers and render, in milliseconds. */
const product = ({ api, workers, render }: LetterCosts) => api + workers + render;

/** Returns the CPU time of a letter in all parts, in milliseconds. */
export const sum = (costs: LetterCosts): number => parts.reduce((total, part) => total + costs[part], 0);

/**
 * Returns what one installation carries on a fleet. API, workers and render have processes on each of their machines, which
 * share the work evenly. From three machines on, MongoDB has three members, each of which is taken to cost as much as
 * the primary, the most that it can cost. Redis uses one core.
 */
export function capacityOf(costs: LetterCosts, { machines, cores, utilisation }: Fleet): Capacity {
  const loads: Load[] = [...loadsOf(costs, machines).map((load) => ({ ...load, cores }))];
  loads.push({ name: 'the one thread of Redis', ms: costs.redis, cores: 1 });
  const limits = loads.map(({ name, ms, cores: own }) => {
    return { lettersPerS: (own * utilisation * 1_000) / ms, saturates: name };
  });
  return limits.reduce((least, limit) => (limit.lettersPerS < least.lettersPerS ? limit : least));
}

function loadsOf(costs: LetterCosts, machines: number): Omit<Load, 'cores'>[] {
  const { mongodb, redis, objectStore } = costs;
  if (machines === 1) return [{ name: 'its cores', ms: sum(costs) }];
  if (machines < members) return twoMachines(costs, 0).map((ms) => ({ name: 'the cores beside the stores', ms }));
  if (machines < leastWithOwnStores) {
    const store = Math.max(redis, objectStore);
    return [{ name: 'the cores beside a member of MongoDB', ms: product(costs) / machines + mongodb + store }];
  }
  return [
    { name: 'the primary of MongoDB', ms: mongodb },
    { name: 'the machine of Redis and the object store', ms: redis + objectStore },
    { name: 'the cores of API, workers and render', ms: product(costs) / (machines - storeMachines) },
  ];
}

/** Returns the load of two machines: the first has the stores, the second the customers. */
export function twoMachines(costs: LetterCosts, customer: number): [number, number] {
  const half = product(costs) / 2;
  return [half + costs.mongodb + costs.redis + costs.objectStore, half + customer];
}

/** Returns the largest number of machines that one installation can use: more of them carry no more letters. */
export function machinesOfCell(costs: LetterCosts, fleet: Omit<Fleet, 'machines'>): number {
  const carried = (machines: number) => capacityOf(costs, { ...fleet, machines }).lettersPerS;
  let machines = leastWithOwnStores;
  while (carried(machines + 1) > carried(machines) && machines < maxMachines) machines += 1;
  return machines;
}
const maxMachines = 10_000;

/** Returns what several installations carry together that divide the machines evenly. */
export function capacityOfCells(costs: LetterCosts, fleet: Fleet): Capacity & { cells: number } {
  const cells = Math.ceil(fleet.machines / machinesOfCell(costs, fleet));
  const { lettersPerS, saturates } = capacityOf(costs, { ...fleet, machines: Math.floor(fleet.machines / cells) });
  return { cells, lettersPerS: cells * lettersPerS, saturates };
}
