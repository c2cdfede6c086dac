import { plain } from '../program/output.ts';
import type { Bluejay, StreamedEvent } from '../sdk.ts';

export type FollowOptions = {
  bluejay: Bluejay;
  /** Starts after the event with this id. By default now. */
  after?: string | undefined;
  /** Gets each event once. The next one is read when it has settled. */
  onEvent: (event: StreamedEvent) => Promise<void> | void;
  /** Gets notes on the connection. */
  note: (line: string) => void;
  /** Stops following. */
  signal: AbortSignal;
};

/** Follows a key's events, and notes when the connection is lost and open again. Throws as `events.stream` does. */
export async function followEvents({ bluejay, after, onEvent, note, signal }: FollowOptions): Promise<void> {
  let state: 'new' | 'open' | 'lost' = 'new';
  const onOpen = () => {
    if (state === 'new') note('Listening. Ctrl-C ends it.');
    if (state === 'lost') note('Connected again.');
    state = 'open';
  };
  const onLost = (error: unknown, delayMs: number) => {
    const reason = error instanceof Error ? error.message : String(error);
    note(`Not connected: ${plain(reason)} Trying again in ${Math.ceil(delayMs / 1_000)} s …`);
    state = 'lost';
  };
  const query = after === undefined ? {} : { after };
  for await (const event of bluejay.events.stream(query, { signal, onOpen, onLost })) await onEvent(event);
}

/** Returns what an event is about. */
export function subjectOf({ data }: StreamedEvent): string {
  return 'mailJobId' in data ? data.mailJobId : data.bulkId;
}
