/**
 * Settles like `work`. If that takes longer than `timeoutMs` (at most 2^31 - 1), settles like `onTimeout` instead, and
 * ignores how `work` ends. Does not cancel `work`: `onTimeout` may, or throw. A timer that is not needed any more keeps
 * no process alive.
 */
export async function withTimeout<Result, Late>(
  work: Promise<Result>,
  timeoutMs: number,
  onTimeout: () => Late,
): Promise<Result | Awaited<Late>> {
  const { promise: timedOut, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, timeoutMs);
  try {
    return await Promise.race([work, timedOut.then(onTimeout)]);
  } finally {
    clearTimeout(timer);
  }
}
