import { AsyncLocalStorage } from 'node:async_hooks';
import type { StandingClock } from '../jest.ts';
import { raceOnStore } from './race-on-store.ts';
import type { Schedule } from './schedule.ts';
import { inVirtualTime } from './virtual-time.ts';

/**
 * A fault of a process before the `nth` step that matches `before`. The clock advances by `forMs`. `pause` suspends the
 * process for `forSteps` steps of the others, or until none can proceed. `lapse` also expires its lease. `death` expires
 * the lease and kills the process.
 */
export type Fault = {
  kind: 'pause' | 'lapse' | 'death';
  before: RegExp;
  nth: number;
  forSteps: number;
  forMs: number;
};

/** A process among the actors of a race. */
export type RacingProcess = {
  readonly name: string;
  /** Whether its fault has cost it its lease. */
  hasLostLease: boolean;
  /** Lets its lease lapse. Returns whether it had one. The process sets it when it claims something. */
  expireLease: () => Promise<boolean>;
  /** Settles when its fault strikes, at the latest when it ends. */
  readonly struck: Promise<void>;
  readonly ended: Promise<void>;
  run(act: () => Promise<unknown>): Promise<void>;
};

type State = {
  process: RacingProcess;
  fault: Fault | null;
  /** Steps so far that its fault could strike. */
  matched: number;
  isDead: boolean;
  /** Settles when the process goes on after its fault. */
  pause: Promise<void> | null;
  strike(): void;
};

/** Ends a dead process: each of its further steps throws this. */
class Killed extends Error {
  override readonly name = 'Killed';
}

/** Creates the processes of one race on the database. At most one of them stands still at a time. */
export function createRacingProcesses(schedule: Schedule, clock: StandingClock) {
  const current = new AsyncLocalStorage<State>();
  const isRacing = new AsyncLocalStorage<true>();
  let steps = 0;
  let busy = 0;
  let paused: { untilStep: number; resume: () => void } | null = null;

  function resume(): void {
    paused?.resume();
    paused = null;
  }

  function endBusy(): void {
    busy -= 1;
    // Later: another actor may just be starting.
    if (busy === 0) setImmediate(() => busy === 0 && resume());
  }

  /** Waits for another actor. */
  async function idle(until: Promise<unknown>): Promise<void> {
    endBusy();
    await until;
    busy += 1;
  }

  async function strike(state: State, { kind, forSteps, forMs }: Fault): Promise<void> {
    const { process } = state;
    if (kind !== 'pause') process.hasLostLease = await current.exit(() => process.expireLease());
    clock.advance(forMs);
    schedule.order.push(`${process.name}: ${kind}${process.hasLostLease ? ', its lease lapses' : ''}`);
    state.isDead = kind === 'death';
    state.strike();
    if (state.isDead) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    state.pause = promise;
    resume();
    paused = { untilStep: steps + forSteps, resume: resolve };
    await idle(promise);
  }

  async function beforeStep(state: State, name: string): Promise<void> {
    await state.pause;
    if (state.fault?.before.test(name)) {
      state.matched += 1;
      if (state.matched === state.fault.nth) await strike(state, state.fault);
    }
    if (state.isDead) throw new Killed(state.process.name);
  }

  /** A step of a process, each a millisecond of the clock. */
  async function step<T>(name: string, operation: () => Promise<T> | T, actor?: string): Promise<T> {
    const state = current.getStore();
    if (state) await beforeStep(state, name);
    const run = () => {
      clock.advance(1);
      return operation();
    };
    const result = await schedule.step(name, run, actor).finally(() => {
      steps += 1;
      if (paused && steps >= paused.untilStep) resume();
    });
    if (state?.isDead) throw new Killed(state.process.name);
    return result;
  }

  return {
    idle,
    step,
    create(name: string, fault: Fault | null = null): RacingProcess {
      const struck = Promise.withResolvers<void>();
      const ended = Promise.withResolvers<void>();
      const process: RacingProcess = {
        name,
        hasLostLease: false,
        expireLease: async () => false,
        struck: struck.promise,
        ended: ended.promise,
        async run(act) {
          try {
            await current.run(state, act);
          } catch (error) {
            if (!state.isDead) throw error;
          } finally {
            struck.resolve();
            ended.resolve();
          }
        },
      };
      const state: State = { process, fault, matched: 0, isDead: false, pause: null, strike: struck.resolve };
      return process;
    },
    /** Runs all actors until they end, in virtual time. */
    async race(actors: Record<string, () => Promise<unknown>>): Promise<void> {
      const entries = Object.entries(actors);
      busy = entries.length;
      const counted = entries.map(([name, act]) => [name, () => isRacing.run(true, act).finally(endBusy)]);
      const virtualTime = { clock, step, isVirtual: () => isRacing.getStore() === true };
      await inVirtualTime(virtualTime, () => raceOnStore({ ...schedule, step }, Object.fromEntries(counted)));
    },
  };
}
