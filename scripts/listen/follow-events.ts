import { setTimeout as sleep } from 'node:timers/promises';
import { ComeAgainError, readEventSource, type ServerSentEvent } from './event-source.ts';
import { forwardEvent } from './forward-event.ts';

export type FollowOptions = {
  apiUrl: string;
  key: string;
  forwardUrl: string;
  secret: string;
  /** Ends it. */
  signal: AbortSignal;
  /** The events, one line each. */
  print: (line: string) => void;
  /** What else a person should know. */
  note: (line: string) => void;
};

/** Posts under way at once: a slow receiver must not hold up the stream for long. */
const maxInFlight = 10;
/** Events that are remembered, so that what comes again after a lost connection is dropped. */
const maxSeen = 20_000;
const firstPauseMs = 1_000;
const maxPauseMs = 30_000;

/** Forwards a key's events until `signal` fires, across lost connections. Throws what the person must mend. */
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
        remember(seen, event.id);
        await forward(event);
      }
      // The service has ended the stream in order: it restarts, or there is more to replay.
      await sleep(firstPauseMs, undefined, { signal });
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof ComeAgainError)) throw error;
      const waitMs = Math.max(pauseMs, (error.retryAfterS ?? 0) * 1_000);
      note(`Not connected: ${error.message}. Trying again in ${Math.round(waitMs / 1_000)} s …`);
      pauseMs = Math.min(pauseMs * 2, maxPauseMs);
      await sleep(waitMs, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** Posts events, ten at once at most, and prints each with its answer; settles as soon as another may follow. */
function createForwarder({ forwardUrl: url, secret, signal, print }: FollowOptions) {
  const underWay = new Set<Promise<void>>();

  async function post(event: ServerSentEvent): Promise<void> {
    const { result, isTaken, durationMs } = await forwardEvent(event, { url, secret, signal });
    if (signal.aborted) return;
    const time = new Date().toTimeString().slice(0, 8);
    const { mailJobId } = JSON.parse(event.data) as { mailJobId: string };
    print(`${time}  ${isTaken ? '✓' : '✗'} ${event.event.padEnd(14)}  ${mailJobId}  ${result}  ${durationMs} ms`);
  }

  return async (event: ServerSentEvent) => {
    const posting = post(event).finally(() => underWay.delete(posting));
    underWay.add(posting);
    if (underWay.size >= maxInFlight) await Promise.race(underWay);
  };
}

function remember(seen: Set<string>, id: string): void {
  seen.add(id);
  const [oldest] = seen;
  if (seen.size > maxSeen && oldest !== undefined) seen.delete(oldest);
}
