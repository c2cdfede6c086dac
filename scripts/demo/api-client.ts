import { setTimeout as pause } from 'node:timers/promises';

const requestTimeoutMs = 15_000;
/** How often a request is sent when the answers ask for a later retry. */
const maxTries = 5;
const maxPauseS = 60;

export type Method = 'GET' | 'POST' | 'DELETE';

/** Calls the API as an integrator's program would. */
export type ApiClient = {
  /** Returns the body of a 2xx answer. Rejects with the API's error otherwise. */
  call<Body>(method: Method, path: string, body?: unknown): Promise<Body>;
};

export function createApiClient({ baseUrl, key }: { baseUrl: string; key: string }): ApiClient {
  async function send(method: Method, path: string, body: unknown): Promise<Response> {
    return await fetch(baseUrl + path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(requestTimeoutMs),
    });
  }

  return {
    async call<Body>(method: Method, path: string, body?: unknown): Promise<Body> {
      for (let attempt = 1; ; attempt += 1) {
        const answer = await send(method, path, body);
        const text = await answer.text();
        if (answer.ok) return JSON.parse(text) as Body;
        const retryAfterS = Number(answer.headers.get('retry-after') ?? Number.NaN);
        const isRetryable = (answer.status === 429 || answer.status === 503) && retryAfterS <= maxPauseS;
        if (!isRetryable || attempt === maxTries) throw new Error(describeRefusal(method, path, answer.status, text));
        await pause(retryAfterS * 1_000);
      }
    },
  };
}

/** Uploads a file to its presigned URL. */
export async function putFile(url: string, headers: Record<string, string>, bytes: Uint8Array): Promise<void> {
  const body = new Uint8Array(bytes);
  const answer = await fetch(url, { method: 'PUT', headers, body, signal: AbortSignal.timeout(requestTimeoutMs) });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`the object store answered ${answer.status}: ${text.slice(0, 300)}`);
}

function describeRefusal(method: Method, path: string, status: number, text: string): string {
  const body = parseError(text);
  const issues = body.issues?.map(({ path: where, message }) => `${where.join('.')}: ${message}`) ?? [];
  return `${method} ${path} answered ${status} ${[body.code ?? '', body.message ?? text.slice(0, 300), ...issues].join(' ')}`;
}

function parseError(text: string): { code?: string; message?: string; issues?: { path: string[]; message: string }[] } {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
