import type { TailEvent, TailListener } from './event-tail.ts';

/** Events that wait for a client who reads slowly; with more his stream ends, and he resumes. */
const maxWaiting = 5_000;

/** Events on their way from the tail to one stream. */
export type EventQueue = TailListener & {
  /** What has come; nothing after `timeoutMs`, or when it is over. */
  take(timeoutMs: number): Promise<TailEvent[]>;
  isOver(): boolean;
};

export function createEventQueue(): EventQueue {
  let waiting: TailEvent[] = [];
  let isOver = false;
  let wake = () => {};
  const end = () => {
    isOver = true;
    wake();
  };

  return {
    push(events) {
      // Whoever has read all so far may have any burst: one look of the tail is bounded as well.
      if (waiting.length > 0 && waiting.length + events.length > maxWaiting) return end();
      waiting.push(...events);
      wake();
    },
    end,
    isOver: () => isOver,
    async take(timeoutMs) {
      if (waiting.length === 0 && !isOver) {
        const { promise, resolve } = Promise.withResolvers<void>();
        const timer = setTimeout(resolve, timeoutMs);
        wake = resolve;
        await promise;
        clearTimeout(timer);
      }
      const taken = isOver ? [] : waiting;
      waiting = [];
      return taken;
    },
  };
}
