import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { createFairSemaphore } from '#common/platform/fairness/fair-semaphore.ts';
import { terminal } from '../supervisor/terminal.ts';
import { RetryableError, readEventSource, type ServerSentEvent } from './event-source.ts';
import { forwardEvent } from './forward-event.ts';

export type FollowOptions = {
  apiUrl: string;
  key: string;
  forwardUrl: string;
  secret: string;
  /** Stops following. */
  signal: AbortSignal;
};

/** Maximum of concurrent posts. A slow receiver then blocks the stream only briefly. */
const maxInFlight = 10;
/** How many event ids are remembered to drop repeats after a reconnect. */
const maxSeen = 20_000;
const firstPauseMs = 1_000;
const maxPauseMs = 30_000;

/** Forwards a key's events until `signal` aborts, reconnecting when needed, and prints each. Throws OperatorError. */
export async function followEvents(options: FollowOptions): Promise<void> {
  const { apiUrl, key, signal } = options;
  const seen = new LRUCache<string, true>({ max: maxSeen });
  const forward = createForwarder(options);
  let after: string | undefined;
  let pauseMs = firstPauseMs;
  while (!signal.aborted) {
    try {
      for await (const event of readEventSource({ url: apiUrl, key, after, signal })) {
        if (after === undefined) terminal.note('Listening.');
        else if (pauseMs > firstPauseMs) terminal.note('Connected again.');
        after = event.id;
        pauseMs = firstPauseMs;
        if (event.event === '' || seen.has(event.id)) continue;
        seen.set(event.id, true);
        await forward(event);
      }
      // The service has ended the stream deliberately: it restarts, or there is more to replay.
      await sleep(firstPauseMs, undefined, { signal });
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof RetryableError)) throw error;
      const waitMs = Math.max(pauseMs, (error.retryAfterS ?? 0) * 1_000);
      terminal.note(`Not connected: ${error.message}. Trying again in ${Math.round(waitMs / 1_000)} s …`);
      pauseMs = Math.min(pauseMs * 2, maxPauseMs);
      await sleep(waitMs, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** Creates a function that posts an event and prints the answer. It settles when the post has started. */
function createForwarder({ forwardUrl: url, secret, signal }: FollowOptions) {
  const permits = createFairSemaphore({ permits: maxInFlight, maxWaiting: 1 });
  const posts = 'posts';

  async function post(event: ServerSentEvent): Promise<void> {
    const { result, isTaken, durationMs } = await forwardEvent(event, { url, secret, signal });
    if (signal.aborted) return;
    const time = new Date().toTimeString().slice(0, 8);
    const { mailJobId } = JSON.parse(event.data) as { mailJobId: string };
    const mark = isTaken ? '✓' : '✗';
    terminal.print(`${time}  ${mark} ${event.event.padEnd(14)}  ${mailJobId}  ${result}  ${durationMs} ms`);
  }

  return async (event: ServerSentEvent) => {
    await permits.acquire(posts);
    void post(event).finally(() => permits.release(posts));
  };
}
