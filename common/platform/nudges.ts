import type { Log } from './log.ts';

const timeoutMs = 50;
/** After so long without a nudge the next one goes out at once, by itself. */
const quietMs = 20;
/** Nudges for later are sent by steps of so long, up to one step late. */
const laterStepMs = 50;

/** One message: look at this row of a queue's subject, now or after a delay. */
export type Hint<Queue extends string> = { queue: Queue; id: string; delayMs: number };

export type NudgesOptions<Queue extends string> = {
  add(hints: readonly Hint<Queue>[]): Promise<void>;
  /** How many of those that go to a queue together are sent at most; undefined for all. */
  maxOf(queue: Queue): number | undefined;
  log: Log;
};

/** Nudges of one process on their way to the queues. `close` sends what is held, its delay with it. */
export function createNudges<Queue extends string>({ add, maxOf, log }: NudgesOptions<Queue>) {
  let waiting: Hint<Queue>[] = [];
  let sentMs = Number.NEGATIVE_INFINITY;
  /** Those for later, by the step of time in which they are sent. */
  const later = new Map<number, { hints: Hint<Queue>[]; timer: NodeJS.Timeout }>();

  /** What one commit leads to is nudged within one turn of the event loop, and goes to Redis together. */
  function send(hints: readonly Hint<Queue>[]): void {
    if (waiting.length === 0) setImmediate(sendWaiting);
    waiting.push(...hints);
    // Somebody may be waiting for just this: workers begin while this process still answers.
    if (performance.now() - sentMs > quietMs) sendWaiting();
  }

  function sendWaiting(): void {
    if (waiting.length === 0) return;
    sentMs = performance.now();
    const hints = [...Map.groupBy(waiting, ({ queue }) => queue)].flatMap(([queue, some]) =>
      some.slice(0, maxOf(queue)),
    );
    waiting = [];
    const lost = (cause: unknown) =>
      log.debug({ hints: hints.length, cause: String(cause) }, 'hints lost; the scanner will find the work');
    const timer = setTimeout(() => lost('timeout'), timeoutMs);
    add(hints)
      .catch(lost)
      .finally(() => clearTimeout(timer));
  }

  /** Kept here, where it costs nothing: Redis would wake the queue's workers at once, to tell them to wait. */
  function hold(hints: readonly Hint<Queue>[], delayMs: number): void {
    const step = Math.ceil((performance.now() + delayMs) / laterStepMs);
    const held = later.get(step);
    if (held) {
      held.hints.push(...hints);
      return;
    }
    const all: Hint<Queue>[] = [...hints];
    const begin = () => {
      later.delete(step);
      send(all.map((hint) => ({ ...hint, delayMs: 0 })));
    };
    later.set(step, { hints: all, timer: setTimeout(begin, step * laterStepMs - performance.now()) });
  }

  return {
    nudge(queue: Queue, ids: readonly string[], delayMs = 0): void {
      const hints = ids.map((id) => ({ queue, id, delayMs }));
      if (delayMs > 0) hold(hints, delayMs);
      else send(hints);
    },
    close(): void {
      for (const { timer, hints } of later.values()) {
        clearTimeout(timer);
        waiting.push(...hints);
      }
      later.clear();
      // A command-line program ends in the same turn in which it nudges.
      sendWaiting();
    },
  };
}
