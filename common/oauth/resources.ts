import { OAuthError } from './oauth-error.ts';

/** Below the URL of the API: the resource that agents use. */
export const toolsPath = '/mcp';

/**
 * Reads the parameter `resource` (RFC 8707): returns null for the whole API, or the URL of the tools for agents. Throws
 * invalid_target for any other.
 */
export function readResource(text: string, issuer: string): string | null {
  const tools = `${issuer}${toolsPath}`;
  const asked = URL.parse(text)?.href.replace(/\/$/, '');
  if (asked === new URL(tools).href) return tools;
  if (asked === new URL(issuer).href.replace(/\/$/, '')) return null;
  throw new OAuthError('invalid_target', `The resource must be ${tools}, or ${issuer} for the whole API.`);
}
