import { createServer, type Server, type ServerResponse } from 'node:http';
import { collectDefaultMetrics, Gauge, type Metric, Registry } from 'prom-client';
import { withTimeout } from '../concurrency/with-timeout.ts';
import type { Log } from './log.ts';

/** Creates the metrics registry of a process, with the given metrics and those of Node. */
export function createRegistry(processName: string, metrics: readonly Metric[] = []): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ process: processName });
  collectDefaultMetrics({ register: registry });
  for (const metric of metrics) registry.registerMetric(metric);
  return registry;
}

/** Well below the scrape timeout of Prometheus, which is 10 s. */
const gaugeTimeoutMs = 2_000;

/**
 * Registers a gauge whose value is read at each scrape. The gauge is absent while `read` returns null, fails, or takes
 * longer than 2 s: all other metrics are served while a store is unreachable.
 */
export function registerGauge(
  registry: Registry,
  { name, help }: { name: string; help: string },
  read: () => Promise<number | null> | number,
): void {
  registerLabelledGauge(registry, { name, help, labelNames: [] }, async () => {
    const value = await read();
    return value === null ? [] : [{ labels: {}, value }];
  });
}

/** Registers a gauge like `registerGauge`, with a value for each combination of labels that `read` returns. */
export function registerLabelledGauge(
  registry: Registry,
  { name, help, labelNames }: { name: string; help: string; labelNames: readonly string[] },
  read: () => Promise<{ labels: Record<string, string>; value: number }[]>,
): void {
  new Gauge({
    name,
    help,
    labelNames,
    registers: [registry],
    async collect() {
      const values = await withTimeout(read(), gaugeTimeoutMs, () => []).catch(() => []);
      this.reset();
      if (labelNames.length === 0 && values.length === 0) this.remove();
      for (const { labels, value } of values) this.set(labels, value);
    },
  });
}

/**
 * Whether this process holds the lease of the scanner. What is stored once for all processes is counted only by the one
 * that does: twenty that did would be a load of their own, and a sum over them would be wrong.
 */
export type ScanState = { isScanning: boolean };

/** Returns a read for a gauge that returns no value, without reading, while this process does not scan. */
export function whileScanning<T>(state: Readonly<ScanState>, read: () => Promise<T>, none: T): () => Promise<T> {
  return async () => (state.isScanning ? await read() : none);
}

/** Named health checks. A process serves only while all `ready` ones pass. It can do without `degraded` ones. */
export type HealthChecks = { ready: Record<string, HealthCheck>; degraded?: Record<string, HealthCheck> };
type HealthCheck = () => Promise<boolean> | boolean;

export type HealthServer = {
  port: number;
  /** Makes `/readyz` answer 503 from now on, so load balancers stop sending requests. */
  stopReadiness(): void;
  close(): Promise<void>;
};

/**
 * Starts the server of the internal port: `/metrics`, `/healthz` (liveness) and `/readyz` (readiness). Must not be
 * reachable from outside. Throws when the port is in use.
 */
export async function startHealthServer(options: {
  port: number;
  /** The address to listen on. Default: all addresses of the machine. */
  host?: string | undefined;
  registry: Registry;
  checks: HealthChecks;
  log: Log;
}): Promise<HealthServer> {
  const { registry, checks, log } = options;
  let isStopping = false;
  registerDependencies(registry, checks);

  const answer = async (path: string): Promise<{ status: number; type: string; body: string }> => {
    if (path === '/metrics') return { status: 200, type: registry.contentType, body: await registry.metrics() };
    if (path === '/healthz') return json(200, { status: 'ok' });
    if (path !== '/readyz') return json(404, { status: 'not found' });
    const [ready, degraded] = await Promise.all([run(checks.ready), run(checks.degraded ?? {})]);
    const isReady = !isStopping && Object.values(ready).every(Boolean);
    return json(isReady ? 200 : 503, { status: isReady ? 'ready' : 'not ready', isStopping, ...ready, degraded });
  };
  const server = createServer((request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(405, { allow: 'GET, HEAD' }).end();
      return;
    }
    answer((request.url ?? '').split('?')[0] ?? '')
      .catch((error: unknown) => {
        log.error({ err: error }, 'health check failed');
        return json(500, { status: 'failed' });
      })
      .then(({ status, type, body }) => response.writeHead(status, { 'content-type': type }).end(body));
  });
  const port = await listen(server, options.port, options.host);

  return {
    port,
    stopReadiness: () => {
      isStopping = true;
    },
    close: () => closeServer(server),
  };
}

const json = (status: number, body: unknown) => ({ status, type: 'application/json', body: JSON.stringify(body) });

async function run(checks: Record<string, HealthCheck>): Promise<Record<string, boolean>> {
  const entries = Object.entries(checks).map(async ([name, check]) => [name, await check()] as const);
  return Object.fromEntries(await Promise.all(entries));
}

/** Below `gaugeTimeoutMs`, so a store that hangs is reported as down. */
const upTimeoutMs = 1_500;

function registerDependencies(registry: Registry, { ready, degraded }: HealthChecks): void {
  const up = {
    name: 'dependency_up',
    help: 'Whether this process reaches a store that it uses within 1.5 s: 1 or 0.',
    labelNames: ['dependency'],
  };
  const checks = Object.entries({ ...ready, ...degraded });
  registerLabelledGauge(registry, up, () =>
    Promise.all(
      checks.map(async ([dependency, check]) => {
        const isUp = await withTimeout(Promise.resolve(check()), upTimeoutMs, () => false);
        return { labels: { dependency }, value: isUp ? 1 : 0 };
      }),
    ),
  );
}

/** The responses in flight of each server. `closeServer` waits only for these. */
type InFlight = { responses: Set<ServerResponse>; onEmpty(): void };
const inFlight = new WeakMap<Server, InFlight>();

/**
 * Listens on `host`, by default on all addresses. Returns `port`, or the chosen one for 0. Throws when the port is in use
 * or the address is not one of this machine.
 */
export async function listen(server: Server, port: number, host?: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  server.once('error', reject);
  server.listen({ port, host }, resolve);
  await promise;
  server.off('error', reject);
  const answering: InFlight = { responses: new Set(), onEmpty: () => {} };
  inFlight.set(server, answering);
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

/** Time for the last bytes of a response to leave, and for the client to see that the connection closes. */
const lingerMs = 500;

/**
 * Closes a server: accepts no more connections, closes idle ones, and waits for requests in flight, whose responses carry
 * `Connection: close`. Then cuts off the remaining connections: unused ones, and those with an incomplete request.
 */
export async function closeServer(server: Server): Promise<void> {
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  server.close(() => resolve());
  const answering = inFlight.get(server);
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
    await withTimeout(closed, lingerMs, () => {});
    // A request may have arrived meanwhile on an open connection.
  } while (responses.size > 0);
  server.closeAllConnections();
  await closed;
}
