import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A message with a valid signature. */
export type WebhookMessage = { event: string; externalId: string | null; mailJobId: string; status: string };

/** The receiver of a webhook, on a free port of this machine. */
export type WebhookReceiver = {
  /** The URL to register with the service. */
  url: string;
  /** Sets the secret of the webhook. Deliveries before this call are answered 503 and are retried. */
  verifyWith(secret: string): void;
  /** The messages received so far, without repeats. */
  messages: readonly WebhookMessage[];
  /** The reasons of refused deliveries. */
  refusals: readonly string[];
  /** Settles when the next delivery arrives. */
  news(): Promise<void>;
  close(): Promise<void>;
};

/** Older signatures are refused, against replay of recorded messages. */
const maxAgeS = 300;
const maxBodyBytes = 64 * 1024;

export async function openWebhookReceiver(): Promise<WebhookReceiver> {
  const messages: WebhookMessage[] = [];
  const refusals: string[] = [];
  let secret: string | undefined;
  let news = Promise.withResolvers<void>();

  function receive(headers: IncomingHttpHeaders, body: Buffer): number {
    if (secret === undefined) return 503;
    const problem = findSignatureProblem(headers['x-service-signature'], body, secret);
    if (problem !== null) {
      refusals.push(problem);
      return 400;
    }
    const message = JSON.parse(body.toString('utf8')) as WebhookMessage;
    // Delivery is at-least-once. Event and mail job together identify a message.
    const isRepeat = messages.some(
      ({ event, mailJobId }) => event === message.event && mailJobId === message.mailJobId,
    );
    if (!isRepeat) messages.push(message);
    return 200;
  }

  const server = createServer(async (request, response) => {
    const body = await readBody(request).catch(() => null);
    response.writeHead(body === null ? 413 : receive(request.headers, body)).end();
    news.resolve();
    news = Promise.withResolvers<void>();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}/bluejay`,
    verifyWith: (given) => {
      secret = given;
    },
    messages,
    refusals,
    news: () => news.promise,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBodyBytes) throw new Error('The body is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/**
 * Verifies a delivery as the guide to webhooks describes, independently of the product's code. Returns null when it is
 * genuine.
 */
export function findSignatureProblem(
  header: string | string[] | undefined,
  body: Buffer,
  secret: string,
  nowMs = Date.now(),
): string | null {
  const [, timestamp, signature] = /^t=(\d{1,12}),v1=([0-9a-f]{64})$/.exec(String(header)) ?? [];
  if (!timestamp || !signature) return 'a delivery came without a signature that can be read';
  const expected = createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest();
  if (!timingSafeEqual(Buffer.from(signature, 'hex'), expected)) return 'a delivery came with a wrong signature';
  if (Math.abs(nowMs / 1_000 - Number(timestamp)) > maxAgeS) return 'a delivery came with an outdated signature';

  return null;
}
