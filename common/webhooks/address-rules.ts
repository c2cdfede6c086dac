import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Where deliveries may go, beyond public addresses: what the operator has set. */
export type TargetRules = {
  /** Loopback hosts by http or https, on any port: for trying out on one machine. */
  readonly allowLoopback: boolean;
  /** Ports of every other host. */
  readonly ports: readonly number[];
  /** Private networks that are let through. */
  readonly allowedNetworks: readonly (readonly [Address, number])[];
};

/** Reads the operator's settings. Throws a sentence that names a network which is not in CIDR form. */
export function targetRules(settings: {
  allowLoopback: boolean;
  allowCidrs: readonly string[];
  ports: readonly number[];
}): TargetRules {
  const { allowLoopback, allowCidrs, ports } = settings;
  const allowedNetworks = allowCidrs.map((cidr) => {
    if (!ipaddr.isValidCIDR(cidr)) {
      throw new Error(`WEBHOOK_ALLOW_CIDRS: "${cidr}" is not a network; write it like 10.20.0.0/16 or fd00:1::/64.`);
    }
    return ipaddr.parseCIDR(cidr);
  });
  return { allowLoopback, ports, allowedNetworks };
}

/** Only this block of IPv6 is handed out for the public internet; all else there is special or not yet anything. */
const globalUnicastV6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether a delivery may be sent to this IP address. An address that cannot be read is not allowed.
 * IPv4 inside IPv6 (`::ffff:10.0.0.1`) is judged as IPv4; translated and tunnelled forms (NAT64, 6to4, Teredo) are
 * refused whole, because they can lead to any address.
 */
export function isAddressAllowed(ip: string, rules: TargetRules): boolean {
  const address = readAddress(ip);
  if (!address) return false;
  const isListed = rules.allowedNetworks.some(
    ([network, bits]) => network.kind() === address.kind() && address.match(network, bits),
  );
  if (isListed || (rules.allowLoopback && address.range() === 'loopback')) return true;

  return address.range() === 'unicast' && (address.kind() === 'ipv4' || address.match(...globalUnicastV6));
}

export function isLoopbackAddress(ip: string): boolean {
  return readAddress(ip)?.range() === 'loopback';
}

/** `localhost` and all names under it (RFC 6761), which never leave the machine. */
export function isLocalhostName(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, '');
  return name === 'localhost' || name.endsWith('.localhost');
}

/** The IP address that a URL's host is, without brackets; null when the host is a name. */
export function literalAddress(hostname: string): string | null {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return readAddress(bare) ? bare : null;
}

function readAddress(ip: string): Address | null {
  // Four parts only: the parser would also read "1" or "0x7f.1", which no resolver answers.
  const isPlain = ip.includes(':') ? ipaddr.IPv6.isValid(ip) : ipaddr.IPv4.isValidFourPartDecimal(ip);
  return isPlain ? ipaddr.process(ip) : null;
}
