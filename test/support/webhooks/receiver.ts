import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { closeServer, listen } from '#common/platform/process/metrics.ts';
import { openOnce } from '../open-once.ts';

/** A POST as received. */
export type Received = {
  path: string;
  headers: IncomingHttpHeaders;
  raw: string;
  body: Record<string, string>;
  at: number;
};

export type Receiver = {
  url: string;
  received: Received[];
  /** Sets the status to answer; initially 200. */
  answerWith(answer: (received: Received) => number | Promise<number>): void;
  close(): Promise<void>;
};

/** Starts a webhook receiver: an HTTP server on loopback that stores all requests. */
export async function openReceiver(): Promise<Receiver> {
  const received: Received[] = [];
  let answer: (received: Received) => number | Promise<number> = () => 200;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const raw = Buffer.concat(chunks).toString('utf8');
    const row = { path: request.url ?? '', headers: request.headers, raw, body: JSON.parse(raw), at: Date.now() };
    received.push(row);
    response.writeHead(await answer(row)).end();
  });
  const port = await listen(server, 0);
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    answerWith: (next) => {
      answer = next;
    },
    async close() {
      server.closeAllConnections();
      await closeServer(server);
    },
  };
}

/** Starts one receiver for all tests of a file. */
export function startReceiver(): Receiver {
  return openOnce(openReceiver);
}

/** Verifies a signature as the specification says, with an independent implementation. */
export function isSignedBy(secret: string, { headers, raw }: Received): boolean {
  const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-service-signature'])) ?? [];
  return v1 === createHmac('sha256', secret).update(`${t}.${raw}`).digest('hex');
}
