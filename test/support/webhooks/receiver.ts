import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { closeServer, listen } from '#common/platform/process/metrics.ts';
import { eventually, expect, openOnce } from '../jest.ts';
import type { Customer } from '../product/customer.ts';

/** A POST as received. */
export type Received = {
  path: string;
  headers: IncomingHttpHeaders;
  raw: string;
  body: Record<string, string>;
  at: number;
};

export type Receiver = Awaited<ReturnType<typeof openReceiver>>;
type Answer = (received: Received) => number | Promise<number>;

/** Starts a webhook receiver: an HTTP server on loopback that stores all requests. */
export async function openReceiver() {
  const received: Received[] = [];
  let answer: Answer = () => 200;
  // A connection that a starved server closes would cost an attempt. Deliveries keep theirs for 4 s.
  const server = createServer({ keepAliveTimeout: 65_000 }, async (request, response) => {
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
    /** Sets the status to answer; initially 200. */
    answerWith: (next: Answer) => {
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
export function signersOf(
  { headers, raw }: Pick<Received, 'headers' | 'raw'>,
  secrets: readonly string[],
): (string | undefined)[] {
  const signature = /^t=(\d+)((?:,v1=[0-9a-f]{64})+)$/.exec(String(headers['x-service-signature']));
  const [, t, list = ''] = signature ?? [];
  const signed = (secret: string) => createHmac('sha256', secret).update(`${t}.${raw}`).digest('hex');
  const digests = list.split(',v1=').slice(1);
  return digests.map((v1) => secrets.find((secret) => signed(secret) === v1));
}

/** Returns whether a secret, and no other, signed a delivery. */
export function isSignedBy(secret: string, received: Pick<Received, 'headers' | 'raw'>): boolean {
  const signers = signersOf(received, [secret]);
  return signers.length === 1 && signers[0] === secret;
}

/** Creates a webhook over HTTP. Returns its path, its fields without the secret, and the secret. */
export async function addWebhook({ http }: Pick<Customer, 'http'>, fields: Record<string, unknown> = {}) {
  const webhook = { url: 'https://127.0.0.1/hook', events: ['MAIL_POSTED'], ...fields };
  const { secret, ...shown } = (await http.post('/v1/webhooks', webhook)).body;
  return { path: `/v1/webhooks/${shown.id}`, id: shown.id as string, shown, secret: secret as string };
}

/** Subscribes a new receiver to events of a customer in a world with workers. */
export async function subscribe({ http }: Pick<Customer, 'http'>, events = ['MAIL_QUEUED']) {
  const receiver = await openReceiver();
  const { id, path, secret } = await addWebhook({ http }, { url: receiver.url, events });
  const deliveries = async (query = '') => (await http.get(`${path}/deliveries${query}`)).body.data;
  /** Waits until the webhook's only delivery is as expected, and returns it. */
  const settled = (expected: object) =>
    eventually(async () => {
      const [delivery] = await deliveries();
      expect(delivery).toMatchObject(expected);
      return delivery;
    });
  const end = async () => {
    await http.delete(path);
    await receiver.close();
  };
  return { receiver, id, secret, path, deliveries, settled, end };
}

/** The attempt numbers of all posts. */
export const numbersOf = ({ received }: Receiver) => received.map(({ headers }) => headers['x-service-attempt']);
