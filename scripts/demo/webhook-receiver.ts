import { createHmac, timingSafeEqual } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A message whose signature was right. */
export type WebhookMessage = { event: string; externalId: string | null; mailJobId: string; status: string };

/** The customer's side of a webhook, on a free port of this machine. */
export type WebhookReceiver = {
  /** What to register with the service. */
  url: string;
  /** The secret of the registration; deliveries that come before it are asked to come again. */
  verifyWith(secret: string): void;
  /** What has come so far, each message once. */
  messages: readonly WebhookMessage[];
  /** What was refused, and why. */
  refusals: readonly string[];
  /** Settles when the next delivery comes. */
  news(): Promise<void>;
  close(): Promise<void>;
};

/** Older signatures are refused, so that a recorded message cannot be played again. */
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
    // Delivery is at least once: event and mail job together name a message.
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

/** Checks a delivery as the documentation tells a receiver to, with code of its own; null when it is genuine. */
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
