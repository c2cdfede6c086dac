import { Client } from 'undici';
import type { TargetRules } from './address-rules.ts';
import { BlockedError, TargetError } from './delivery-answer.ts';
import { urlProblems } from './target-url.ts';
import { type ConnectorOptions, vettedConnector } from './vetted-connector.ts';

/** A short document of another server. */
export type FetchedDocument = {
  status: number;
  /** Raw headers; null when absent. */
  contentType: string | null;
  cacheControl: string | null;
  body: string;
};

/** The document is too long to be read. */
export class TooLongError extends TargetError {}

/**
 * Fetches a document. Rejects with a TargetError when the rules refuse the URL or its address, when there is no answer in
 * time; with a TooLongError when the document is too long.
 */
type DocumentFetcher = (url: string) => Promise<FetchedDocument>;

type FetcherOptions = ConnectorOptions & {
  maxBytes: number;
  /** Tells the other server who asks. */
  userAgent: string;
  /** For everything: DNS, connect, TLS, headers and body. */
  timeoutMs: number;
};

/**
 * Creates the fetcher of documents whose URLs come from outside: by GET, only from addresses that the rules allow, and
 * without following redirects. Used by OAuth, for what applications say about themselves.
 */
export function createDocumentFetcher(
  rules: TargetRules,
  { maxBytes, userAgent, timeoutMs, ...options }: FetcherOptions,
): DocumentFetcher {
  const connect = vettedConnector(rules, options);
  return async (text) => {
    const url = new URL(text);
    const problems = urlProblems(url, rules);
    if (problems.length > 0) {
      options.onBlocked?.('url');
      throw new BlockedError('url', problems.join(' '));
    }
    const client = new Client(url.origin, {
      connect: (target, callback) => connect({ remoteIp: null }, target, callback),
      allowH2: false,
    });
    try {
      const { statusCode, headers, body } = await client.request({
        method: 'GET',
        path: url.pathname + url.search,
        headers: { accept: 'application/json', 'user-agent': userAgent },
        signal: AbortSignal.timeout(timeoutMs),
      });
      const text = await readText(body, maxBytes);
      const headerOf = (name: string) => [headers[name] ?? []].flat()[0] ?? null;
      return {
        status: statusCode,
        contentType: headerOf('content-type'),
        cacheControl: headerOf('cache-control'),
        body: text,
      };
    } catch (error) {
      throw toTargetError(error, timeoutMs);
    } finally {
      await client.destroy();
    }
  };
}

async function readText(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw new TooLongError('http', `The document has more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function toTargetError(error: unknown, timeoutMs: number): TargetError {
  if (error instanceof TargetError) return error;
  const isLate = error instanceof Error && error.name === 'TimeoutError';
  if (isLate) return new TargetError('timeout', `No full answer within ${timeoutMs} ms`, error);
  return new TargetError('http', error instanceof Error ? error.message : String(error), error);
}
