import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { closeServer, listen } from '#common/platform/process/metrics.ts';
import { openOnce } from '../jest.ts';

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

/**
 * Returns the secrets that signed a delivery, in the order of its signatures, with an independent implementation of the
 * specification. A signature by none of these secrets is undefined.
 */
export function signersOf({ headers, raw }: Received, secrets: readonly string[]): (string | undefined)[] {
  const signature = /^t=(\d+)((?:,v1=[0-9a-f]{64})+)$/.exec(String(headers['x-service-signature']));
  const [, t, list = ''] = signature ?? [];
  const signed = (secret: string) => createHmac('sha256', secret).update(`${t}.${raw}`).digest('hex');
  const digests = list.split(',v1=').slice(1);
  return digests.map((v1) => secrets.find((secret) => signed(secret) === v1));
}

/** Returns whether a secret, and no other, signed a delivery. */
export function isSignedBy(secret: string, received: Received): boolean {
  const signers = signersOf(received, [secret]);
  return signers.length === 1 && signers[0] === secret;
}
