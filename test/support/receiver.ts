import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { afterAll, beforeAll } from '@jest/globals';
import { closeServer, listen } from '../../common/platform/metrics.ts';

/** A POST that a receiver saw, as it came. */
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
  /** What the receiver answers; 200 at first. */
  answerWith(answer: (received: Received) => number | Promise<number>): void;
  close(): Promise<void>;
};

/** The customer's side of a webhook: a real server on loopback that keeps what it gets. */
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

/** A receiver for all tests of a file. */
export function startReceiver(): Receiver {
  let receiver: Receiver | undefined;
  beforeAll(async () => {
    receiver = await openReceiver();
  });
  afterAll(async () => {
    await receiver?.close();
  });
  return new Proxy({} as Receiver, {
    get(_target, name) {
      if (!receiver) throw new Error('The receiver is used before beforeAll has made it');
      return receiver[name as keyof Receiver];
    },
  });
}

/** Checks a signature as the specification tells a receiver to, with code of its own. */
export function isSignedBy(secret: string, { headers, raw }: Received): boolean {
  const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-service-signature'])) ?? [];
  return v1 === createHmac('sha256', secret).update(`${t}.${raw}`).digest('hex');
}
