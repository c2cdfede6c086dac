import type { FilterOf, QueryOf, ResultOf } from '../api/types.ts';
import { readMessages, StreamPosition } from '../http/event-stream.ts';
import { type ListOf, listOf } from '../http/list.ts';
import { delayBeforeRetry, wait } from '../http/retry.ts';
import type { RequestOptions, Transport } from '../http/transport.ts';
import type { WebhookEvent } from '../webhooks/verify.ts';

/** An event of the stream. `data` is the body that webhooks receive. */
export type StreamedEvent = { id: string; event: WebhookEvent['event']; data: WebhookEvent };

export type StreamOptions = RequestOptions & {
  /** Called whenever the stream is open: the events from then on come. */
  onOpen?: (() => void) | undefined;
  /** Called when the connection is lost, with the reason and the time until the next attempt in ms. */
  onLost?: ((error: unknown, delayMs: number) => void) | undefined;
};

export type StreamTimes = {
  /** The service sends a comment every 15 s. After three missing ones the connection counts as lost. */
  silenceMs?: number;
  /** After the service has ended a stream. */
  reconnectAfterMs?: number;
};

const defaultTimes = { silenceMs: 45_000, reconnectAfterMs: 1_000 };

/** The event log. */
export class Events {
  readonly #transport: Transport;
  readonly #times: Required<StreamTimes>;

  constructor(transport: Transport, times: StreamTimes = {}) {
    this.#transport = transport;
    this.#times = { ...defaultTimes, ...times };
  }

  /** Lists events, newest first. */
  list(filter?: FilterOf<'listEvents'>, options?: RequestOptions): ListOf<'listEvents'> {
    return listOf(this.#transport, { id: 'listEvents', query: filter }, options);
  }

  get(id: string, options?: RequestOptions): Promise<ResultOf<'getEvent'>> {
    return this.#transport.send({ id: 'getEvent', path: [id] }, options);
  }

  /**
   * Yields each event once, as it happens. With `after`, events from 10 s before that event come first, because some may
   * have become visible after it. Once open, it reconnects where it was, however often the connection or the service
   * fails; it throws when it cannot be opened at first, or is refused. Break the loop or abort `signal` to end it.
   */
  async *stream(query: QueryOf<'streamEvents'> = {}, options: StreamOptions = {}): AsyncGenerator<StreamedEvent> {
    const position = new StreamPosition(query.after);
    let wasOpen = false;
    for (let failures = 0; ; ) {
      let delayMs: number | null = this.#times.reconnectAfterMs;
      const connection = new AbortController();
      const abort = () => connection.abort();
      const signal = options.signal ? AbortSignal.any([options.signal, connection.signal]) : connection.signal;
      try {
        const { after } = position;
        const response = await this.#transport.open({ id: 'streamEvents', query: { after } }, { ...options, signal });
        wasOpen = true;
        options.onOpen?.();
        for await (const message of readMessages(response, { silenceMs: this.#times.silenceMs, abort })) {
          failures = 0;
          if (position.advance(message)) yield toEvent(message);
        }
      } catch (error) {
        if (options.signal?.aborted) throw options.signal.reason;
        delayMs = wasOpen ? delayBeforeRetry(error, { tries: failures, mayRepeat: true }) : null;
        if (delayMs === null) throw error;
        failures += 1;
        options.onLost?.(error, delayMs);
      } finally {
        abort();
      }
      await wait(delayMs, options.signal);
    }
  }
}

function toEvent({ id, event, data }: { id: string; event: string; data: string }): StreamedEvent {
  return { id, event, data: JSON.parse(data) } as StreamedEvent;
}
