import { setTimeout as sleep } from 'node:timers/promises';
import type { UploadAddress } from '#common/uploads/upload.schema.ts';

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
  const authorization = `Bearer ${key}`;
  return {
    async call<Body>(method: Method, path: string, body?: unknown): Promise<Body> {
      const json = { headers: { authorization, 'content-type': 'application/json' }, body: JSON.stringify(body) };
      const request = { method, ...(body === undefined ? { headers: { authorization } } : json) };
      for (let attempt = 1; ; attempt += 1) {
        const answer = await fetch(baseUrl + path, { ...request, signal: AbortSignal.timeout(requestTimeoutMs) });
        const text = await answer.text();
        if (answer.ok) return JSON.parse(text) as Body;
        const retryAfterS = Number(answer.headers.get('retry-after') ?? Number.NaN);
        const isRetryable = (answer.status === 429 || answer.status === 503) && retryAfterS <= maxPauseS;
        if (!isRetryable || attempt === maxTries) throw new Error(describeRefusal(method, path, answer.status, text));
        await sleep(retryAfterS * 1_000);
      }
    },
  };
}

export type FileToUpload = { filename: string; mimeType: string; bytes: Uint8Array };

/** Uploads a file and returns its S3 key. */
export async function uploadFile(
  api: ApiClient,
  { filename, mimeType, bytes }: FileToUpload,
  path: '/v1/uploads' | '/v1/bulk/uploads' = '/v1/uploads',
): Promise<string> {
  const wanted = { filename, mimeType, sizeBytes: bytes.length };
  const { s3Key, uploadUrl, headers } = await api.call<UploadAddress>('POST', path, wanted);
  const [body, signal] = [new Uint8Array(bytes), AbortSignal.timeout(requestTimeoutMs)];
  const answer = await fetch(uploadUrl, { method: 'PUT', headers, body, signal });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`the object store answered ${answer.status}: ${text.slice(0, 300)}`);
  return s3Key;
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
