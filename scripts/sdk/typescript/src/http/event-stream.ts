import { BluejayError, ConnectionError } from '../errors.ts';

/** A message of an event stream. `event` and `data` are empty when it only carries a position. */
export type StreamMessage = { id: string; event: string; data: string };

/** How many ids are remembered to drop repeats. */
const maxSeen = 20_000;
const maxMessageLength = 1_000_000;

/**
 * The place in a stream. A stream that is resumed starts 10 s before its last event, because events may become visible
 * after later ones, so repeats are dropped by their ids.
 */
export class StreamPosition {
  /** The id to resume after: of the newest event, or of the position with which the stream began. */
  after: string | undefined;
  readonly #seen = new Set<string>();

  constructor(after: string | undefined) {
    this.after = after;
    if (after !== undefined) this.#seen.add(after);
  }

  /** Returns whether the message is an event that has not been seen yet. */
  advance({ id, data }: StreamMessage): boolean {
    if (this.#seen.has(id)) return false;
    this.after = id;
    if (data === '') return false;
    this.#seen.add(id);
    // A Set keeps its order, so the first id is the oldest.
    const [oldest] = this.#seen.size > maxSeen ? this.#seen : [];
    if (oldest !== undefined) this.#seen.delete(oldest);
    return true;
  }
}

/**
 * Parses server-sent events, as the service writes them. Throws a `ConnectionError` when the connection breaks or is
 * silent for `silenceMs`: then `abort` ends its request.
 */
export async function* readMessages(
  response: Response,
  { silenceMs, abort }: { silenceMs: number; abort: () => void },
): AsyncGenerator<StreamMessage> {
  if (response.body === null) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await readChunk(reader, silenceMs, abort);
    if (done) return;
    const messages = (rest + (value ?? '')).split(/\r?\n\r?\n/);
    rest = messages.pop() ?? '';
    if (rest.length > maxMessageLength) {
      throw new BluejayError({ code: 'INVALID_ANSWER', message: 'The answer is not an event stream.' });
    }
    for (const message of messages) {
      const { id = '', event = '', data = '' } = parseMessage(message);
      if (id !== '') yield { id, event, data };
    }
  }
}

async function readChunk(
  reader: ReadableStreamDefaultReader<string>,
  silenceMs: number,
  abort: () => void,
): Promise<{ done: boolean; value?: string | undefined }> {
  let isSilent = false;
  const timer = setTimeout(() => {
    isSilent = true;
    abort();
  }, silenceMs);
  try {
    return await reader.read();
  } catch (error) {
    if (isSilent) throw new ConnectionError({ code: 'TIMEOUT', message: `The stream was silent for ${silenceMs} ms.` });
    throw new ConnectionError({ code: 'CONNECTION_ERROR', message: `The connection failed: ${String(error)}` });
  } finally {
    clearTimeout(timer);
  }
}

function parseMessage(message: string): Record<string, string> {
  const lines = message.split(/\r?\n/).map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  return Object.fromEntries(lines);
}
