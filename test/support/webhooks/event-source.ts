export type StreamedEvent = { id: string; event?: string; data?: string };

export type EventSource = Awaited<ReturnType<typeof openEventSource>>;

/** Opens the event stream with an independent parser. */
export async function openEventSource(url: string, key: string, headers: Record<string, string> = {}) {
  const abort = new AbortController();
  const answer = await fetch(url, { headers: { authorization: `Bearer ${key}`, ...headers }, signal: abort.signal });
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
  const ended = follow()
    .catch(() => undefined)
    .finally(() => {
      hasEnded = true;
    });
  // The body of an error answer arrives at once.
  if (!answer.ok) await ended;

  return {
    status: answer.status,
    headers: answer.headers,
    /** All messages so far: events and positions without an event. */
    received,
    /** Returns the raw text, including comments. */
    text: () => text,
    hasEnded: () => hasEnded,
    close: () => abort.abort(),
  };
}
