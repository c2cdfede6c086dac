import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom } from '../random.ts';

/** Chooses the order of the steps of concurrent actors by a seed. */
export type Schedule = {
  seed: number;
  /** Runs all actors until they end. Throws the first error of any. Steps outside of a race are not delayed. */
  race(actors: Record<string, () => Promise<unknown>>): Promise<void>;
  /** Runs `operation` when the schedule chooses it among the steps that wait. `actor`: default the current one. */
  step<T>(name: string, operation: () => Promise<T> | T, actor?: string): Promise<T>;
  /** Returns the next random number of this seed, in [0, 1). For choices of the actors. */
  random(): number;
  /** The steps so far, in their order. */
  order: string[];
};

/** `blockedMs`: how long a step that another actor blocks, in the database for example, holds the others up. */
export type ScheduleOptions = { blockedMs?: number };

/** All actors wait for a step, or for the outside world, when no step arrives in so many iterations of the event loop. */
const quietIterations = 12;

type Waiting = { actor: string; name: string; start(): void; ended: Promise<void> };

/**
 * Each actor gets a random priority, which changes at random: some orders alternate at every step, others let one actor
 * stand still in the middle of its work for as long as the others can proceed.
 */
export function createSchedule(seed: number, { blockedMs = 25 }: ScheduleOptions = {}): Schedule {
  const current = new AsyncLocalStorage<string>();
  const choose = randomOf(seed);
  const changeShare = 0.02 + choose() ** 2;
  const priorities = new Map<string, number>();
  const order: string[] = [];
  let waiting: Waiting[] = [];
  let arrivals = 0;
  let arrival = Promise.withResolvers<void>();
  let isRacing = false;

  function take(): Waiting {
    const actors = [...new Set(waiting.map(({ actor }) => actor))].sort();
    for (const actor of actors) if (!priorities.has(actor)) priorities.set(actor, choose());
    const changed = actors[Math.floor(choose() * actors.length)] as string;
    if (choose() < changeShare) priorities.set(changed, choose());
    const first = actors.toSorted((a, b) => (priorities.get(b) ?? 0) - (priorities.get(a) ?? 0))[0];
    const own = waiting.filter(({ actor }) => actor === first).toSorted((a, b) => (a.name < b.name ? -1 : 1));
    const taken = own[Math.floor(choose() * own.length)] as Waiting;
    waiting = waiting.filter((each) => each !== taken);
    return taken;
  }

  async function untilQuiet(): Promise<void> {
    for (let seen = arrivals, quiet = 0; quiet < quietIterations; quiet += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      if (arrivals !== seen) [seen, quiet] = [arrivals, 0];
    }
  }

  async function startSteps(): Promise<void> {
    while (isRacing) {
      if (waiting.length === 0) await arrival.promise;
      await untilQuiet();
      if (waiting.length === 0) continue;
      const { actor, name, start, ended } = take();
      order.push(`${actor}: ${name}`);
      start();
      await Promise.race([ended, sleep(blockedMs, undefined, { ref: false })]);
    }
    for (const { start } of waiting.splice(0)) start();
  }

  function signalArrival(): void {
    arrivals += 1;
    arrival.resolve();
    arrival = Promise.withResolvers();
  }

  return {
    seed,
    order,
    random: randomOf(seed + 0.5),
    async step(name, operation, actor = current.getStore() ?? 'other') {
      if (!isRacing) return await operation();
      const { promise: started, resolve: start } = Promise.withResolvers<void>();
      const { promise: ended, resolve: end } = Promise.withResolvers<void>();
      waiting.push({ actor, name, start, ended });
      signalArrival();
      await started;
      try {
        return await operation();
      } finally {
        end();
      }
    },
    async race(actors) {
      isRacing = true;
      const ends = Object.entries(actors).map(([actor, act]) => current.run(actor, act));
      const steps = startSteps();
      await Promise.allSettled(ends);
      isRacing = false;
      signalArrival();
      await steps;
      await Promise.all(ends);
    },
  };
}

/**
 * Runs a race with the `known` seeds and with 1 to `count`, or with SEED of the environment alone. An error names its
 * seed.
 */
export async function overSeeds(
  count: number,
  run: (schedule: Schedule) => Promise<void>,
  { known = [], ...options }: ScheduleOptions & { known?: readonly number[] } = {},
): Promise<void> {
  const { SEED } = process.env;
  const chosen = [...known, ...Array.from({ length: count }, (_, index) => index + 1)];
  const seeds = SEED === undefined ? new Set(chosen) : [Number(SEED)];
  for (const seed of seeds) {
    const schedule = createSchedule(seed, options);
    try {
      await run(schedule);
    } catch (error) {
      const { message } = error as Error;
      const steps = schedule.order.join('\n  ');
      throw new Error(`SEED=${seed} repeats this failure: ${message}\nSteps:\n  ${steps}`, { cause: error });
    }
  }
}

/** Returns a generator of numbers in [0, 1) that depends on the seed alone. */
const randomOf = (seed: number) => createRandom(Math.floor(seed * 0x9e37_79b9)).random;
