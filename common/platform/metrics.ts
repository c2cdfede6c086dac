import { createServer, type Server, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { collectDefaultMetrics, type Metric, Registry } from 'prom-client';
import type { Log } from './log.ts';

/** A process's metrics: those given, and those of Node itself. */
export function createRegistry(processName: string, metrics: readonly Metric[] = []): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ process: processName });
  collectDefaultMetrics({ register: registry });
  for (const metric of metrics) registry.registerMetric(metric);
  return registry;
}

/** What a process needs in order to serve, by name; `degraded` ones it can do without for a while. */
export type HealthChecks = {
  ready: Record<string, () => Promise<boolean> | boolean>;
  degraded?: Record<string, () => Promise<boolean> | boolean>;
};

export type HealthServer = {
  port: number;
  /** From now on `/readyz` says no: a balancer sends its requests elsewhere. */
  stopReadiness(): void;
  close(): Promise<void>;
};

/**
 * The internal port: `/metrics`, `/healthz` (the process turns over; a restart would help when it does not) and
 * `/readyz` (it may be given work). Never meant for the public. Throws when the port is taken.
 */
export async function startHealthServer(options: {
  port: number;
  registry: Registry;
  checks: HealthChecks;
  log: Log;
}): Promise<HealthServer> {
  const { registry, checks, log } = options;
  let isStopping = false;

  const answer = async (path: string): Promise<{ status: number; type: string; body: string }> => {
    if (path === '/metrics') return { status: 200, type: registry.contentType, body: await registry.metrics() };
    if (path === '/healthz') return json(200, { status: 'ok' });
    if (path !== '/readyz') return json(404, { status: 'not found' });
    const [ready, degraded] = await Promise.all([run(checks.ready), run(checks.degraded ?? {})]);
    const isReady = !isStopping && Object.values(ready).every(Boolean);
    return json(isReady ? 200 : 503, { status: isReady ? 'ready' : 'not ready', isStopping, ...ready, degraded });
  };
  const server = createServer((request, response) => {
    answer((request.url ?? '').split('?')[0] ?? '')
      .catch((error: unknown) => {
        log.error({ err: error }, 'health check failed');
        return json(500, { status: 'failed' });
      })
      .then(({ status, type, body }) => response.writeHead(status, { 'content-type': type }).end(body));
  });
  const port = await listen(server, options.port);

  return {
    port,
    stopReadiness: () => {
      isStopping = true;
    },
    close: () => closeServer(server),
  };
}

const json = (status: number, body: unknown) => ({ status, type: 'application/json', body: JSON.stringify(body) });

async function run(checks: Record<string, () => Promise<boolean> | boolean>): Promise<Record<string, boolean>> {
  const entries = Object.entries(checks).map(async ([name, check]) => [name, await check()] as const);
  return Object.fromEntries(await Promise.all(entries));
}

/** What a server is answering at this moment: whoever closes it waits for that, and for nothing else. */
type UnderWay = { responses: Set<ServerResponse>; onEmpty(): void };
const underWay = new WeakMap<Server, UnderWay>();

/** Starts listening; the port that was given, or the one chosen for 0. Rejects when it is taken. */
export async function listen(server: Server, port: number): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen(port, resolve);
  await promise;
  server.off('error', reject);
  const answering: UnderWay = { responses: new Set(), onEmpty: () => {} };
  underWay.set(server, answering);
  const { responses } = answering;
  server.prependListener('request', (_request, response: ServerResponse) => {
    responses.add(response);
    response.once('close', () => {
      responses.delete(response);
      if (responses.size === 0) answering.onEmpty();
    });
  });
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}

/** For the last bytes of an answer to leave, and for the other side to have seen that it was the last. */
const lingerMs = 500;

/**
 * Takes no more connections, ends idle ones, and waits for the requests under way; their answers say that no other one
 * can follow. What then is left open, a connection that was never used or a request that never came whole, is cut off.
 */
export async function closeServer(server: Server): Promise<void> {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  const answering = underWay.get(server);
  const responses = answering?.responses ?? new Set();
  const makeLast = (response: ServerResponse) => {
    if (!response.headersSent) response.setHeader('Connection', 'close');
  };
  server.prependListener('request', (_request, response: ServerResponse) => makeLast(response));
  for (const response of responses) makeLast(response);
  do {
    if (answering && responses.size > 0) {
      await new Promise<void>((ended) => {
        answering.onEmpty = ended;
      });
    }
    server.closeIdleConnections();
    await Promise.race([closed, sleep(lingerMs, undefined, { ref: false })]);
    // A request may have come meanwhile, over a connection that was there already.
  } while (responses.size > 0);
  server.closeAllConnections();
  await closed;
}
