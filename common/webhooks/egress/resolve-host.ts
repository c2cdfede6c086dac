import { Resolver } from 'node:dns/promises';
import { withTimeout } from '#common/platform/concurrency/with-timeout.ts';
import {
  isAddressAllowed,
  isLocalhostName,
  isLoopbackAddress,
  literalAddress,
  type TargetRules,
} from './address-rules.ts';
import { BlockedError, TargetError } from './delivery-answer.ts';

/** Resolves a name to all its IP addresses. Rejects when there is none. Stops when `signal` fires. */
export type Lookup = (hostname: string, signal: AbortSignal) => Promise<readonly string[]>;

export const dnsTimeoutMs = 3000;
/** Extra wait for the second address family after the first has answered: a broken AAAA must not delay a good A. */
const otherFamilyWaitMs = 250;
const maxAddresses = 8;

/**
 * Creates a look-up by the given name servers (`127.0.0.1:53`), by default those of the system. Avoids getaddrinfo,
 * which runs in Node's thread pool: four unresponsive names would block all file and DNS operations. Uses one resolver
 * per look-up, because cancelling a resolver ends all its queries.
 */
export function createLookup(servers?: readonly string[]): Lookup {
  return async (hostname, signal) => {
    if (isLocalhostName(hostname)) return ['127.0.0.1', '::1'];
    const resolver = new Resolver({ timeout: 1000, tries: 2 });
    if (servers) resolver.setServers(servers);
    const cancel = () => resolver.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    let graceTimer: NodeJS.Timeout | undefined;
    const answered = (addresses: string[]) => {
      graceTimer ??= setTimeout(cancel, otherFamilyWaitMs);
      return addresses;
    };
    const families = [resolver.resolve4(hostname).then(answered), resolver.resolve6(hostname).then(answered)];
    const settled = await Promise.allSettled(families);
    clearTimeout(graceTimer);
    signal.removeEventListener('abort', cancel);
    const addresses = settled.flatMap((family) => (family.status === 'fulfilled' ? family.value : []));
    if (addresses.length === 0) throw new TargetError('dns', `${hostname} has no address`, settled);

    return addresses;
  };
}

export const resolveHost = createLookup();

/** The target of a connection: parts of a URL. An IPv6 host has its brackets. */
type Target = { protocol: string; hostname: string; port: number };

/**
 * Returns the addresses that a connection to the target may use. Rejects with a TargetError: `dns` when the name does
 * not resolve within `timeoutMs`, `blocked_ip` when any of its addresses is not allowed.
 */
export async function vetTarget(
  target: Target,
  rules: TargetRules,
  options: { lookup: Lookup; timeoutMs: number },
): Promise<string[]> {
  const literal = literalAddress(target.hostname);
  const addresses = literal ? [literal] : await lookUp(target.hostname, options);
  // An attacker's name server can mix private addresses with public ones (DNS rebinding): one bad address blocks all.
  const isAllowed = addresses.length > 0 && addresses.every((ip) => isAddressAllowed(ip, rules));
  // Plain http and other ports are only for loopback addresses, whatever the name.
  const isLocal = addresses.every(isLoopbackAddress);
  const isOrdinary = target.protocol === 'https:' && rules.ports.includes(target.port);
  if (!isAllowed || !(isOrdinary || (rules.allowLoopback && isLocal))) {
    throw new BlockedError('address', `${target.hostname} leads to an address that deliveries may not go to`);
  }
  return addresses.slice(0, maxAddresses);
}

async function lookUp(hostname: string, { lookup, timeoutMs }: { lookup: Lookup; timeoutMs: number }) {
  const abort = new AbortController();
  try {
    return await withTimeout(lookup(hostname, abort.signal), timeoutMs, () => {
      abort.abort();
      throw new TargetError('dns', `The name servers gave no answer for ${hostname} within ${timeoutMs} ms`);
    });
  } catch (error) {
    throw error instanceof TargetError ? error : new TargetError('dns', `${hostname} cannot be resolved`, error);
  }
}
