import { OperatorError } from '../operator-error.ts';

/** One server-sent event; `event` is empty for a mere position in the stream. */
export type ServerSentEvent = { id: string; event: string; data: string };

export type EventSourceOptions = {
  url: string;
  key: string;
  /** The last id that was received; absent at the first connect. */
  after: string | undefined;
  signal: AbortSignal;
};

/** A service that cannot be reached, or tells us to come later: worth another try. */
export class ComeAgainError extends Error {
  override readonly name = 'ComeAgainError';
  readonly retryAfterS: number | undefined;

  constructor(message: string, retryAfterS?: number) {
    super(message);
    this.retryAfterS = retryAfterS;
  }
}

/** The service sends a sign of life every 15 s; after three of them the connection counts as lost. */
const silenceMs = 45_000;
/** Many times what the largest event has. */
const maxLineLength = 1_000_000;

/**
 * Reads a key's events until the service ends the stream. Throws ComeAgainError for what may pass, OperatorError for what
 * the person at the terminal must mend.
 */
export async function* readEventSource({
  url,
  key,
  after,
  signal,
}: EventSourceOptions): AsyncGenerator<ServerSentEvent> {
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
    const chunks = answer.body.pipeThrough(new TextDecoderStream()) as AsyncIterable<string>;
    yield* parseEvents(chunks, () => timer.refresh());
  } catch (error) {
    if (signal.aborted || error instanceof ComeAgainError || error instanceof OperatorError) throw error;
    throw new ComeAgainError(silence.signal.aborted ? 'the connection has gone silent' : describe(error));
  } finally {
    clearTimeout(timer);
  }
}

/** Lines into events, as the standard of server-sent events has it; `onChunk` hears every sign of life. */
async function* parseEvents(chunks: AsyncIterable<string>, onChunk: () => void): AsyncGenerator<ServerSentEvent> {
  let rest = '';
  let fields: Record<string, string> = {};
  for await (const chunk of chunks) {
    onChunk();
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    if (rest.length > maxLineLength) throw new ComeAgainError('the service sends what is no stream of events');
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
  const text = await answer.text().catch(() => '');
  const what = `the service answered ${answer.status} ${text.slice(0, 300)}`.trim();
  if (answer.status === 429 || answer.status >= 500) {
    return new ComeAgainError(what, Number(answer.headers.get('retry-after')) || undefined);
  }
  if (answer.status === 401) return new OperatorError(`The key is not valid here: ${what}. Give another with --key.`);
  if (answer.status === 403) return new OperatorError(`The key must have the scope read: ${what}.`);
  return new OperatorError(`The events cannot be read: ${what}. Is --url the address of the API?`);
}

function describe(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const code = (cause as { code?: string } | null)?.code;
  return code ?? (cause instanceof Error ? cause.message : String(cause)) ?? 'the connection was lost';
}
