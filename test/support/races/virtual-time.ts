import { syncBuiltinESMExports } from 'node:module';
import type { TimerOptions } from 'node:timers';
import promised from 'node:timers/promises';
import type { StandingClock } from '../jest.ts';
import type { Schedule } from './schedule.ts';

type VirtualTime = {
  clock: StandingClock;
  /** The end of a wait is such a step. */
  step: Schedule['step'];
  /** Whether the caller's timers are virtual. Those of clients in the background stay real. */
  isVirtual: () => boolean;
};

/**
 * Runs `work` in a time that passes only when the clock is moved: `performance.now` follows the clock, and the end of a
 * wait is a step that moves it on. Otherwise the age of a cache or the number of polls would depend on the machine.
 */
export async function inVirtualTime<T>({ clock, step, isVirtual }: VirtualTime, work: () => Promise<T>): Promise<T> {
  const { setTimeout: startTimer, clearTimeout: stopTimer } = globalThis;
  const { setTimeout: sleep } = promised;
  const startedAtMs = performance.now();
  const startedAt = clock.now().getTime();
  const stopped = new WeakSet<object>();

  performance.now = () => startedAtMs + clock.now().getTime() - startedAt;
  promised.setTimeout = ((ms = 0, value?: unknown, options?: TimerOptions) => {
    if (!isVirtual()) return sleep(ms, value, options);
    return step('sleeps', () => clock.advance(Math.ceil(ms)));
  }) as typeof sleep;
  globalThis.setTimeout = ((end: () => void, ms = 0, ...rest: unknown[]) => {
    if (!isVirtual()) return startTimer(end, ms, ...(rest as []));
    const timer = startTimer(() => {}, 0);
    const ended = step('waits', () => {
      if (stopped.has(timer)) return;
      clock.advance(Math.ceil(ms));
      end();
    });
    // A process that is killed has no timers.
    ended.catch(() => {});
    return timer;
  }) as typeof startTimer;
  globalThis.clearTimeout = (timer) => {
    if (typeof timer === 'object') stopped.add(timer);
    stopTimer(timer);
  };
  syncBuiltinESMExports();
  try {
    return await work();
  } finally {
    Object.assign(globalThis, { setTimeout: startTimer, clearTimeout: stopTimer });
    promised.setTimeout = sleep;
    syncBuiltinESMExports();
    // Uncovers the method of the prototype.
    Reflect.deleteProperty(performance, 'now');
  }
}
