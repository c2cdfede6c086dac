import type { FilterOf, QueryOf, ResultOf, Schemas } from '../api/types.ts';
import { BluejayError } from '../errors.ts';
import { type ListOf, listOf } from '../http/list.ts';
import { wait } from '../http/retry.ts';
import type { RequestOptions, Transport } from '../http/transport.ts';

/** The data of a message of the event stream. */
export type StreamedEvent = { id: string; event: string; data: Schemas['EventSummary'] };

const reconnectAfterMs = 1_000;

/** The event log. */
export class Events {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Lists events, newest first. */
  list(filter?: FilterOf<'listEvents'>, options?: RequestOptions): ListOf<'listEvents'> {
    return listOf(this.#transport, { id: 'listEvents', query: filter }, options);
  }

  get(id: string, options?: RequestOptions): Promise<ResultOf<'getEvent'>> {
    return this.#transport.send({ id: 'getEvent', path: [id] }, options);
  }

  /**
   * Yields events as they happen, in the order of the log. Reconnects where it was when the connection ends. Break the
   * loop or abort `signal` to end it.
   */
  async *stream(query: QueryOf<'streamEvents'> = {}, options: RequestOptions = {}): AsyncGenerator<StreamedEvent> {
    const controller = new AbortController();
    const signal = options.signal ? AbortSignal.any([options.signal, controller.signal]) : controller.signal;
    let { after } = query;
    try {
      for (;;) {
        const response = await this.#transport.open({ id: 'streamEvents', query: { after } }, { ...options, signal });
        try {
          for await (const event of readEvents(response)) {
            after = event.id;
            yield event;
          }
        } catch (error) {
          if (signal.aborted || error instanceof BluejayError) throw error;
        }
        await wait(reconnectAfterMs, signal);
      }
    } finally {
      controller.abort();
    }
  }
}

/** Parses server-sent events. Comments, which keep the connection open, are skipped. */
async function* readEvents(response: Response): AsyncGenerator<StreamedEvent> {
  if (response.body === null) return;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += value;
    const messages = text.split(/\r?\n\r?\n/);
    text = messages.pop() ?? '';
    for (const message of messages) {
      const fields = Object.fromEntries(
        message
          .split(/\r?\n/)
          .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]),
      );
      if (fields.id && fields.data) yield { id: fields.id, event: fields.event ?? '', data: JSON.parse(fields.data) };
    }
  }
}
