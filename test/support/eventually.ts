const pauseMs = 20;

/** Calls `check` until it does not throw, and returns its result. After `withinMs` it throws the last failure. */
export async function eventually<T>(check: () => T | Promise<T>, { withinMs }: { withinMs: number }): Promise<T> {
  const startedMs = performance.now();
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (performance.now() - startedMs > withinMs) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
