import type { BodyOf, FilterOf, QueryOf, ResultOf } from '../api/types.ts';
import { type ListOf, listOf } from '../http/list.ts';
import type { RequestOptions, Transport } from '../http/transport.ts';
import { type FileSource, readSource } from './file-source.ts';
import { type FileNames, uploadFile } from './send-file.ts';

/** Prices. */
export class Quotes {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Returns the price of a letter. Nothing is debited. */
  create(body: BodyOf<'createQuote'>, options?: RequestOptions): Promise<ResultOf<'createQuote'>> {
    return this.#transport.send({ id: 'createQuote', body }, options);
  }
}

/** Files of letters. `mails.sendFile` does all of this in one call. */
export class Uploads {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Returns a URL that takes one file for ten minutes. */
  create(body: BodyOf<'createUpload'>, options?: RequestOptions): Promise<ResultOf<'createUpload'>> {
    return this.#transport.send({ id: 'createUpload', body }, options);
  }

  /** Uploads a file of at most 20 MiB and returns its key for `mails.create`. */
  async file(source: FileSource, names?: FileNames, options?: RequestOptions): Promise<string> {
    return await uploadFile(this.#transport, await readSource(source, names), options);
  }
}

/** Checks of files before sending. */
export class Preflights {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Starts a check, which may still be `running` in the answer. */
  create(body: BodyOf<'createPreflight'>, options?: RequestOptions): Promise<ResultOf<'createPreflight'>> {
    return this.#transport.send({ id: 'createPreflight', body }, options);
  }

  get(id: string, options?: RequestOptions): Promise<ResultOf<'getPreflight'>> {
    return this.#transport.send({ id: 'getPreflight', path: [id] }, options);
  }
}

/** Copies of letters: one per recipient. */
export class Items {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Lists copies that came back. */
  list(filter?: FilterOf<'listItems'>, options?: RequestOptions): ListOf<'listItems'> {
    return listOf(this.#transport, { id: 'listItems', query: filter }, options);
  }
}

/** Days and cutoffs of the post. */
export class Calendar {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  get(query?: QueryOf<'getCalendar'>, options?: RequestOptions): Promise<ResultOf<'getCalendar'>> {
    return this.#transport.send({ id: 'getCalendar', query }, options);
  }
}
