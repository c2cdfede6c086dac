import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** What a network can do to a server: carry, carry nothing (a black hole), or refuse. */
export type ProxyMode = 'pass' | 'freeze' | 'refuse';

export type FaultProxy = {
  /** The server's address with the proxy's host and port in it. */
  url: string;
  set(mode: ProxyMode): void;
  close(): Promise<void>;
};

/** Stands between a client and the server at `targetUrl` (TCP). What was frozen goes on when it passes again. */
export async function startFaultProxy(targetUrl: string): Promise<FaultProxy> {
  const target = new URL(targetUrl);
  const sockets = new Set<Socket>();
  let mode: ProxyMode = 'pass';

  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => sockets.delete(socket));
    if (mode === 'freeze') socket.pause();
  };
  const server = createServer({ pauseOnConnect: true }, (inner) => {
    if (mode === 'refuse') return void inner.resetAndDestroy();
    const outer = connect(Number(target.port), target.hostname);
    for (const [from, to] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      from.on('data', (chunk) => to.write(chunk));
      from.once('close', () => to.destroy());
      keep(from);
    }
    if (mode === 'pass') inner.resume();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  const url = new URL(targetUrl);
  url.hostname = '127.0.0.1';
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    set(next) {
      mode = next;
      for (const socket of sockets) {
        if (mode === 'refuse') socket.resetAndDestroy();
        else if (mode === 'freeze') socket.pause();
        else socket.resume();
      }
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
