/** More than any address of ours needs; an authorize request with a long state is the longest. */
const maxLength = 8_192;

/**
 * The page of ours that somebody is to come back to, or null for whatever leads elsewhere: a link that we send nobody
 * to is no use to those who send others there.
 */
export function readReturnPath(text: string | undefined): string | null {
  if (text === undefined || text.length > maxLength || !text.startsWith('/')) return null;
  // Browsers take a backslash for a slash, and drop tabs and line ends wherever they stand.
  if (/[\\\p{Cc}]/u.test(text)) return null;
  const url = URL.parse(text, 'https://host.invalid');
  if (url?.origin !== 'https://host.invalid') return null;
  return `${url.pathname}${url.search}`.startsWith('//') ? null : `${url.pathname}${url.search}`;
}
