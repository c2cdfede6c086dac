import type { Clock } from '#common/clock.ts';

/** A clock that only moves when a test sets it, for exact checks of time limits. */
export type StandingClock = Clock & { set(at: Date): void; advance(ms: number): void };

/** Creates a clock that starts at the present, because the object store checks signatures against the real time. */
export function standingClock(start: Date = new Date()): StandingClock {
  let present = start;
  return {
    now: () => present,
    set: (at) => {
      present = at;
    },
    advance: (ms) => {
      present = new Date(present.getTime() + ms);
    },
  };
}
