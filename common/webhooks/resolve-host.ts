import { Resolver } from 'node:dns/promises';
import {
  isAddressAllowed,
  isLocalhostName,
  isLoopbackAddress,
  literalAddress,
  type TargetRules,
} from './address-rules.ts';
import { BlockedError, TargetError } from './delivery-answer.ts';

/** Turns a name into all its IP addresses. Rejects when there is none; ends its work when `signal` fires. */
export type Lookup = (hostname: string, signal: AbortSignal) => Promise<readonly string[]>;

export const dnsTimeoutMs = 3000;
/** Once one family has answered, the other gets this much longer: a broken AAAA must not hold up a good A. */
const otherFamilyPatienceMs = 250;
const maxAddresses = 8;

/**
 * Asks the name servers: those of the system, or the given ones (`127.0.0.1:53`). Not getaddrinfo: that runs in Node's
 * thread pool, where four dead names stop everybody. A resolver for each question, because cancelling one ends all
 * questions that it has open.
 */
export function createLookup(servers?: readonly string[]): Lookup {
  return async (hostname, signal) => {
    if (isLocalhostName(hostname)) return ['127.0.0.1', '::1'];
    const resolver = new Resolver({ timeout: 1000, tries: 2 });
    if (servers) resolver.setServers(servers);
    const cancel = () => resolver.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    let patience: NodeJS.Timeout | undefined;
    const answered = (addresses: string[]) => {
      patience ??= setTimeout(cancel, otherFamilyPatienceMs);
      return addresses;
    };
    const families = [resolver.resolve4(hostname).then(answered), resolver.resolve6(hostname).then(answered)];
    const settled = await Promise.allSettled(families);
    clearTimeout(patience);
    signal.removeEventListener('abort', cancel);
    const addresses = settled.flatMap((family) => (family.status === 'fulfilled' ? family.value : []));
    if (addresses.length === 0) throw new TargetError('dns', `${hostname} has no address`, settled);

    return addresses;
  };
}

export const resolveHost = createLookup();

/** Where a connection is to go: the parts of a URL, the host still with its brackets when it is an IPv6 address. */
export type Target = { protocol: string; hostname: string; port: number };

/**
 * The addresses that a connection to the target may use. Rejects with a TargetError: `dns` when the name leads nowhere
 * within `timeoutMs`, `blocked_ip` when even one of its addresses is not allowed.
 */
export async function vetTarget(
  target: Target,
  rules: TargetRules,
  options: { lookup: Lookup; timeoutMs: number },
): Promise<string[]> {
  const literal = literalAddress(target.hostname);
  const addresses = literal ? [literal] : await lookUp(target.hostname, options);
  // One bad answer among good ones is how a name is made to lead inside at the next connect.
  const isAllowed = addresses.length > 0 && addresses.every((ip) => isAddressAllowed(ip, rules));
  // Plain http and other ports are let through for this machine alone, whatever the name claims to be.
  const isLocal = addresses.every(isLoopbackAddress);
  const isOrdinary = target.protocol === 'https:' && rules.ports.includes(target.port);
  if (!isAllowed || !(isOrdinary || (rules.allowLoopback && isLocal))) {
    throw new BlockedError('address', `${target.hostname} leads to an address that deliveries may not go to`);
  }
  return addresses.slice(0, maxAddresses);
}

async function lookUp(hostname: string, { lookup, timeoutMs }: { lookup: Lookup; timeoutMs: number }) {
  const abort = new AbortController();
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    late.reject(new TargetError('dns', `The name servers gave no answer for ${hostname} within ${timeoutMs} ms`));
    abort.abort();
  }, timeoutMs);
  try {
    return await Promise.race([lookup(hostname, abort.signal), late.promise]);
  } catch (error) {
    throw error instanceof TargetError ? error : new TargetError('dns', `${hostname} cannot be resolved`, error);
  } finally {
    clearTimeout(timer);
  }
}
