import { plain } from '../program/output.ts';
import { BluejayError, createApiError } from '../sdk.ts';

/** One server-sent event. `event` is empty for a message that only carries a position in the stream. */
export type ServerSentEvent = { id: string; event: string; data: string };

export type EventSourceOptions = {
  url: string;
  key: string;
  /** The last id received, or undefined on the first connection. */
  after: string | undefined;
  signal: AbortSignal;
};

/** A failure that may pass: the service is unreachable or asks for a later retry. */
export class RetryableError extends Error {
  override readonly name = 'RetryableError';
  readonly retryAfterS: number | undefined;

  constructor(message: string, retryAfterS?: number) {
    super(message);
    this.retryAfterS = retryAfterS;
  }
}

/** The service sends a comment every 15 s. After three missing ones the connection counts as lost. */
const silenceMs = 45_000;
/** Many times the size of the largest event. */
const maxLineLength = 1_000_000;

/**
 * Yields a key's events until the service ends the stream. Throws RetryableError for a failure that may pass, and
 * BluejayError for one that the user has to fix.
 */
export async function* readEventSource(options: EventSourceOptions): AsyncGenerator<ServerSentEvent> {
  const { url, key, after, signal } = options;
  const address = new URL('/v1/events/stream', url);
  if (after !== undefined) address.searchParams.set('after', after);
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(), silenceMs);
  try {
    const answer = await fetch(address, {
      headers: { authorization: `Bearer ${key}`, accept: 'text/event-stream' },
      signal: AbortSignal.any([signal, silence.signal]),
    });
    if (!answer.ok || !answer.body) throw await explainRefusal(answer);
    const chunks = answer.body.pipeThrough(new TextDecoderStream()) as unknown as AsyncIterable<string>;
    yield* parseEvents(chunks, () => timer.refresh());
  } catch (error) {
    if (signal.aborted || error instanceof RetryableError || error instanceof BluejayError) throw error;
    throw new RetryableError(silence.signal.aborted ? 'the connection has gone silent' : describe(error));
  } finally {
    clearTimeout(timer);
  }
}

/** Parses the text/event-stream format of the HTML standard. Calls `onChunk` for every chunk, comments included. */
async function* parseEvents(chunks: AsyncIterable<string>, onChunk: () => void): AsyncGenerator<ServerSentEvent> {
  let rest = '';
  let fields: Record<string, string> = {};
  for await (const chunk of chunks) {
    onChunk();
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > maxLineLength) throw new RetryableError('the answer is not an event stream');
    for (const line of lines) {
      if (line !== '') {
        const [, name = '', value = ''] = /^([^:]*):? ?(.*)$/s.exec(line) ?? [];
        fields[name] = value;
        continue;
      }
      const { id, event = '', data = '' } = fields;
      if (id !== undefined) yield { id, event, data };
      fields = {};
    }
  }
}

async function explainRefusal(answer: Response): Promise<Error> {
  const body: unknown = await answer.json().catch(() => undefined);
  const error = createApiError(answer, body);
  if (answer.status !== 429 && answer.status < 500) return error;
  const retryAfterS = error.retryAfterMs === null ? undefined : error.retryAfterMs / 1_000;
  return new RetryableError(`the service answered ${answer.status}: ${plain(error.message)}`, retryAfterS);
}

function describe(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = (cause as { code?: string } | null)?.code;
  return code ?? (cause instanceof Error ? cause.message : String(cause)) ?? 'the connection was lost';
}
