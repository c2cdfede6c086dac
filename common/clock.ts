/** Where the present comes from: handed in, so that a test can set it. Durations are measured by `performance.now()`. */
export type Clock = { now(): Date };

export const systemClock: Clock = { now: () => new Date() };

/** `at` moved by `ms` milliseconds; negative goes back. */
export function plusMs(at: Date, ms: number): Date {
  return new Date(at.getTime() + ms);
}
