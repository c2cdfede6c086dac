import type { TailEvent, TailListener } from './event-tail.ts';

/** Events on their way from the tail to one stream. */
export type EventQueue = TailListener & {
  /** What has come; nothing after `timeoutMs`, or when it is over. */
  take(timeoutMs: number): Promise<TailEvent[]>;
  isOver(): boolean;
};

/** With more than `maxWaiting` events for a client who reads slowly it is over, and he resumes. */
export function createEventQueue(maxWaiting: number): EventQueue {
  let waiting: TailEvent[] = [];
  let isOver = false;
  let wake = () => {};
  const end = () => {
    isOver = true;
    // Nobody gets it any more, and whoever reads nothing may stay for a while.
    waiting = [];
    wake();
  };

  return {
    push(events) {
      if (isOver) return;
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
      const taken = waiting;
      waiting = [];
      return taken;
    },
  };
}
