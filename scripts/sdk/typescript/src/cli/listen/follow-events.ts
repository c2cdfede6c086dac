import { setTimeout as sleep } from 'node:timers/promises';
import { RetryableError, readEventSource, type ServerSentEvent } from './event-source.ts';

export type FollowOptions = {
  apiUrl: string;
  key: string;
  /** Starts after the event with this id. By default now. */
  after?: string | undefined;
  /** Gets each event once. The next one is read when it has settled. */
  onEvent: (event: ServerSentEvent) => Promise<void> | void;
  /** Gets notes on the connection. */
  note: (line: string) => void;
  /** Stops following. */
  signal: AbortSignal;
};

/** How many event ids are remembered to drop repeats after a reconnect. */
const maxSeen = 20_000;
const firstPauseMs = 1_000;
const maxPauseMs = 30_000;

/** Follows a key's events, reconnecting when needed. Throws BluejayError, or the reason of `signal`. */
export async function followEvents(options: FollowOptions): Promise<never> {
  const { apiUrl, key, onEvent, signal, note } = options;
  const seen = new Set<string>();
  let { after } = options;
  let isFirst = true;
  let pauseMs = firstPauseMs;
  for (;;) {
    try {
      for await (const event of readEventSource({ url: apiUrl, key, after, signal })) {
        if (isFirst) note('Listening. Ctrl-C ends it.');
        else if (pauseMs > firstPauseMs) note('Connected again.');
        isFirst = false;
        after = event.id;
        pauseMs = firstPauseMs;
        if (event.event === '' || seen.has(event.id)) continue;
        seen.add(event.id);
        // A Set keeps its order, so the first id is the oldest.
        for (const id of seen)
          if (seen.size > maxSeen) seen.delete(id);
          else break;
        await onEvent(event);
      }
      // The service has ended the stream deliberately: it restarts, or there is more to replay.
      await sleep(firstPauseMs, undefined, { signal });
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof RetryableError)) throw error;
      const waitMs = Math.max(pauseMs, (error.retryAfterS ?? 0) * 1_000);
      note(`Not connected: ${error.message}. Trying again in ${Math.round(waitMs / 1_000)} s …`);
      pauseMs = Math.min(pauseMs * 2, maxPauseMs);
      await sleep(waitMs, undefined, { signal });
    }
  }
}
