import { setTimeout as sleep } from 'node:timers/promises';

export type StreamedEvent = { id: string; event?: string; data?: string };

/** A client of the stream of events, with a parser of its own. */
export type EventSource = {
  status: number;
  headers: Headers;
  /** All that has come so far, events and mere positions. */
  received: StreamedEvent[];
  /** The whole text, comments and all. */
  text(): string;
  hasEnded(): boolean;
  close(): void;
};

export async function openEventSource(
  url: string,
  key: string,
  headers: Record<string, string> = {},
): Promise<EventSource> {
  const leaving = new AbortController();
  const answer = await fetch(url, { headers: { authorization: `Bearer ${key}`, ...headers }, signal: leaving.signal });
  const received: StreamedEvent[] = [];
  let text = '';
  let read = 0;
  let hasEnded = false;
  const follow = async () => {
    for await (const chunk of (answer.body ?? []) as AsyncIterable<Uint8Array>) {
      text += Buffer.from(chunk).toString('utf8');
      for (let end = text.indexOf('\n\n', read); end >= 0; end = text.indexOf('\n\n', read)) {
        const lines = text
          .slice(read, end)
          .split('\n')
          .map((line) => line.split(/: (.*)/s).slice(0, 2));
        read = end + 2;
        const fields = Object.fromEntries(lines);
        if (fields.id) received.push(fields);
      }
    }
  };
  follow()
    .catch(() => undefined)
    .finally(() => {
      hasEnded = true;
    });
  // The body of a refusal is there at once.
  if (!answer.ok) await sleep(20);

  return {
    status: answer.status,
    headers: answer.headers,
    received,
    text: () => text,
    hasEnded: () => hasEnded,
    close: () => leaving.abort(),
  };
}
