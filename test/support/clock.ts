import type { Clock } from '../../common/clock.ts';

/** A clock that stands where a test has set it, so that the edges of times can be met to the millisecond. */
export type StandingClock = Clock & { set(at: Date): void; advance(ms: number): void };

/** Stands at the present at first: the object store, which has a clock of its own, must still take our signatures. */
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
