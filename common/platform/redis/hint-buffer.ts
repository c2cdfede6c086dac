import { withTimeout } from '../concurrency/with-timeout.ts';
import type { Log } from '../process/log.ts';
import { runOutsideSpans } from '../spans/tracing.ts';

const timeoutMs = 50;
/** After this long without a hint the next one is sent at once, alone. */
const quietMs = 20;
/** Delayed hints are sent in steps of this length, at most one step late. */
const delayStepMs = 50;

/** A message that names a row to look at, now or after a delay. */
export type Hint<Queue extends string> = { queue: Queue; id: string; delayMs: number };

export type HintBufferOptions<Queue extends string> = {
  add(hints: readonly Hint<Queue>[]): Promise<void>;
  /** Returns the most hints that one flush sends to a queue, undefined for no limit. */
  maxPerFlush(queue: Queue): number | undefined;
  log: Log;
};

/**
 * Delayed hints that are sent together, one per row. Several early hints for one row are all postponed until the row is
 * due: without this they would arrive together again each time.
 */
type DelayStep<Queue extends string> = { hints: Map<string, Hint<Queue>>; timer: NodeJS.Timeout };

/** Creates the buffer of one process's hints. `close` sends what it still holds, with the delays. */
export function createHintBuffer<Queue extends string>({ add, maxPerFlush, log }: HintBufferOptions<Queue>) {
  let buffered: Hint<Queue>[] = [];
  let flushedMs = Number.NEGATIVE_INFINITY;
  const delayed = new Map<number, DelayStep<Queue>>();

  /** Coalesces hints of one event-loop tick: those that follow from one commit go to Redis together. */
  function send(hints: readonly Hint<Queue>[]): void {
    if (buffered.length === 0) setImmediate(flush);
    buffered.push(...hints);
    // After a quiet period an idle worker can start while this process is still answering.
    if (performance.now() - flushedMs > quietMs) flush();
  }

  function flush(): void {
    if (buffered.length === 0) return;
    flushedMs = performance.now();
    const hints = [...Map.groupBy(buffered, ({ queue }) => queue)].flatMap(([queue, some]) =>
      some.slice(0, maxPerFlush(queue)),
    );
    buffered = [];
    const logLost = (cause: unknown) =>
      log.debug({ hints: hints.length, cause: String(cause) }, 'hints lost, the scanner will find the work');
    // They follow from requests of several customers.
    runOutsideSpans(() => withTimeout(add(hints), timeoutMs, () => logLost('timeout')).catch(logLost));
  }

  /** Delays hints in this process. A delayed message in Redis would wake the queue's workers only to make them wait. */
  function delay(hints: readonly Hint<Queue>[], delayMs: number): void {
    const step = Math.ceil((performance.now() + delayMs) / delayStepMs);
    const { hints: held } = delayed.get(step) ?? openStep(step);
    for (const hint of hints) held.set(`${hint.queue} ${hint.id}`, hint);
  }

  function openStep(step: number): DelayStep<Queue> {
    const hints: DelayStep<Queue>['hints'] = new Map();
    const sendStep = () => {
      delayed.delete(step);
      send([...hints.values()].map((hint) => ({ ...hint, delayMs: 0 })));
    };
    const opened = { hints, timer: setTimeout(sendStep, step * delayStepMs - performance.now()) };
    delayed.set(step, opened);
    return opened;
  }

  return {
    notify(queue: Queue, ids: readonly string[], delayMs = 0): void {
      const hints = ids.map((id) => ({ queue, id, delayMs }));
      if (delayMs > 0) delay(hints, delayMs);
      else send(hints);
    },
    close(): void {
      for (const { timer, hints } of delayed.values()) {
        clearTimeout(timer);
        buffered.push(...hints.values());
      }
      delayed.clear();
      // A command-line program closes in the same event-loop tick in which it notifies, before the `setImmediate`.
      flush();
    },
  };
}
