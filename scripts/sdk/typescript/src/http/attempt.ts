import { BluejayError, ConnectionError, createApiError, ServerError } from '../errors.ts';

export type HttpRequest = {
  url: string;
  method: string;
  headers: Record<string, string>;
  body?: string | Blob | URLSearchParams;
};

export type AttemptOptions = {
  fetch: typeof fetch;
  /** Until the answer is read completely; of a stream, until its headers. */
  timeoutMs: number;
  signal: AbortSignal | undefined;
};

/**
 * Sends a request once and reads its answer. Throws a `ConnectionError` when there is no complete answer in time, what
 * `read` throws, or the reason of the signal.
 */
export async function attempt<T>(
  { url, ...request }: HttpRequest,
  { fetch, timeoutMs, signal }: AttemptOptions,
  read: (response: Response) => Promise<T> | T,
): Promise<T> {
  signal?.throwIfAborted();
  const controller = new AbortController();
  // It stays for as long as the answer is a stream.
  signal?.addEventListener('abort', () => controller.abort(signal.reason), { once: true, signal: controller.signal });
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    controller.abort();
  }, timeoutMs);
  try {
    return await read(await fetch(url, { ...request, signal: controller.signal }));
  } catch (error) {
    if (error instanceof BluejayError) throw error;
    if (signal?.aborted) throw signal.reason;
    if (isLate) throw new ConnectionError({ code: 'TIMEOUT', message: `There was no answer in ${timeoutMs} ms.` });
    // Only the origin: the URL of an upload has a signature.
    const message = `The connection to ${URL.canParse(url) ? new URL(url).origin : url} failed: ${describe(error)}`;
    throw new ConnectionError({ code: 'CONNECTION_ERROR', message });
  } finally {
    clearTimeout(timer);
  }
}

/** Returns the JSON of an answer, or the text of a CSV. Throws the error of an answer that is not 2xx. */
export async function readAnswer(response: Response): Promise<unknown> {
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') ?? false;
  if (!isJson && response.ok) return text;
  const body = parse(text);
  if (!response.ok) throw createApiError(response, body);
  if (body !== undefined) return body;
  const { status } = response;
  throw new BluejayError({ code: 'INVALID_ANSWER', message: `The answer ${status} is not valid JSON.`, status });
}

/** Throws unless the object store has taken the file. Its failures are temporary. */
export async function readUploadAnswer(response: Response): Promise<void> {
  const text = await response.text();
  if (response.ok) return;
  const Class = response.status >= 500 ? ServerError : BluejayError;
  const message = `The object store answered ${response.status}: ${text.slice(0, 300)}`;
  throw new Class({ code: 'UPLOAD_FAILED', message, status: response.status });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  return cause instanceof Error && cause.message !== '' ? cause.message : error.message;
}
