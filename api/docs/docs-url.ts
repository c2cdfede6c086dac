/** Returns the address of an error's page. The base URL is that of the API, without a trailing slash. */
export function docsUrlOf(baseUrl: string, code: string): string {
  return `${baseUrl}/docs/errors/${code}`;
}
