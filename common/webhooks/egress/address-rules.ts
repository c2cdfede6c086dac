import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** The operator's settings for targets of deliveries. Public addresses are always allowed. */
export type TargetRules = {
  /** Allows loopback hosts by http or https on any port, for local development. */
  readonly allowLoopback: boolean;
  /** Allowed ports of all other hosts. */
  readonly ports: readonly number[];
  /** Allowed private networks. */
  readonly allowedNetworks: readonly (readonly [Address, number])[];
};

/** Parses the operator's settings. Throws for a network that is not in CIDR notation. */
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

/** The only IPv6 block that IANA assigns to the public internet. */
const globalUnicastV6 = ipaddr.IPv6.parseCIDR('2000::/3');
/** The former 6bone test network, returned to IANA (RFC 3701). Not routed, so only a private network could answer. */
const returnedV6 = ipaddr.IPv6.parseCIDR('3ffe::/16');

/**
 * Whether deliveries may go to this IP address. Returns false for an invalid address. IPv4-mapped IPv6
 * (`::ffff:10.0.0.1`) counts as IPv4. Translated and tunnelled forms (NAT64, 6to4, Teredo, ISATAP) are never allowed,
 * because they can reach any address.
 */
export function isAddressAllowed(ip: string, rules: TargetRules): boolean {
  const address = readAddress(ip);
  if (!address) return false;
  const isListed = rules.allowedNetworks.some(
    ([network, bits]) => network.kind() === address.kind() && address.match(network, bits),
  );
  if (isListed || (rules.allowLoopback && address.range() === 'loopback')) return true;

  return address.range() === 'unicast' && (address instanceof ipaddr.IPv4 || isPublicV6(address));
}

function isPublicV6(address: ipaddr.IPv6): boolean {
  return address.match(...globalUnicastV6) && !address.match(...returnedV6) && !isIsatap(address);
}

/** ISATAP (RFC 5214): an interface id of `0000:5efe` (u and g bits ignored) and an IPv4 address, under any prefix. */
function isIsatap({ parts: [, , , , flags = 0, marker] }: ipaddr.IPv6): boolean {
  return marker === 0x5efe && (flags & 0xfcff) === 0;
}

export function isLoopbackAddress(ip: string): boolean {
  return readAddress(ip)?.range() === 'loopback';
}

/** Whether this is `localhost` or a subdomain, which always resolve to loopback (RFC 6761). */
export function isLocalhostName(hostname: string): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, '');
  return name === 'localhost' || name.endsWith('.localhost');
}

/** Returns the IP address of a URL's host without brackets; null when the host is a name. */
export function literalAddress(hostname: string): string | null {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname;
  return readAddress(bare) ? bare : null;
}

function readAddress(ip: string): Address | null {
  // Dotted-quad only: the parser also accepts "1" and "0x7f.1", which are not valid in DNS answers.
  const isPlain = ip.includes(':') ? ipaddr.IPv6.isValid(ip) : ipaddr.IPv4.isValidFourPartDecimal(ip);
  return isPlain ? ipaddr.process(ip) : null;
}
