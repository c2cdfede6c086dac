import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';
import { createWebhookClient, type WebhookClient } from '#common/webhooks/egress/webhook-client.ts';
import { afterAll } from '../jest.ts';

export type RawReceiver = Awaited<ReturnType<typeof startRawReceiver>>;

/** Called for each complete request. `number` counts the requests of this receiver from 1. */
export type RawReply = (socket: Socket, number: number) => void;

/** Creates an answer that leaves the connection open. */
export const answer =
  (statusLine: string, headers: Record<string, string> = {}, body = ''): RawReply =>
  (socket) => {
    const all = { 'content-length': String(Buffer.byteLength(body)), ...headers };
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
    socket.write(`HTTP/1.1 ${statusLine}\r\n${lines.join('')}\r\n${body}`);
  };

/** Returns the certificate of `<name>.example.test`, signed by the test authority; `hooks` also covers 127.0.0.1. */
export function testIdentity(name: 'hooks' | 'other'): TlsOptions {
  return { cert: readPem(`${name}.cert`), key: readPem(`${name}.key`) };
}

export function testAuthority(): string {
  return readPem('authority.cert');
}

function readPem(name: string): string {
  return readFileSync(new URL(`../fixtures/tls/${name}.pem`, import.meta.url), 'utf8');
}

/** Starts a receiver on a plain socket, for answers that no HTTP server would send. */
export async function startRawReceiver(
  reply: RawReply,
  { tls, host = '127.0.0.1' }: { tls?: TlsOptions; host?: string } = {},
) {
  const sockets = new Set<Socket>();
  const requests: string[] = [];
  let connections = 0;

  const serve = (socket: Socket) => {
    let text = '';
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      const headEnd = text.indexOf('\r\n\r\n');
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
      if (headEnd === -1 || text.length < headEnd + 4 + length) return;
      requests.push(text);
      text = '';
      reply(socket, requests.length);
    });
  };
  const server = tls ? createTlsServer(tls, serve) : createServer(serve);
  server.on('tlsClientError', () => {});
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.listen(0, host);
  await once(server, 'listening');

  return {
    port: (server.address() as AddressInfo).port,
    /** Returns the number of TCP connections accepted so far. */
    connections: () => connections,
    /** Complete raw requests so far. */
    requests,
    /** Returns the number of sockets open now. */
    openSockets: () => sockets.size,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Returns functions that open receivers and clients, all closed after the tests of a file or block. */
export function useRawReceivers() {
  const receivers: RawReceiver[] = [];
  const clients: WebhookClient[] = [];
  afterAll(async () => {
    await Promise.all(clients.map((client) => client.close()));
    await Promise.all(receivers.map((receiver) => receiver.close()));
  });
  return {
    async receive(...args: Parameters<typeof startRawReceiver>): Promise<RawReceiver> {
      const receiver = await startRawReceiver(...args);
      receivers.push(receiver);
      return receiver;
    },
    newClient(...args: Parameters<typeof createWebhookClient>): WebhookClient {
      const client = createWebhookClient(...args);
      clients.push(client);
      return client;
    },
  };
}
