import { setTimeout as pause } from 'node:timers/promises';

const requestTimeoutMs = 15_000;
/** A request that is told to come back later does so this often. */
const maxTries = 5;
const maxPauseS = 60;

export type Method = 'GET' | 'POST' | 'DELETE';

/** Speaks to the API as an integrator's program would. */
export type ApiClient = {
  /** The body of a 2xx answer; rejects with what the API said otherwise. */
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
        const isWorthIt = (answer.status === 429 || answer.status === 503) && retryAfterS <= maxPauseS;
        if (!isWorthIt || attempt === maxTries) throw new Error(describeRefusal(method, path, answer.status, text));
        await pause(retryAfterS * 1_000);
      }
    },
  };
}

/** Puts a file to the address that the API has signed for it. */
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
