import type { Mode } from '../modes.ts';

const maxLength = 2_048;
/** Where an application under development listens. Not `localhost`: a name may resolve to another machine. */
const loopbackHosts = ['127.0.0.1', '[::1]'];

/**
 * What is wrong with a redirect URI that is to be registered; null when nothing is. It must be https, or http to a
 * loopback address for a client in test mode, and be written as a browser writes it, since it is compared exactly.
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
  // The consent page names the host in its own policy, where other characters would mean something.
  if (!/^([a-z0-9._-]+|\[[0-9a-f:.]+\])$/.test(uri.hostname))
    return 'must have a host of letters, digits, dots and dashes';
  // Without a path a browser adds the slash; both ways of writing lead to the same place.
  if (uri.href !== text && uri.href !== `${text}/`) return `must be written as it is called: ${uri.href}`;

  return null;
}
