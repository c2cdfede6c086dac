import {
  isAddressAllowed,
  isLocalhostName,
  isLoopbackAddress,
  literalAddress,
  type TargetRules,
} from './address-rules.ts';
import type { BlockReason } from './blocked-counter.ts';
import { BlockedError, TargetError } from './delivery-answer.ts';
import { dnsTimeoutMs, type Lookup, resolveHost, vetTarget } from './resolve-host.ts';

const maxUrlLength = 2048;
const useReachableHost = 'Use a host that the public internet can reach.';

/**
 * Judges the url of a webhook when it is given: its text, then the addresses that its name has at this moment.
 * The messages say what to do; none means that it is fine. A name that does not resolve yet is fine as well: every
 * connect asks again, and fails closed.
 */
export async function checkTargetUrl(
  url: string,
  rules: TargetRules,
  options: { lookup?: Lookup; timeoutMs?: number; onBlocked?: (reason: BlockReason) => void } = {},
): Promise<string[]> {
  const { lookup = resolveHost, timeoutMs = dnsTimeoutMs, onBlocked = () => {} } = options;
  const parsed = readUrl(url);
  if (typeof parsed === 'string') return [parsed];
  const messages = urlProblems(parsed, rules);
  if (messages.length > 0) {
    onBlocked('url');
    return messages;
  }

  try {
    const { protocol, hostname } = parsed;
    await vetTarget({ protocol, hostname, port: portOf(parsed) }, rules, { lookup, timeoutMs });
    return [];
  } catch (error) {
    if (!(error instanceof TargetError)) throw error;
    if (!(error instanceof BlockedError)) return [];
    onBlocked(error.reason);
    return [useReachableHost];
  }
}

/** What is wrong with a URL by its text alone: scheme, user, port, and a host that is an address or localhost. */
export function urlProblems(url: URL, rules: TargetRules): string[] {
  const { hostname } = url;
  const literal = literalAddress(hostname);
  const isLocal = literal ? isLoopbackAddress(literal) : isLocalhostName(hostname);
  const isLocalAllowed = isLocal && rules.allowLoopback;
  const problems: string[] = [];

  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLocalAllowed)) problems.push('Use https.');
  if (url.username || url.password) {
    problems.push('Take the user name and password out of the url; check the signature of each delivery instead.');
  }
  // The default port of a wrong scheme is that one mistake, not a second.
  const isPortJudged = !isLocalAllowed && (url.protocol === 'https:' || url.port !== '');
  if (isPortJudged && !rules.ports.includes(portOf(url))) problems.push(`Use port ${rules.ports.join(' or ')}.`);
  const isHostAllowed = literal ? isAddressAllowed(literal, rules) : !isLocal || rules.allowLoopback;
  if (!isHostAllowed) problems.push(useReachableHost);

  return problems;
}

/** The port of a URL, written or implied by its scheme. */
export function portOf({ port, protocol }: { port: string; protocol: string }): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}

/** The parsed URL, or the message that says why there is none. */
function readUrl(text: string): URL | string {
  if ([...text].length > maxUrlLength) return `Use a url of at most ${maxUrlLength} characters.`;
  // The parser would silently drop line breaks and tabs and mend lone surrogates: what is stored must be what is used.
  if (/[\p{Cc}\p{Z}]/u.test(text) || !text.isWellFormed()) return 'Take spaces and control characters out of the url.';
  return URL.parse(text) ?? 'Give a whole url, such as https://example.com/hooks.';
}
