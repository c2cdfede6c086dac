import type { BodyOf, FilterOf, ResultOf } from '../api/types.ts';
import { type ListOf, listOf } from '../http/list.ts';
import type { RequestOptions, Transport } from '../http/transport.ts';

/** The address book. */
export class Addresses {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  list(filter?: FilterOf<'listAddresses'>, options?: RequestOptions): ListOf<'listAddresses'> {
    return listOf(this.#transport, { id: 'listAddresses', query: filter }, options);
  }

  create(body: BodyOf<'createAddress'>, options?: RequestOptions): Promise<ResultOf<'createAddress'>> {
    return this.#transport.send({ id: 'createAddress', body }, options);
  }

  get(id: string, options?: RequestOptions): Promise<ResultOf<'getAddress'>> {
    return this.#transport.send({ id: 'getAddress', path: [id] }, options);
  }

  change(id: string, body: BodyOf<'changeAddress'>, options?: RequestOptions): Promise<ResultOf<'changeAddress'>> {
    return this.#transport.send({ id: 'changeAddress', path: [id], body }, options);
  }

  delete(id: string, options?: RequestOptions): Promise<ResultOf<'deleteAddress'>> {
    return this.#transport.send({ id: 'deleteAddress', path: [id] }, options);
  }
}
