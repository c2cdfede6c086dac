import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';

/** Starts a TCP proxy that forwards a client's first bytes on each connection only, and calls `onCut` at the first cut. */
export async function startCuttingProxy(targetUrl: string, { afterBytes }: { afterBytes: number }) {
  const { port, hostname } = new URL(targetUrl);
  const cut = Promise.withResolvers<void>();
  const server = createServer((inner) => {
    const outer = connect(Number(port), hostname);
    let left = afterBytes;
    inner.on('data', (chunk: Buffer) => {
      if (left > 0) outer.write(chunk.subarray(0, left));
      left -= chunk.length;
      if (left <= 0) cut.resolve();
    });
    outer.pipe(inner);
    for (const [one, other] of [
      [inner, outer],
      [outer, inner],
    ] as const) {
      one.on('error', () => one.destroy()).once('close', () => other.destroy());
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    /** Resolves when a client has sent more than it forwards. */
    cut: cut.promise,
    async close(): Promise<void> {
      server.close();
      await once(server, 'close');
    },
  };
}
