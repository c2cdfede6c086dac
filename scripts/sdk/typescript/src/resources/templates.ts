import type { BodyOf, FilterOf, QueryOf, ResultOf } from '../api/types.ts';
import { type ListOf, listOf } from '../http/list.ts';
import type { RequestOptions, Transport } from '../http/transport.ts';

/** Letters with variables. */
export class Templates {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  list(filter?: FilterOf<'listTemplates'>, options?: RequestOptions): ListOf<'listTemplates'> {
    return listOf(this.#transport, { id: 'listTemplates', query: filter }, options);
  }

  create(body: BodyOf<'createTemplate'>, options?: RequestOptions): Promise<ResultOf<'createTemplate'>> {
    return this.#transport.send({ id: 'createTemplate', body }, options);
  }

  get(id: string, query?: QueryOf<'getTemplate'>, options?: RequestOptions): Promise<ResultOf<'getTemplate'>> {
    return this.#transport.send({ id: 'getTemplate', path: [id], query }, options);
  }

  /** Adds a version. */
  change(id: string, body: BodyOf<'changeTemplate'>, options?: RequestOptions): Promise<ResultOf<'changeTemplate'>> {
    return this.#transport.send({ id: 'changeTemplate', path: [id], body }, options);
  }

  delete(id: string, options?: RequestOptions): Promise<ResultOf<'deleteTemplate'>> {
    return this.#transport.send({ id: 'deleteTemplate', path: [id] }, options);
  }

  versions(id: string, options?: RequestOptions): ListOf<'listTemplateVersions'> {
    return listOf(this.#transport, { id: 'listTemplateVersions', path: [id] }, options);
  }

  letterhead(options?: RequestOptions): Promise<ResultOf<'getLetterhead'>> {
    return this.#transport.send({ id: 'getLetterhead' }, options);
  }

  /** Needs a live key. Lines that are absent stay. */
  changeLetterhead(body: BodyOf<'changeLetterhead'>, options?: RequestOptions): Promise<ResultOf<'changeLetterhead'>> {
    return this.#transport.send({ id: 'changeLetterhead', body }, options);
  }

  preview(id: string, body: BodyOf<'previewTemplate'>, options?: RequestOptions): Promise<ResultOf<'previewTemplate'>> {
    return this.#transport.send({ id: 'previewTemplate', path: [id], body }, options);
  }
}
