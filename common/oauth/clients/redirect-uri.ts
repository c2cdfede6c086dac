import type { Mode } from '#common/modes.ts';

const maxLength = 2_048;
/** Loopback addresses for development. Not `localhost`, which may resolve to another machine. */
const loopbackHosts = ['127.0.0.1', '[::1]'];

/**
 * Returns the problem of a redirect URI to register, or null. It must use https, or http to a loopback address for a
 * test client. It must be in the form that a browser serializes, because it is matched exactly.
 */
export function findRedirectUriProblem(text: string, mode: Mode): string | null {
  const uri = URL.parse(text);
  if (!uri || text.length > maxLength) return `must be an absolute URI of at most ${maxLength} characters`;
  if (text.includes('#')) return 'must not have a fragment (#…)';
  if (uri.username !== '' || uri.password !== '') return 'must not carry a user name or password';
  if (uri.hostname.includes('*')) return 'must name one host: there are no wildcards';
  const isLoopback = uri.protocol === 'http:' && loopbackHosts.includes(uri.hostname);
  if (uri.protocol !== 'https:' && !(isLoopback && mode === 'test')) {
    return 'must begin with https:// (in test mode also http://127.0.0.1 or http://[::1])';
  }
  // The consent page puts the host into its Content-Security-Policy, where other characters have a meaning.
  if (!/^([a-z0-9._-]+|\[[0-9a-f:.]+\])$/.test(uri.hostname))
    return 'must have a host of letters, digits, dots and dashes';
  // A browser adds the slash to a URI without a path; both forms are equivalent.
  if (uri.href !== text && uri.href !== `${text}/`) return `must be written as it is called: ${uri.href}`;

  return null;
}
