const pauseMs = 20;

/**
 * Calls `look` until it no longer throws, and returns what it returned; after `withinMs` the last failure is thrown.
 * Waits for a condition instead of a time: fast when the machine is, patient when it is not.
 */
export async function eventually<T>(look: () => T | Promise<T>, { withinMs }: { withinMs: number }): Promise<T> {
  const startedMs = performance.now();
  for (;;) {
    try {
      return await look();
    } catch (error) {
      if (performance.now() - startedMs > withinMs) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
