import type { Socket } from 'node:net';
import { createSecureContext, getCACertificates, type TLSSocket } from 'node:tls';
import { LRUCache } from 'lru-cache';
import { buildConnector, Client, Pool } from 'undici';
import { withTimeout } from '#common/platform/batching/with-timeout.ts';
import { isAddressAllowed, type TargetRules } from './address-rules.ts';
import type { BlockReason } from './blocked-counter.ts';
import { BlockedError, type DeliveryAnswer, TargetError } from './delivery-answer.ts';
import { type ConnectionInfo, PostExchange, type SignedPost } from './post-exchange.ts';
import { dnsTimeoutMs, type Lookup, resolveHost, vetTarget } from './resolve-host.ts';
import { portOf, urlProblems } from './target-url.ts';

export type WebhookClient = {
  /** Makes one attempt. Never rejects: errors are answers. */
  post(post: SignedPost): Promise<DeliveryAnswer>;
  /** Waits for posts in flight, then closes all connections. Later posts end as `stopped`. */
  close(): Promise<void>;
};

export type WebhookClientOptions = {
  /** Replaces the look-up by name servers. */
  lookup?: Lookup;
  /** An additional certificate authority (PEM). */
  extraCa?: string;
  /** For the whole attempt: DNS, connect, TLS, headers and body. */
  timeoutMs?: number;
  dnsTimeoutMs?: number;
  /** For TCP and TLS together. */
  connectTimeoutMs?: number;
  /** Maximum connections to one origin. Further posts wait, which counts towards `timeoutMs`. */
  socketsPerOrigin?: number;
  /** Called for each URL or connection that the rules refuse. */
  onBlocked?: (reason: BlockReason) => void;
};

/** Time for a whole attempt, from the DNS lookup to the end of the answer. */
export const attemptTimeoutMs = 15_000;
/** Idle time after which a connection is closed. Many receivers close idle connections after 5 s. */
const keepAliveMs = 4_000;
/** Maximum age of a connection: a new one follows changes of the receiver's DNS records. */
const connectionAgeMs = 300_000;
/** `beforeWrite` is called when a post is written later than this after its start or its last check. */
export const recheckAfterMs = 1_000;
const maxOrigins = 1_000;

type Connector = buildConnector.connector;

/** Creates the only HTTP client for deliveries: HTTP/1.1, no redirects, only to addresses that the rules allow. */
export function createWebhookClient(rules: TargetRules, options: WebhookClientOptions = {}): WebhookClient {
  const { timeoutMs = attemptTimeoutMs, socketsPerOrigin = 200 } = options;
  const connect = vettedConnector(rules, options);
  const pools = new LRUCache<string, Pool>({ max: maxOrigins, dispose: (pool) => void pool.close() });
  let isClosed = false;

  function poolOf(url: URL): Pool {
    const { origin } = url;
    const existing = pools.get(origin);
    if (existing) return existing;
    const problems = urlProblems(url, rules);
    if (problems.length > 0) throw new BlockedError('url', problems.join(' '));

    const pool = openPool(origin, connect, socketsPerOrigin);
    // Otherwise every origin ever posted to would keep its closed connection objects in memory.
    const dropWhenIdle = () => {
      const { connected, pending, running } = pool.stats;
      if (connected + pending + running === 0 && pools.peek(origin) === pool) pools.delete(origin);
    };
    pool.on('disconnect', dropWhenIdle).on('connectionError', dropWhenIdle);
    pools.set(origin, pool);
    return pool;
  }

  function dispatch(exchange: PostExchange): void {
    try {
      if (isClosed) throw new TargetError('stopped', 'The webhook client is closed');
      const url = new URL(exchange.post.url);
      const { headers, body } = exchange.post;
      poolOf(url).dispatch({ method: 'POST', path: url.pathname + url.search, headers, body }, exchange);
    } catch (error) {
      if (error instanceof BlockedError) options.onBlocked?.(error.reason);
      exchange.onResponseError(null, error instanceof Error ? error : new Error(String(error)));
    }
  }

  return {
    post: (post) =>
      new Promise((settle) => new PostExchange({ post, timeoutMs, recheckAfterMs, settle, dispatch }).start()),
    async close() {
      isClosed = true;
      const open = [...pools.values()];
      const closed = Promise.all(open.map((pool) => pool.close()));
      // A settled post can still wait for a connection in its pool: wait for it no longer than for a post.
      await withTimeout(closed, timeoutMs, () => open.map((pool) => pool.destroy()));
      await closed;
    },
  };
}

function openPool(origin: string, connect: VettedConnect, connections: number): Pool {
  return new Pool(origin, {
    connections,
    pipelining: 1,
    allowH2: false,
    // The exchange has its own deadline.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMs,
    clientTtl: connectionAgeMs,
    factory: (url, clientOptions) => new VettedClient(url, clientOptions, connect),
  });
}

type VettedConnect = (connection: ConnectionInfo, ...args: Parameters<Connector>) => void;

/** One connection. Gives each exchange the remote address. */
class VettedClient extends Client {
  readonly #connection: ConnectionInfo;

  constructor(url: URL, options: Client.Options, connect: VettedConnect) {
    const connection: ConnectionInfo = { remoteIp: null };
    super(url, { ...options, connect: (target, callback) => connect(connection, target, callback) });
    this.#connection = connection;
  }

  override dispatch(...[options, handler]: Parameters<Client['dispatch']>): boolean {
    if (handler instanceof PostExchange) handler.connection = this.#connection;
    return super.dispatch(options, handler);
  }
}

/** Connects only to addresses checked just before, and checks the remote address of the connection again. */
function vettedConnector(rules: TargetRules, options: WebhookClientOptions): VettedConnect {
  const lookup = options.lookup ?? resolveHost;
  const vetting = { lookup, timeoutMs: options.dnsTimeoutMs ?? dnsTimeoutMs };
  const vetted = new Map<string, string[]>();
  const open = buildConnector({
    allowH2: false,
    timeout: options.connectTimeoutMs ?? 5_000,
    // Shared: a context per connection would parse all certificate authorities each time.
    secureContext: createSecureContext({
      minVersion: 'TLSv1.2',
      ...(options.extraCa !== undefined && { ca: [...getCACertificates('default'), options.extraCa] }),
    }),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: 1_000,
    // Called for host names only, while `open` runs. Without vetted addresses the connection fails.
    lookup: (hostname, { all }, done) => {
      const found = (vetted.get(hostname) ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
      const [first] = found;
      if (!first) done(new BlockedError('address', `${hostname} was not vetted`), '');
      else if (all) done(null, found);
      else done(null, first.address, first.family);
    },
  });

  return (connection, target, callback) => {
    const { protocol, hostname, port } = target;
    connection.remoteIp = null;
    const refuse = (error: unknown) => {
      if (error instanceof BlockedError) options.onBlocked?.(error.reason);
      callback(connectError(error, protocol), null);
    };
    const check = (socket: Socket | TLSSocket) => {
      const { remoteAddress } = socket;
      if (remoteAddress !== undefined && isAddressAllowed(remoteAddress, rules)) {
        connection.remoteIp = remoteAddress;
        return callback(null, socket);
      }
      socket.on('error', () => {}).destroy();
      refuse(new BlockedError('peer', 'The connection led to an address that deliveries may not go to'));
    };
    vetTarget({ protocol, hostname, port: portOf({ protocol, port }) }, rules, vetting).then((addresses) => {
      vetted.set(hostname, addresses);
      open(target, (error, socket) => (error ? refuse(error) : check(socket)));
      vetted.delete(hostname);
    }, refuse);
  };
}

const unreachableCodes = ['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'EHOSTDOWN', 'ENETDOWN', 'EADDRNOTAVAIL'];

/** Classifies a failed connect. Always returns our own error type: undici retries after some of its own errors. */
function connectError(error: unknown, protocol: string): TargetError {
  if (error instanceof TargetError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') {
    return new TargetError('timeout', 'The connection was not made in time', error);
  }
  // Over https, any error other than an unreachable host comes from the TLS handshake.
  const isTls = protocol === 'https:' && !unreachableCodes.includes(code ?? '');
  return new TargetError(isTls ? 'tls' : 'connect', message || code || 'The connection failed', error);
}
