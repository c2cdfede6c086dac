import { LRUCache } from 'lru-cache';
import { Client, Pool } from 'undici';
import { withTimeout } from '#common/platform/concurrency/with-timeout.ts';
import type { TargetRules } from './address-rules.ts';
import { BlockedError, type DeliveryAnswer, TargetError } from './delivery-answer.ts';
import { type ConnectionInfo, PostExchange, type SignedPost } from './post-exchange.ts';
import { urlProblems } from './target-url.ts';
import { type ConnectorOptions, type VettedConnect, vettedConnector } from './vetted-connector.ts';

export type WebhookClient = {
  /** Makes one attempt. Never rejects: errors are answers. */
  post(post: SignedPost): Promise<DeliveryAnswer>;
  /** Waits for posts in flight, then closes all connections. Later posts end as `stopped`. */
  close(): Promise<void>;
};

export type WebhookClientOptions = ConnectorOptions & {
  /** For the whole attempt: DNS, connect, TLS, headers and body. */
  timeoutMs?: number;
  /** Maximum connections to one origin. Further posts wait, which counts towards `timeoutMs`. */
  socketsPerOrigin?: number;
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
