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
 * Checks the URL of a webhook: its text, then the addresses that its name resolves to now. Returns messages that say
 * what to change; none when the URL is accepted. Accepts a name that does not resolve yet, because every connect checks
 * again and fails closed.
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

/** Returns the problems visible in the text of a URL: scheme, user name, port, and a literal address or localhost. */
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
  // The default port of a wrong scheme is not a second problem.
  const isPortChecked = !isLocalAllowed && (url.protocol === 'https:' || url.port !== '');
  if (isPortChecked && !rules.ports.includes(portOf(url))) problems.push(`Use port ${rules.ports.join(' or ')}.`);
  const isHostAllowed = literal ? isAddressAllowed(literal, rules) : !isLocal || rules.allowLoopback;
  if (!isHostAllowed) problems.push(useReachableHost);

  return problems;
}

/** Returns the explicit port of a URL or the default of its scheme. */
export function portOf({ port, protocol }: { port: string; protocol: string }): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}

/** Parses a URL; returns the message to show when it is invalid. */
function readUrl(text: string): URL | string {
  if ([...text].length > maxUrlLength) return `Use a url of at most ${maxUrlLength} characters.`;
  // The parser silently drops line breaks and tabs and replaces lone surrogates: the stored URL must be the used URL.
  if (/[\p{Cc}\p{Z}]/u.test(text) || !text.isWellFormed()) return 'Take spaces and control characters out of the url.';
  return URL.parse(text) ?? 'Give a whole url, such as https://example.com/hooks.';
}
