import type { CommittedEvent, FeedListener } from './event-feed.ts';

/** Events on their way from the feed to one stream. */
export type EventQueue = FeedListener & {
  /** Returns all queued events, waiting for the first. Returns none after `timeoutMs` or when the queue has ended. */
  take(timeoutMs: number): Promise<CommittedEvent[]>;
  hasEnded(): boolean;
};

/** Creates a queue that ends when more than `maxWaiting` events wait for a slow client. The client then resumes. */
export function createEventQueue(maxWaiting: number): EventQueue {
  let waiting: CommittedEvent[] = [];
  let hasEnded = false;
  let wake = () => {};
  const end = () => {
    hasEnded = true;
    // Free the memory now: a client that reads nothing can keep its connection open for long.
    waiting = [];
    wake();
  };

  return {
    push(events) {
      if (hasEnded) return;
      // A client that has read everything may get a burst of any size.
      if (waiting.length > 0 && waiting.length + events.length > maxWaiting) return end();
      waiting.push(...events);
      wake();
    },
    end,
    hasEnded: () => hasEnded,
    async take(timeoutMs) {
      if (waiting.length === 0 && !hasEnded) {
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
