import type { Socket } from 'node:net';
import { createSecureContext, getCACertificates, type TLSSocket } from 'node:tls';
import { buildConnector } from 'undici';
import { isAddressAllowed, type TargetRules } from './address-rules.ts';
import type { BlockReason } from './blocked-counter.ts';
import { BlockedError, TargetError } from './delivery-answer.ts';
import type { ConnectionInfo } from './post-exchange.ts';
import { dnsTimeoutMs, type Lookup, resolveHost, vetTarget } from './resolve-host.ts';
import { portOf } from './target-url.ts';

export type ConnectorOptions = {
  /** Replaces the look-up by name servers. */
  lookup?: Lookup;
  /** An additional certificate authority (PEM). */
  extraCa?: string;
  dnsTimeoutMs?: number;
  /** For TCP and TLS together. */
  connectTimeoutMs?: number;
  /** Called for each URL or connection that the rules refuse. */
  onBlocked?: (reason: BlockReason) => void;
};

/** Opens a connection for undici, and stores its remote address. */
export type VettedConnect = (connection: ConnectionInfo, ...args: Parameters<buildConnector.connector>) => void;

/** Connects only to addresses checked just before, and checks the remote address of the connection again. */
export function vettedConnector(rules: TargetRules, options: ConnectorOptions): VettedConnect {
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
