/** Supplies the current time; injected so tests can set it. Durations are measured with `performance.now()`. */
export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };

/** Returns `at` moved by `ms` milliseconds; negative moves back. */
export function plusMs(at: Date, ms: number): Date {
  return new Date(at.getTime() + ms);
}

/** In milliseconds. */
export const hourMs = 60 * 60 * 1_000;
export const dayMs = 24 * hourMs;
