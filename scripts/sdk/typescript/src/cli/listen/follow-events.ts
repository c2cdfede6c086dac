import { setTimeout as sleep } from 'node:timers/promises';
import { RetryableError, readEventSource, type ServerSentEvent } from './event-source.ts';
import { type Forwarded, forwardEvent } from './forward-event.ts';

export type FollowOptions = {
  apiUrl: string;
  key: string;
  forwardUrl: string;
  secret: string;
  /** Gets each event that was posted, with its answer. */
  onForwarded: (event: ServerSentEvent, answer: Forwarded) => void;
  /** Gets notes on the connection. */
  note: (line: string) => void;
  /** Stops following. */
  signal: AbortSignal;
};

/** Maximum of concurrent posts. A slow receiver then blocks the stream only briefly. */
const maxInFlight = 10;
/** How many event ids are remembered to drop repeats after a reconnect. */
const maxSeen = 20_000;
const firstPauseMs = 1_000;
const maxPauseMs = 30_000;

/** Forwards a key's events until `signal` aborts, reconnecting when needed, and reports each. Throws Refusal. */
export async function followEvents(options: FollowOptions): Promise<void> {
  const { apiUrl, key, signal, note } = options;
  const seen = new Set<string>();
  const forward = createForwarder(options);
  let after: string | undefined;
  let pauseMs = firstPauseMs;
  while (!signal.aborted) {
    try {
      for await (const event of readEventSource({ url: apiUrl, key, after, signal })) {
        if (after === undefined) note('Listening.');
        else if (pauseMs > firstPauseMs) note('Connected again.');
        after = event.id;
        pauseMs = firstPauseMs;
        if (event.event === '' || seen.has(event.id)) continue;
        seen.add(event.id);
        // A Set keeps its order, so the first id is the oldest.
        for (const id of seen)
          if (seen.size > maxSeen) seen.delete(id);
          else break;
        await forward(event);
      }
      // The service has ended the stream deliberately: it restarts, or there is more to replay.
      await sleep(firstPauseMs, undefined, { signal });
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof RetryableError)) throw error;
      const waitMs = Math.max(pauseMs, (error.retryAfterS ?? 0) * 1_000);
      note(`Not connected: ${error.message}. Trying again in ${Math.round(waitMs / 1_000)} s …`);
      pauseMs = Math.min(pauseMs * 2, maxPauseMs);
      await sleep(waitMs, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** Creates a function that posts an event and reports the answer. It settles when the post has started. */
function createForwarder({ forwardUrl: url, secret, signal, onForwarded }: FollowOptions) {
  const inFlight = new Set<Promise<void>>();

  async function post(event: ServerSentEvent): Promise<void> {
    const answer = await forwardEvent(event, { url, secret, signal });
    if (!signal.aborted) onForwarded(event, answer);
  }

  return async (event: ServerSentEvent) => {
    if (inFlight.size >= maxInFlight) await Promise.race(inFlight);
    const posting = post(event).finally(() => inFlight.delete(posting));
    inFlight.add(posting);
  };
}

/** Returns the line of a forwarded event for a terminal. */
export function describeForwarded(
  { event, data }: ServerSentEvent,
  { result, isTaken, durationMs }: Forwarded,
): string {
  const time = new Date().toTimeString().slice(0, 8);
  const { mailJobId } = JSON.parse(data) as { mailJobId: string };
  return `${time}  ${isTaken ? '✓' : '✗'} ${event.padEnd(14)}  ${mailJobId}  ${result}  ${durationMs} ms`;
}
