import type { Mode } from '#common/modes.ts';
import { isPublicClient, type OAuthClientRecord } from '../client.model.ts';

const maxLength = 2_048;
/** Not `localhost`, which may resolve to another machine. */
const loopbackHosts = ['127.0.0.1', '[::1]'];
/** Agents use it all the same, with PKCE against a code that reaches another program. */
const publicHosts = [...loopbackHosts, 'localhost'];

/**
 * Returns the problem of a redirect URI to register, or null. It must use https, or http to a loopback address for a
 * test client and a public one. It must be in the form that a browser serializes, because it is matched exactly.
 */
export function findRedirectUriProblem(text: string, mode: Mode | 'public'): string | null {
  const uri = URL.parse(text);
  if (!uri || text.length > maxLength) return `must be an absolute URI of at most ${maxLength} characters`;
  if (text.includes('#')) return 'must not have a fragment (#…)';
  if (uri.username !== '' || uri.password !== '') return 'must not carry a user name or password';
  if (uri.hostname.includes('*')) return 'must name one host: there are no wildcards';
  const hostsOf: Record<typeof mode, readonly string[]> = { live: [], test: loopbackHosts, public: publicHosts };
  const allowedHosts = hostsOf[mode];
  const isLoopback = uri.protocol === 'http:' && allowedHosts.includes(uri.hostname);
  if (uri.protocol !== 'https:' && !isLoopback) {
    return 'must begin with https:// (in test mode also http://127.0.0.1 or http://[::1])';
  }
  // The consent page puts the host into its Content-Security-Policy, where other characters have a meaning.
  if (!/^([a-z0-9._-]+|\[[0-9a-f:.]+\])$/.test(uri.hostname))
    return 'must have a host of letters, digits, dots and dashes';
  // A browser adds the slash to a URI without a path; both forms are equivalent.
  if (uri.href !== text && uri.href !== `${text}/`) return `must be written as it is called: ${uri.href}`;

  return null;
}

/** Returns whether a redirect URI leads to the user's own device. */
export function isLoopbackUri(text: string): boolean {
  const uri = URL.parse(text);
  return uri?.protocol === 'http:' && publicHosts.includes(uri.hostname);
}

/**
 * Returns whether a client registered this redirect URI: exactly (RFC 9700, 2.1). A public client gets its port from the
 * operating system, so any port of its loopback address matches (RFC 8252, 7.3).
 */
export function isRegisteredUri(
  text: string,
  { redirectUris, mode }: Pick<OAuthClientRecord, 'redirectUris' | 'mode'>,
) {
  if (redirectUris.includes(text)) return true;
  if (!isPublicClient({ mode }) || !isLoopbackUri(text) || findRedirectUriProblem(text, 'public') !== null)
    return false;
  return redirectUris.some((known) => isLoopbackUri(known) && withoutPort(known) === withoutPort(text));
}

function withoutPort(text: string): string {
  const uri = new URL(text);
  uri.port = '';
  return uri.href;
}
