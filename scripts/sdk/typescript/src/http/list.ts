import type { EntryOf, FilterOf, OperationId, ResultOf } from '../api/types.ts';
import type { Call, RequestOptions, Transport } from './transport.ts';

/**
 * A list of the API. `for await` yields all entries and requests pages as they are needed; `await` returns one page with
 * its `data` and `nextCursor`. Entries that are inserted meanwhile are newer and do not repeat or hide others.
 */
export class List<Entry, Page> implements AsyncIterable<Entry>, PromiseLike<Page> {
  readonly #readPage: (cursor?: string) => Promise<Page>;

  constructor(readPage: (cursor?: string) => Promise<Page>) {
    this.#readPage = readPage;
  }

  // biome-ignore lint/suspicious/noThenProperty: `await` returns the first page
  then<A = Page, B = never>(
    onPage?: ((page: Page) => A | PromiseLike<A>) | null,
    onError?: ((error: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    return this.#readPage().then(onPage, onError);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Entry, void, undefined> {
    let cursor: string | undefined;
    do {
      const page = (await this.#readPage(cursor)) as { data: Entry[]; nextCursor?: string | null };
      yield* page.data;
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
  }

  /** Returns at most `limit` entries, the first ones, from as many pages as needed. */
  async toArray({ limit }: { limit: number }): Promise<Entry[]> {
    const entries: Entry[] = [];
    if (limit <= 0) return entries;
    for await (const entry of this) {
      entries.push(entry);
      if (entries.length >= limit) break;
    }
    return entries;
  }
}

/** The list of an operation. */
export type ListOf<Id extends OperationId> = List<EntryOf<Id>, ResultOf<Id>>;

/** Creates the list of an operation. It sends nothing before it is awaited or iterated. */
export function listOf<Id extends OperationId>(
  transport: Transport,
  call: Omit<Call<Id>, 'query'> & { query?: FilterOf<Id> | undefined },
  options?: RequestOptions,
): ListOf<Id> {
  return new List((cursor) => {
    const query = cursor === undefined ? call.query : { ...call.query, cursor };
    return transport.send({ ...call, query } as Call<Id>, options);
  });
}
