import type { Socket } from 'node:net';
import { createSecureContext, getCACertificates, type TLSSocket } from 'node:tls';
import { LRUCache } from 'lru-cache';
import { buildConnector, Client, Pool } from 'undici';
import { isAddressAllowed, type TargetRules } from './address-rules.ts';
import type { BlockReason } from './blocked-counter.ts';
import { BlockedError, type DeliveryAnswer, TargetError } from './delivery-answer.ts';
import { type Line, PostExchange, type SignedPost } from './post-exchange.ts';
import { dnsTimeoutMs, type Lookup, resolveHost, vetTarget } from './resolve-host.ts';
import { portOf, urlProblems } from './target-url.ts';

export type WebhookSender = {
  /** Makes one attempt. Never rejects: whatever happens is an answer. */
  post(post: SignedPost): Promise<DeliveryAnswer>;
  /** Lets the attempts under way end, then closes every connection. Posts that come later are `stopped`. */
  close(): Promise<void>;
};

export type SenderOptions = {
  /** Resolves names instead of the name servers. */
  lookup?: Lookup;
  /** One more certificate authority (PEM) beside the well-known ones. */
  extraCa?: string;
  /** For the whole attempt: name, connect, TLS, headers and body. */
  timeoutMs?: number;
  dnsTimeoutMs?: number;
  /** For TCP and TLS together. */
  connectTimeoutMs?: number;
  /** Connections to one origin; further posts to it wait, and their time counts. */
  socketsPerOrigin?: number;
  /** Told of each connect that was refused because of where it would lead. */
  onBlocked?: (reason: BlockReason) => void;
};

/** How long a connection stays open without use; many receivers close theirs after 5 s. */
const keepAliveMs = 4_000;
/** A connection is renewed at this age, so that a receiver that moves to another address is followed. */
const connectionAgeMs = 300_000;
const freshMs = 1_000;
const maxOrigins = 1_000;

type Connector = buildConnector.connector;

/** The only way out for deliveries: HTTP/1.1, no redirects, and only to addresses that the rules allow. */
export function createWebhookSender(rules: TargetRules, options: SenderOptions = {}): WebhookSender {
  const { timeoutMs = 15_000, socketsPerOrigin = 200 } = options;
  const connect = vettedConnector(rules, options);
  const pools = new LRUCache<string, Pool>({ max: maxOrigins, dispose: (pool) => void pool.close() });
  let isClosed = false;

  function poolOf(url: URL): Pool {
    const { origin } = url;
    const known = pools.get(origin);
    if (known) return known;
    const problems = urlProblems(url, rules);
    if (problems.length > 0) throw new BlockedError('url', problems.join(' '));

    const pool = openPool(origin, connect, socketsPerOrigin);
    // Without this, every origin ever written to would keep its (closed) connection objects.
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
      if (isClosed) throw new TargetError('stopped', 'The sender is closed');
      const url = new URL(exchange.post.url);
      const { headers, body } = exchange.post;
      poolOf(url).dispatch({ method: 'POST', path: url.pathname + url.search, headers, body }, exchange);
    } catch (error) {
      if (error instanceof BlockedError) options.onBlocked?.(error.reason);
      exchange.onResponseError(null, error instanceof Error ? error : new Error(String(error)));
    }
  }

  return {
    post: (post) => new Promise((settle) => new PostExchange({ post, timeoutMs, freshMs, settle, dispatch }).start()),
    async close() {
      isClosed = true;
      const open = [...pools.values()];
      // A post that is over may still wait for its connect in a pool; no close waits for that for longer than a post.
      const timer = setTimeout(() => open.map((pool) => pool.destroy()), timeoutMs);
      await Promise.all(open.map((pool) => pool.close()));
      clearTimeout(timer);
    },
  };
}

function openPool(origin: string, connect: VettedConnect, connections: number): Pool {
  return new Pool(origin, {
    connections,
    pipelining: 1,
    allowH2: false,
    // The exchange has its own, single deadline.
    headersTimeout: 0,
    bodyTimeout: 0,
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMs,
    clientTtl: connectionAgeMs,
    factory: (url, clientOptions) => new VettedClient(url, clientOptions, connect),
  });
}

type VettedConnect = (line: Line, ...args: Parameters<Connector>) => void;

/** One connection; tells each exchange that it carries which address it goes to. */
class VettedClient extends Client {
  readonly #line: Line;

  constructor(url: URL, options: Client.Options, connect: VettedConnect) {
    const line: Line = { remoteIp: null };
    super(url, { ...options, connect: (target, callback) => connect(line, target, callback) });
    this.#line = line;
  }

  override dispatch(...[options, handler]: Parameters<Client['dispatch']>): boolean {
    if (handler instanceof PostExchange) handler.line = this.#line;
    return super.dispatch(options, handler);
  }
}

/** Connects only to addresses that were judged a moment before, and looks again at what it got connected to. */
function vettedConnector(rules: TargetRules, options: SenderOptions): VettedConnect {
  const lookup = options.lookup ?? resolveHost;
  const vetting = { lookup, timeoutMs: options.dnsTimeoutMs ?? dnsTimeoutMs };
  const vetted = new Map<string, string[]>();
  const open = buildConnector({
    allowH2: false,
    timeout: options.connectTimeoutMs ?? 5_000,
    // Made once: building one for each connection would read the whole list of authorities again.
    secureContext: createSecureContext({
      minVersion: 'TLSv1.2',
      ...(options.extraCa !== undefined && { ca: [...getCACertificates('default'), options.extraCa] }),
    }),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: 1_000,
    // Called for names only, while `open` runs; without vetted addresses there is nothing to connect to.
    lookup: (hostname, { all }, done) => {
      const found = (vetted.get(hostname) ?? []).map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
      const [first] = found;
      if (!first) done(new BlockedError('address', `${hostname} was not vetted`), '');
      else if (all) done(null, found);
      else done(null, first.address, first.family);
    },
  });

  return (line, target, callback) => {
    const { protocol, hostname, port } = target;
    line.remoteIp = null;
    const refuse = (error: unknown) => {
      if (error instanceof BlockedError) options.onBlocked?.(error.reason);
      callback(connectError(error, protocol), null);
    };
    const check = (socket: Socket | TLSSocket) => {
      const { remoteAddress } = socket;
      if (remoteAddress !== undefined && isAddressAllowed(remoteAddress, rules)) {
        line.remoteIp = remoteAddress;
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

/** The class of a failed connect. Always our own error: the HTTP client tries again by itself after some of its own. */
function connectError(error: unknown, protocol: string): TargetError {
  if (error instanceof TargetError) return error;
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT') {
    return new TargetError('timeout', 'The connection was not made in time', error);
  }
  // Over https, whatever is not the network's refusal went wrong while the two sides agreed on encryption.
  const isTls = protocol === 'https:' && !unreachableCodes.includes(code ?? '');
  return new TargetError(isTls ? 'tls' : 'connect', message || code || 'The connection failed', error);
}
