/**
 * How much a test that repeats a race or a fault does of it: `quick` in `npm test`, `full` where TEST_LEVEL=full asks
 * for it (`.ci/run` does). The same test at both levels, and never skipped.
 */
export function byLevel<T>({ quick, full }: { quick: T; full: T }): T {
  return process.env.TEST_LEVEL === 'full' ? full : quick;
}
