/**
 * A redirect URI with parameters added to its query, whatever that holds already; null ones are left out. The URI
 * itself stays as it was registered, to the character.
 */
export function redirectWith(redirectUri: string, parameters: Record<string, string | null>): string {
  const pairs = Object.entries(parameters).filter((pair): pair is [string, string] => pair[1] !== null);
  const separator = redirectUri.includes('?') ? '&' : '?';
  return `${redirectUri}${separator}${new URLSearchParams(pairs)}`;
}
