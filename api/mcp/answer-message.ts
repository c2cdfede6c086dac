import {
  createMcpHandler,
  isLegacyRequest,
  type McpServer,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { Request as ExpressRequest, Response as ExpressResponse } from 'express';
import { stateOf } from '../requests/request-state.ts';

/** The headers that the protocol reads. */
const protocolHeader = /^(accept|content-type|mcp-[a-z-]+)$/;

/**
 * Answers a message of the protocol with JSON, by a server that is made for it and closed after it. A client that
 * disconnects cancels the message.
 */
export async function answerMessage(
  request: ExpressRequest,
  response: ExpressResponse,
  createServer: () => McpServer,
): Promise<void> {
  const leaving = new AbortController();
  const gone = new Promise<null>((resolve) => {
    response.once('close', () => {
      leaving.abort();
      resolve(null);
    });
  });
  const message = toWebRequest(request, leaving.signal);
  const parsedBody: unknown = request.body;
  const isLegacy = await isLegacyRequest(message, parsedBody);
  // Without the text of the error, which may quote the message.
  const onError = ({ name }: Error) => stateOf(request).log.debug({ error: name }, 'mcp message refused');
  const serve = isLegacy ? answerLegacy : answerModern;
  const answer = await Promise.race([serve(message, { parsedBody, createServer, onError, gone }), gone]);
  if (answer === null || response.destroyed) return;
  for (const [name, value] of answer.headers) response.setHeader(name, value);
  response.status(answer.status).end(await answer.text());
}

type Serving = {
  parsedBody: unknown;
  createServer: () => McpServer;
  onError(error: Error): void;
  /** Settles when the response has ended, or the client has disconnected. */
  gone: Promise<null>;
};

/** Answers a message of the specification of 2026-07-28. Subscriptions are refused: the tools never change. */
async function answerModern(message: Request, { parsedBody, createServer, onError, gone }: Serving): Promise<Response> {
  const handler = createMcpHandler(createServer, { legacy: 'reject', maxSubscriptions: 0, onerror: onError });
  void gone.then(() => handler.close());
  return await handler.fetch(message, { parsedBody });
}

/** Answers a message of a specification of 2025, without a session. */
async function answerLegacy(message: Request, { parsedBody, createServer, onError, gone }: Serving): Promise<Response> {
  const server = createServer();
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  server.server.onerror = onError;
  await server.connect(transport);
  void gone.then(() => server.close());
  return await transport.handleRequest(message, { parsedBody });
}

/** Returns the request for the library. Its body is parsed already, and the credential stays here. */
function toWebRequest(request: ExpressRequest, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(request.headers)) {
    if (protocolHeader.test(name) && typeof value === 'string') headers.set(name, value);
  }
  return new Request(`http://localhost${request.path}`, { method: request.method, headers, signal });
}
