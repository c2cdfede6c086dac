/**
 * Returns how often a test repeats a race or a fault: `quick` in `npm test`, `full` with TEST_LEVEL=full (`.ci/run`).
 */
export function byLevel<T>({ quick, full }: { quick: T; full: T }): T {
  return process.env.TEST_LEVEL === 'full' ? full : quick;
}
