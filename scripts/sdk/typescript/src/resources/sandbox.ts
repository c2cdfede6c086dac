import type { BodyOf, FilterOf, ResultOf } from '../api/types.ts';
import { type ListOf, listOf } from '../http/list.ts';
import type { RequestOptions, Transport } from '../http/transport.ts';

/** What only test keys can do: clocks that letters follow, and events on request. */
export class Sandbox {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Sends an event to the test webhooks. */
  trigger(body: BodyOf<'triggerEvent'>, options?: RequestOptions): Promise<ResultOf<'triggerEvent'>> {
    return this.#transport.send({ id: 'triggerEvent', body }, options);
  }

  createClock(body: BodyOf<'createSandboxClock'>, options?: RequestOptions): Promise<ResultOf<'createSandboxClock'>> {
    return this.#transport.send({ id: 'createSandboxClock', body }, options);
  }

  clocks(filter?: FilterOf<'listSandboxClocks'>, options?: RequestOptions): ListOf<'listSandboxClocks'> {
    return listOf(this.#transport, { id: 'listSandboxClocks', query: filter }, options);
  }

  clock(id: string, options?: RequestOptions): Promise<ResultOf<'getSandboxClock'>> {
    return this.#transport.send({ id: 'getSandboxClock', path: [id] }, options);
  }

  /** Moves a clock forward, in the background: it is `advancing` until its letters have followed. */
  advanceClock(
    id: string,
    body: BodyOf<'advanceSandboxClock'>,
    options?: RequestOptions,
  ): Promise<ResultOf<'advanceSandboxClock'>> {
    return this.#transport.send({ id: 'advanceSandboxClock', path: [id], body }, options);
  }

  deleteClock(id: string, options?: RequestOptions): Promise<ResultOf<'deleteSandboxClock'>> {
    return this.#transport.send({ id: 'deleteSandboxClock', path: [id] }, options);
  }
}
