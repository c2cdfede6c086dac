import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

/** The receivers of a benchmark: one server with many host names, each of which is a separate origin. */
export type WebhookReceivers = {
  /** Returns the URL of the receiver with this name. */
  url(name: string): string;
  /** Returns the number of distinct deliveries that this receiver got. */
  countOf(name: string): number;
  total(): number;
  /** Returns when the latest delivery arrived, by `performance.now()`. */
  lastMs(): number;
  /** Lets this receiver answer each delivery after `ms`; infinity for never. */
  delay(name: string, ms: number): void;
  reset(): void;
  [Symbol.asyncDispose](): Promise<void>;
};

const answer = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n';

/**
 * Starts a bare TCP server. An HTTP server would cost more CPU than the measured deliveries. `onRequest` gets each
 * request with its head.
 */
export async function startWebhookReceivers(
  onRequest: (request: string) => void = () => {},
): Promise<WebhookReceivers> {
  const seen = new Map<string, Set<string>>();
  const delaysMs = new Map<string, number>();
  const sockets = new Set<Socket>();
  let lastMs = 0;

  const take = (socket: Socket, request: string) => {
    lastMs = performance.now();
    const name = /\r\nhost: ([^.:]+)/i.exec(request)?.[1] ?? '';
    const id = /\r\nx-service-delivery: (\S+)/i.exec(request)?.[1] ?? '';
    const ids = seen.get(name) ?? new Set();
    seen.set(name, ids.add(id));
    onRequest(request);
    const delayMs = delaysMs.get(name) ?? 0;
    if (delayMs === 0) socket.write(answer);
    else if (Number.isFinite(delayMs)) setTimeout(() => socket.write(answer), delayMs);
  };
  const server = createServer((socket) => {
    let text = '';
    sockets.add(socket);
    socket.on('error', () => {}).once('close', () => sockets.delete(socket));
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      const headEnd = text.indexOf('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
      if (headEnd === -1 || text.length < headEnd + 4 + length) return;
      const request = text;
      text = '';
      take(socket, request);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const countOf = (name: string) => seen.get(name)?.size ?? 0;

  return {
    url: (name) => `http://${name}.localhost:${port}/hook`,
    countOf,
    total: () => [...seen.values()].reduce((sum, ids) => sum + ids.size, 0),
    lastMs: () => lastMs,
    delay: (name, ms) => void delaysMs.set(name, ms),
    reset: () => seen.clear(),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
