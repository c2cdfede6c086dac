import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sandboxHeader } from '#common/sandbox/steps/sandbox-outcomes.ts';

/** Starts a proxy that lets the API refuse each request with an outcome of the sandbox. */
export async function startSandboxProxy(targetUrl: string, outcome: string) {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { authorization = '', 'content-type': type = 'application/json' } = request.headers;
    const answer = await fetch(targetUrl + request.url, {
      method: request.method ?? 'GET',
      headers: { authorization, 'content-type': type, [sandboxHeader]: outcome },
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    });
    const retryAfter = answer.headers.get('retry-after');
    response.writeHead(answer.status, {
      'content-type': 'application/json',
      ...(retryAfter && { 'retry-after': retryAfter }),
    });
    response.end(await answer.text());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
