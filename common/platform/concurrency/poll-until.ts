import { setTimeout as sleep } from 'node:timers/promises';

/** Checks every `everyMs` until `isDone`. Returns false when that takes longer than `withinMs`. */
export async function pollUntil(
  isDone: () => boolean | Promise<boolean>,
  { everyMs, withinMs }: { everyMs: number; withinMs: number },
): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  while (!(await isDone())) {
    if (performance.now() >= deadline) return false;
    await sleep(everyMs);
  }
  return true;
}
