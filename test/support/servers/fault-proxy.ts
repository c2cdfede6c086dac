import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** `pass` forwards, `freeze` forwards nothing (a black hole), `refuse` resets connections. */
export type ProxyMode = 'pass' | 'freeze' | 'refuse';

export type FaultProxy = Awaited<ReturnType<typeof startFaultProxy>>;

/** Starts a TCP proxy in front of the server at `targetUrl`. Frozen data is forwarded when the mode is `pass` again. */
export async function startFaultProxy(targetUrl: string) {
  const target = new URL(targetUrl);
  const sockets = new Set<Socket>();
  let mode: ProxyMode = 'pass';

  /** Runs `act` once, when a client sends `text`. */
  let watch: { text: string; act: (inner: Socket, outer: Socket) => void } | null = null;

  /** Decides for each answer whether the client loses it. */
  let losesAnswer: () => boolean = () => false;

  const breakAll = (except: readonly Socket[] = []) => {
    for (const socket of sockets) if (!except.includes(socket)) socket.resetAndDestroy();
  };
  /** The requests that are counted, by their first bytes. */
  const counted = new Map<string, number>();

  const look = (chunk: string | Buffer, inner: Socket, outer: Socket) => {
    for (const [start, count] of counted) if (String(chunk).startsWith(start)) counted.set(start, count + 1);
    if (!watch || !chunk.includes(watch.text)) return;
    const { act } = watch;
    watch = null;
    act(inner, outer);
  };
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('close', () => sockets.delete(socket));
    if (mode === 'freeze') socket.pause();
  };
  const server = createServer({ pauseOnConnect: true }, (inner) => {
    if (mode === 'refuse') return void inner.resetAndDestroy();
    const outer = connect(Number(target.port), target.hostname);
    let isAsked = false;
    inner.on('data', (chunk) => {
      isAsked = true;
      look(chunk, inner, outer);
    });
    outer.on('data', () => {
      if (isAsked && losesAnswer()) inner.resetAndDestroy();
      isAsked = false;
    });
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
    /** The server's URL with the host and port of the proxy. */
    url: url.href,
    set(next: ProxyMode): void {
      mode = next;
      for (const socket of sockets) {
        if (mode === 'refuse') socket.resetAndDestroy();
        else if (mode === 'freeze') socket.pause();
        else socket.resume();
      }
    },
    /**
     * From now on forwards every request, and resets the connection in place of its answer where `decide` says so. Each
     * connection must carry one request at a time.
     */
    loseAnswers(decide: () => boolean): void {
      losesAnswer = decide;
    },
    /** From now on counts requests that begin with `start`, a method and a path. Returns a function that returns their number. */
    countRequests(start: string): () => number {
      counted.set(start, 0);
      return () => counted.get(start) ?? 0;
    },
    /** Resets all connections. New ones pass. */
    breakAll: () => breakAll(),
    /**
     * Forwards the next request that contains `request`, withholds its response and resets every connection. With
     * `noticed`, the connection of that request is reset last: when the client sends this text on a new connection.
     * Resolves when all are reset.
     */
    breakAtAnswer({ request, noticed }: { request: string; noticed?: string }): Promise<void> {
      const { promise, resolve } = Promise.withResolvers<void>();
      const breakLast = (socket: Socket) => {
        socket.resetAndDestroy();
        resolve();
      };
      const withhold = (inner: Socket, outer: Socket) => {
        outer.removeAllListeners('data').once('data', () => {
          breakAll([inner, outer]);
          if (noticed === undefined) breakLast(inner);
          else watch = { text: noticed, act: () => breakLast(inner) };
        });
      };
      watch = { text: request, act: withhold };
      return promise;
    },
    async close(): Promise<void> {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
