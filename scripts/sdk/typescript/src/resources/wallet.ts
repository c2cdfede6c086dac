import type { BodyOf, FilterOf, Format, InFormat, QueryOf, ResultOf } from '../api/types.ts';
import { type ListOf, listOf } from '../http/list.ts';
import type { RequestOptions, Transport } from '../http/transport.ts';

/** The caller: its organization, mode and scopes. */
export class Me {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  get(options?: RequestOptions): Promise<ResultOf<'getMe'>> {
    return this.#transport.send({ id: 'getMe' }, options);
  }
}

/** The prepaid wallet. */
export class Wallet {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  get(options?: RequestOptions): Promise<ResultOf<'getWallet'>> {
    return this.#transport.send({ id: 'getWallet' }, options);
  }

  /** Adds play money to the test wallet, once however often the request is repeated. */
  topUpTest(body: BodyOf<'topUpTestWallet'>, options: RequestOptions = {}): Promise<ResultOf<'topUpTestWallet'>> {
    const keyed = { ...options, idempotencyKey: options.idempotencyKey ?? crypto.randomUUID() };
    return this.#transport.send({ id: 'topUpTestWallet', body }, keyed);
  }

  transactions(
    filter?: FilterOf<'listWalletTransactions'>,
    options?: RequestOptions,
  ): ListOf<'listWalletTransactions'> {
    return listOf(this.#transport, { id: 'listWalletTransactions', query: filter }, options);
  }

  /** Returns the statement of a month (`yyyy-mm`), with `format: 'csv'` as text. */
  statement<F extends Format = 'json'>(
    month: string,
    query?: QueryOf<'getWalletStatement'> & { format?: F },
    options?: RequestOptions,
  ): Promise<InFormat<'getWalletStatement', F>> {
    return this.#transport.send({ id: 'getWalletStatement', path: [month], query }, options) as Promise<
      InFormat<'getWalletStatement', F>
    >;
  }
}

/** Figures of a period. With `format: 'csv'` they are text. */
export class Reports {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  letters<F extends Format = 'json'>(
    query?: QueryOf<'getLettersReport'> & { format?: F },
    options?: RequestOptions,
  ): Promise<InFormat<'getLettersReport', F>> {
    return this.#transport.send({ id: 'getLettersReport', query }, options) as Promise<InFormat<'getLettersReport', F>>;
  }

  spend<F extends Format = 'json'>(
    query?: QueryOf<'getSpendReport'> & { format?: F },
    options?: RequestOptions,
  ): Promise<InFormat<'getSpendReport', F>> {
    return this.#transport.send({ id: 'getSpendReport', query }, options) as Promise<InFormat<'getSpendReport', F>>;
  }

  failures<F extends Format = 'json'>(
    query?: QueryOf<'getFailuresReport'> & { format?: F },
    options?: RequestOptions,
  ): Promise<InFormat<'getFailuresReport', F>> {
    return this.#transport.send({ id: 'getFailuresReport', query }, options) as Promise<
      InFormat<'getFailuresReport', F>
    >;
  }

  deliveryTimes<F extends Format = 'json'>(
    query?: QueryOf<'getDeliveryTimesReport'> & { format?: F },
    options?: RequestOptions,
  ): Promise<InFormat<'getDeliveryTimesReport', F>> {
    return this.#transport.send({ id: 'getDeliveryTimesReport', query }, options) as Promise<
      InFormat<'getDeliveryTimesReport', F>
    >;
  }
}
