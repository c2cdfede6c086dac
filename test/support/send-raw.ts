import { request } from 'node:http';
import { guardMs } from './jest.ts';

export type RawRequest = {
  method: string;
  headers?: Record<string, string | number>;
  body?: Buffer | string;
};

export type RawAnswer = { status: number; headers: Record<string, string | string[] | undefined>; body: Buffer };

/**
 * Sends a request without normalizing its path, as `fetch` would do with `../` and empty segments. Content-Length is
 * that of the body unless a header overrides it. Reads only the head of an event stream, because it never ends.
 */
export function sendRaw(url: string, { method, headers = {}, body = '' }: RawRequest): Promise<RawAnswer> {
  const [, host, port, path] = /^http:\/\/([^:/]+):(\d+)(.*)$/.exec(url) ?? [];

  return new Promise((resolve, reject) => {
    const sent = request({
      ...{ host, port, path, method, agent: false, signal: AbortSignal.timeout(guardMs) },
      headers: {
        ...((method === 'PUT' || body.length > 0) && { 'content-length': Buffer.byteLength(body) }),
        ...headers,
      },
    });
    sent.on('error', reject);
    sent.on('response', (response) => {
      const { statusCode: status = 0, headers: answered } = response;
      if (answered['content-type']?.startsWith('text/event-stream')) {
        response.destroy();
        return resolve({ status, headers: answered, body: Buffer.alloc(0) });
      }
      response.toArray().then((chunks) => {
        resolve({ status, headers: answered, body: Buffer.concat(chunks) });
      }, reject);
    });
    sent.end(body);
  });
}

/** Returns the `<Code>` of an S3 error, or null. */
export function errorCodeOf({ body }: RawAnswer): string | null {
  return /<Code>([^<]*)<\/Code>/.exec(body.toString())?.[1] ?? null;
}
