import type { BodyOf, FilterOf, ResultOf } from '../api/types.ts';
import { type ListOf, listOf } from '../http/list.ts';
import type { RequestOptions, Transport } from '../http/transport.ts';

/** Lists of letters in CSV or XLSX. */
export class Bulk {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  createUpload(body: BodyOf<'createBulkUpload'>, options?: RequestOptions): Promise<ResultOf<'createBulkUpload'>> {
    return this.#transport.send({ id: 'createBulkUpload', body }, options);
  }

  /** Starts to check an uploaded list. Nothing is sent before `confirm`. */
  create(body: BodyOf<'createBulk'>, options?: RequestOptions): Promise<ResultOf<'createBulk'>> {
    return this.#transport.send({ id: 'createBulk', body }, options);
  }

  list(filter?: FilterOf<'listBulks'>, options?: RequestOptions): ListOf<'listBulks'> {
    return listOf(this.#transport, { id: 'listBulks', query: filter }, options);
  }

  get(id: string, options?: RequestOptions): Promise<ResultOf<'getBulk'>> {
    return this.#transport.send({ id: 'getBulk', path: [id] }, options);
  }

  rows(id: string, filter?: FilterOf<'listBulkRows'>, options?: RequestOptions): ListOf<'listBulkRows'> {
    return listOf(this.#transport, { id: 'listBulkRows', path: [id], query: filter }, options);
  }

  /** Shows the letter of a row before the list is paid. */
  previewRow(
    id: string,
    row: number,
    query?: FilterOf<'previewBulkRow'>,
    options?: RequestOptions,
  ): Promise<ResultOf<'previewBulkRow'>> {
    return this.#transport.send({ id: 'previewBulkRow', path: [id, String(row)], query }, options);
  }

  map(id: string, body: BodyOf<'mapBulkColumns'>, options?: RequestOptions): Promise<ResultOf<'mapBulkColumns'>> {
    return this.#transport.send({ id: 'mapBulkColumns', path: [id], body }, options);
  }

  /** Sends the list. */
  confirm(id: string, body?: BodyOf<'confirmBulk'>, options?: RequestOptions): Promise<ResultOf<'confirmBulk'>> {
    return this.#transport.send({ id: 'confirmBulk', path: [id], body: body ?? {} }, options);
  }

  pause(id: string, options?: RequestOptions): Promise<ResultOf<'pauseBulk'>> {
    return this.#transport.send({ id: 'pauseBulk', path: [id] }, options);
  }

  resume(id: string, body?: BodyOf<'resumeBulk'>, options?: RequestOptions): Promise<ResultOf<'resumeBulk'>> {
    return this.#transport.send({ id: 'resumeBulk', path: [id], body: body ?? {} }, options);
  }

  cancel(id: string, options?: RequestOptions): Promise<ResultOf<'cancelBulk'>> {
    return this.#transport.send({ id: 'cancelBulk', path: [id] }, options);
  }

  /** Returns the result of each row as CSV. */
  results(id: string, options?: RequestOptions): Promise<string> {
    return this.#transport.send({ id: 'getBulkResults', path: [id] }, options);
  }

  /** Returns the rows with faults as CSV. */
  faults(id: string, options?: RequestOptions): Promise<string> {
    return this.#transport.send({ id: 'getBulkFaults', path: [id] }, options);
  }
}
