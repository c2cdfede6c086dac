import { hash } from 'node:crypto';
import { once } from 'node:events';
import { type StdioServerHandle, StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { systemClock } from '#common/clock.ts';
import { createToolServer } from '#common/mcp/create-tool-server.ts';
import { createQuoteTokens } from '#common/mcp/quote-tokens.ts';
import type { Mode } from '#common/modes.ts';
import { createKeyRing } from '#common/secrets.ts';
import { OperatorError } from '../program/operator-error.ts';
import { waitForStop } from '../supervisor/wait-for-stop.ts';
import { loadPicture } from './load-picture.ts';

export type ServeOptions = {
  url: string | undefined;
  key: string | undefined;
  /** Whether a live key may be used. */
  isLiveAllowed: boolean;
};

/**
 * Serves the tools on standard input and output until the client closes it, and returns the exit code. Standard output
 * belongs to the protocol. Throws OperatorError for a missing or wrong URL or key.
 */
export async function serveTools(options: ServeOptions): Promise<number> {
  const serving = openTools(options, (text) => void process.stderr.write(`mcp: ${text}\n`));
  await Promise.race([once(process.stdin, 'close'), waitForStop('mcp', () => process.exit(1))]);
  await serving.close();
  return 0;
}

/**
 * Serves the tools by a transport. `say` gets notes for the operator. Throws OperatorError for a missing or wrong URL or
 * key.
 */
export function openTools(
  options: ServeOptions,
  say: (text: string) => void,
  transport = new StdioServerTransport(),
): StdioServerHandle {
  const { baseUrl, key, mode } = readOptions(options);
  // From the API key, which has 256 random bits: a repeat with a token of an earlier process must find the letter that it
  // sent, because clients restart the process.
  const signer = createKeyRing([`key:${hash('sha256', key, 'base64')}`]).signer('mcp-quotes');
  const quotes = createQuoteTokens({ signer, clock: systemClock, account: mode });
  const caller = { baseUrl, headers: { authorization: `Bearer ${key}` } };
  const reportBug = (error: unknown) => say(`a tool failed: ${nameOf(error)}`);
  const serving = serveStdio(() => createToolServer({ caller, mode, quotes, loadPicture, reportBug }), {
    transport,
    onerror: (error) => say(`message ignored: ${nameOf(error)}`),
  });
  say(`serving ${mode} tools of ${new URL(baseUrl).host}`);
  return serving;
}

/** Returns the kind of an error. Its message may quote a message of the client, and clients keep this output in files. */
function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}

function readOptions({ url, key, isLiveAllowed }: ServeOptions): { baseUrl: string; key: string; mode: Mode } {
  const address = URL.parse(url?.trim() ?? '');
  if (address?.protocol !== 'http:' && address?.protocol !== 'https:') {
    throw new OperatorError('Set BLUEJAY_URL to the address of the API, such as https://api.example.com.');
  }
  const [found, mode] = /^bjk_(test|live)\w+$/.exec(key?.trim() ?? '') ?? [];
  if (found === undefined) throw new OperatorError('Set BLUEJAY_API_KEY to an API key: bjk_test….');
  if (mode === 'live' && !isLiveAllowed) {
    throw new OperatorError(
      'BLUEJAY_API_KEY is a live key. Start with --live to send real letters, or use a test key.',
    );
  }
  return { baseUrl: address.href.replace(/\/+$/, ''), key: found, mode: mode as Mode };
}
