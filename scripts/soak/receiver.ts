import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { findSignatureProblem } from '../demo/webhook-receiver.ts';

type Behaviour = 'answers' | 'hangs' | 'fails';

export type SoakReceiver = Awaited<ReturnType<typeof startSoakReceiver>>;

/**
 * Starts the receiver of all customers, each of whom has a host name. It verifies every signature, and counts only
 * what it has answered with 200.
 */
export async function startSoakReceiver() {
  const secrets = new Map<string, string>();
  const behaviours = new Map<string, Behaviour>();
  /** Delivery ids. */
  const delivered = new Set<string>();
  /** `<subject> <event>`. */
  const events = new Set<string>();
  const waiting = new Map<string, () => void>();
  const hanging = new Set<ServerResponse>();
  const problems: string[] = [];
  let deliveries = 0;
  let posted = 0;

  const accept = (headers: IncomingMessage['headers'], body: Buffer) => {
    const { event, mailJobId, bulkId } = JSON.parse(body.toString());
    delivered.add(String(headers['x-service-delivery']));
    const key = `${mailJobId ?? bulkId} ${event}`;
    if (event === 'MAIL_POSTED' && !events.has(key)) posted += 1;
    events.add(key);
    waiting.get(key)?.();
    waiting.delete(key);
  };
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk);
    } catch {
      // The sender was killed in the middle. It sends again.
      return;
    }
    deliveries += 1;
    const name = /^[^.:]+/.exec(request.headers.host ?? '')?.[0] ?? '';
    const behaviour = behaviours.get(name) ?? 'answers';
    if (behaviour === 'hangs') return void hanging.add(response);
    if (behaviour === 'fails') return void response.writeHead(500).end();
    const body = Buffer.concat(chunks);
    const problem = findSignatureProblem(request.headers['x-service-signature'], body, secrets.get(name) ?? '');
    if (problem !== null) problems.push(problem);
    else accept(request.headers, body);
    response.writeHead(problem === null ? 200 : 400).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  return {
    url: (name: string) => `http://${name}.localhost:${port}/hook`,
    expect: (name: string, secret: string) => void secrets.set(name, secret),
    behave(name: string, behaviour: Behaviour): void {
      behaviours.set(name, behaviour);
      if (behaviour === 'hangs') return;
      for (const response of hanging) response.destroy();
      hanging.clear();
    },
    hasDelivered: (deliveryId: string) => delivered.has(deliveryId),
    hasEvent: (subject: string, event: string) => events.has(`${subject} ${event}`),
    /** Settles when this event has arrived. */
    async reported(subject: string, event: string): Promise<void> {
      const key = `${subject} ${event}`;
      if (!events.has(key)) await new Promise<void>((resolve) => waiting.set(key, resolve));
    },
    /** All requests, repeats and refused ones included. */
    counts: () => ({ deliveries, distinct: delivered.size }),
    /** Letters whose `MAIL_POSTED` has arrived. */
    posted: () => posted,
    problems: () => problems,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
