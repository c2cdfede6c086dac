import { z } from 'zod';
import { type ErrorCode, errorCodes } from '#common/errors.ts';
import { ToolError } from './tool-error.ts';

type QueryValue = string | number | undefined;

export type ApiRequest = {
  body?: unknown;
  headers?: Record<string, string>;
  /** Parameters that are undefined are left out. */
  query?: Record<string, QueryValue>;
};

/**
 * Calls the REST API as one caller and returns the body of its 2xx answer. Throws ToolError for a refusal, for an
 * answer that is not one of the API, and when there is none within 30 s. Never repeats a request.
 */
export type ApiCall = (method: 'GET' | 'POST', path: string, request?: ApiRequest) => Promise<unknown>;

export type ApiCaller = {
  /** Of the API, such as https://api.example.com. */
  baseUrl: string;
  /** Headers of every request; they authenticate the caller. */
  headers: Record<string, string>;
};

/** More than the API takes for its slowest answer, a preflight of up to 20 s. */
const timeoutMs = 30_000;

/** Many times the largest answer of the API; more is not from it. */
const maxAnswerBytes = 4_000_000;

const ErrorBody = z.object({
  code: z.enum(errorCodes as [ErrorCode, ...ErrorCode[]]),
  message: z.string(),
  issues: z.array(z.object({ path: z.array(z.union([z.string(), z.number()])), message: z.string() })).optional(),
});

/** Creates the function by which tools reach the API. `signal` cancels its requests. */
export function createApiCall({ baseUrl, headers: own }: ApiCaller, signal: AbortSignal): ApiCall {
  return async (method, path, { body, headers = {}, query = {} } = {}) => {
    const url = new URL(`${baseUrl.replace(/\/+$/, '')}${path}`);
    for (const [name, value] of Object.entries(query)) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const init = {
      method,
      headers: { accept: 'application/json', ...type, ...headers, ...own },
      // A redirect would take the credential to another address.
      redirect: 'manual' as const,
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    };
    const { answer, text } = await request(url, init, signal);
    const parsed = parseJson(text);
    if (answer.ok && parsed !== undefined) return parsed;
    throw toToolError(answer, parsed);
  };
}

/** Returns what a tool needs of an answer. Throws ToolError when it is not there. */
export function readAnswer<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  throw new ToolError('API_ANSWER_UNKNOWN', 'The API gave an answer without the expected fields.');
}

async function request(url: URL, init: RequestInit, signal: AbortSignal): Promise<{ answer: Response; text: string }> {
  try {
    const answer = await fetch(url, init);
    return { answer, text: await readText(answer) };
  } catch (cause) {
    if (signal.aborted || cause instanceof ToolError) throw cause;
    const isLate = cause instanceof Error && cause.name === 'TimeoutError';
    const message = isLate ? `The API gave no answer in ${timeoutMs / 1_000} s.` : 'The API cannot be reached.';
    throw new ToolError('API_UNREACHABLE', message, { cause });
  }
}

async function readText(answer: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of answer.body ?? []) {
    size += chunk.length;
    if (size > maxAnswerBytes) throw new ToolError('API_ANSWER_UNKNOWN', 'The answer is too long for one of the API.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function toToolError(answer: Response, body: unknown): ToolError {
  const known = ErrorBody.safeParse(body);
  if (answer.ok || !known.success) {
    return new ToolError('API_ANSWER_UNKNOWN', `The answer with status ${answer.status} is not one of the API.`);
  }
  const { code, message, issues } = known.data;
  const seconds = Number(answer.headers.get('retry-after') ?? Number.NaN);
  return new ToolError(code, message, { issues, retryAfterS: Number.isNaN(seconds) ? undefined : seconds });
}
