import { AsyncLocalStorage } from 'node:async_hooks';
import { mock } from 'node:test';
import timers from 'node:timers';
import timerPromises, { setImmediate as nextLoop } from 'node:timers/promises';
import { afterEach, beforeEach } from './jest.ts';

/** What follows from a timer can start another one: the time passes in so many steps. */
const maxSteps = 100;

/**
 * Lets the timers and `performance.now` of what `run` calls stand still until `advance` moves them, in each test of a file
 * or block. Everything else keeps the real time: servers, their clients, and the waits of the test.
 */
export function useStandingTime() {
  const isInside = new AsyncLocalStorage<true>();
  let nowMs = 0;
  let restore = () => {};

  beforeEach(() => {
    const real = pickTimers(globalThis);
    const realNow = performance.now.bind(performance);
    nowMs = realNow();
    const ofTimers = pickTimers(timers);
    const ofPromises = pickTimers(timerPromises);
    mock.timers.enable({ apis: ['setTimeout', 'setInterval'] });
    const standing = { ...globalThis };
    // It replaces those of both modules too. Packages in CommonJS call them, such as the MongoDB driver.
    Object.assign(timers, ofTimers);
    Object.assign(timerPromises, ofPromises);
    for (const name of ['setTimeout', 'setInterval'] as const) {
      const start = (end: () => void, ...rest: []) =>
        isInside.getStore() ? standing[name](AsyncLocalStorage.bind(end), ...rest) : real[name](end, ...rest);
      globalThis[name] = start as never;
    }
    for (const name of ['clearTimeout', 'clearInterval'] as const) {
      globalThis[name] = (timer) => {
        real[name](timer);
        standing[name](timer);
      };
    }
    performance.now = () => (isInside.getStore() ? nowMs : realNow());
    restore = () => {
      mock.timers.reset();
      Object.assign(globalThis, real);
      // Uncovers the method of the prototype.
      Reflect.deleteProperty(performance, 'now');
    };
  });
  afterEach(() => restore());

  return {
    run: <T>(work: () => T): T => isInside.run(true, work),
    /** Moves the time, and calls what falls due on the way. */
    async advance(ms: number): Promise<void> {
      const stepMs = Math.max(1, Math.floor(ms / maxSteps));
      for (let restMs = ms; restMs > 0; restMs -= stepMs) {
        const passedMs = Math.min(stepMs, restMs);
        nowMs += passedMs;
        mock.timers.tick(passedMs);
        await nextLoop();
      }
    },
  };
}

/** Returns the functions that a mock of the timers replaces. `timers/promises` has no functions that clear. */
function pickTimers<T extends object>(from: T): T {
  const names = ['setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'] as const;
  return Object.fromEntries(names.filter((name) => name in from).map((name) => [name, from[name as keyof T]])) as T;
}
