import { routes } from '../api/routes.generated.ts';
import type { OperationId, ResultOf } from '../api/types.ts';
import { AuthenticationError, ConnectionError, NotFoundError } from '../errors.ts';
import { attempt, type HttpRequest, readAnswer, readUploadAnswer } from './attempt.ts';
import { delayBeforeRetry, isRepeatable, wait } from './retry.ts';
import { writeQuery } from './write-query.ts';

/** The version of this package. */
export const version = '0.1.0';
const userAgent = `bluejay-post-typescript/${version}`;

/** Options of one call. They override those of the client. */
export type RequestOptions = {
  /** Ends the request and its retries. The call then throws the reason of the signal. */
  signal?: AbortSignal | undefined;
  /** For each attempt, in ms. */
  timeoutMs?: number | undefined;
  /** How often a failed request is sent again. */
  maxRetries?: number | undefined;
  /** Makes a repeat of this call harmless, also by another process. At most 255 characters. */
  idempotencyKey?: string | undefined;
  /** Further headers of all requests of this call, such as `Bluejay-Sandbox`. Those that the client sets are refused. */
  headers?: Record<string, string> | undefined;
};

const ownHeaders = ['authorization', 'content-type', 'idempotency-key', 'user-agent'];

/** A key, or a function that returns the current one, as `TokenSource.getAccessToken` does. */
export type Credential = string | (() => string | Promise<string>);

export type TransportOptions = {
  credential: Credential;
  /** The origin of the API without a slash at its end. */
  baseUrl: string;
  timeoutMs: number;
  maxRetries: number;
  fetch: typeof fetch;
};

/** An operation with its parameters. `path` has the values of the placeholders in their order. */
export type Call<Id extends OperationId = OperationId> = {
  id: Id;
  path?: readonly string[];
  query?: object | undefined;
  body?: unknown;
};

/** Sends requests to the API, with retries where they are safe. */
export class Transport {
  readonly options: TransportOptions;

  constructor(options: TransportOptions) {
    this.options = options;
  }

  /** Sends a request and returns its answer: JSON, or the text of a CSV. Throws a `BluejayError`. */
  async send<Id extends OperationId>(call: Call<Id>, options: RequestOptions = {}): Promise<ResultOf<Id>> {
    let hasLostAnswer = false;
    const sendOnce = async () => {
      try {
        return await this.attempt(await this.prepare(call, options), options, readAnswer);
      } catch (error) {
        hasLostAnswer ||= error instanceof ConnectionError;
        const isDeleted = error instanceof NotFoundError && hasLostAnswer && routes[call.id][0] === 'DELETE';
        if (!isDeleted) throw error;
        return { id: call.path?.[0], deleted: true };
      }
    };
    return (await this.retry(call, options, sendOnce)) as ResultOf<Id>;
  }

  /** Opens a stream and returns its response. The timeout is that of its headers. */
  async open(call: Call, options: RequestOptions = {}): Promise<Response> {
    const read = async (response: Response) => {
      if (!response.ok) await readAnswer(response);
      return response;
    };
    return await this.retry(call, options, async () => this.attempt(await this.prepare(call, options), options, read));
  }

  /** Puts a file at a presigned URL of the object store. A repeat replaces the file by itself. */
  async put(url: string, body: Blob, headers: Record<string, string>, options: RequestOptions = {}): Promise<void> {
    const request = { url, method: 'PUT', headers, body };
    await this.retry({ id: 'createUpload' }, options, () => this.attempt(request, options, readUploadAnswer));
  }

  private attempt<T>(
    request: HttpRequest,
    { timeoutMs = this.options.timeoutMs, signal }: RequestOptions,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    return attempt(request, { fetch: this.options.fetch, timeoutMs, signal }, read);
  }

  private async retry<T>(
    { id, body }: Call,
    { signal, idempotencyKey, maxRetries = this.options.maxRetries }: RequestOptions,
    sendOnce: () => Promise<T>,
  ): Promise<T> {
    for (let tries = 0; ; tries += 1) {
      try {
        return await sendOnce();
      } catch (error) {
        const { externalId } = (body ?? {}) as { externalId?: string | null };
        const isKeyed = idempotencyKey !== undefined || typeof externalId === 'string';
        const mayRepeat = isRepeatable({ id, method: routes[id][0], isKeyed });
        const delayMs = tries < maxRetries ? delayBeforeRetry(error, { tries, mayRepeat }) : null;
        if (delayMs === null) throw error;
        await wait(delayMs, signal);
      }
    }
  }

  private async prepare(
    { id, path, query, body }: Call,
    { idempotencyKey, headers: more }: RequestOptions,
  ): Promise<HttpRequest> {
    const { credential, baseUrl } = this.options;
    const [method, template] = routes[id];
    const token = typeof credential === 'string' ? credential : await credential();
    checkKey(token);
    const headers = Object.fromEntries(new Headers(more));
    const own = ownHeaders.find((name) => name in headers);
    if (own !== undefined) throw new TypeError(`The client sets the header ${own} itself.`);
    Object.assign(headers, { authorization: `Bearer ${token}`, 'user-agent': userAgent });
    if (idempotencyKey !== undefined) headers['idempotency-key'] = idempotencyKey;
    const url = baseUrl + fillPath(template, path) + (query === undefined ? '' : writeQuery(query));
    if (body === undefined) return { url, method, headers };
    headers['content-type'] = 'application/json';
    return { url, method, headers, body: JSON.stringify(body) };
  }
}

/** Throws for a key that no header can carry. `fetch` would refuse it with a message that contains the key. */
export function checkKey(key: string): void {
  if (/^[\x21-\x7e]+$/.test(key)) return;
  throw new AuthenticationError({ code: 'UNAUTHORIZED', message: 'The key has spaces or characters that no key has.' });
}

/** Throws a TypeError for an empty value: its request would go to another route. */
function fillPath(template: string, values: readonly string[] = []): string {
  let index = 0;
  return template.replace(/\{(\w+)\}/g, (_, name) => {
    const value = values[index++];
    if (typeof value !== 'string' || value === '') throw new TypeError(`The parameter ${name} must be a string.`);
    return encodeURIComponent(value);
  });
}
