import { isUtf8 } from 'node:buffer';

// For the option `verify` of express's parsers. They would replace other bytes by U+FFFD, which would be printed.

/** Throws for a body that is not UTF-8. */
export function requireUtf8(_request: unknown, _response: unknown, body: Buffer): void {
  if (!isUtf8(body)) throw new Error('The body is not UTF-8.');
}

/** Throws for an urlencoded body whose values are not UTF-8. */
export function requireUtf8Form(_request: unknown, _response: unknown, body: Buffer): void {
  const text = body
    .toString('latin1')
    .replaceAll(/%([\da-f]{2})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)));
  if (!isUtf8(Buffer.from(text, 'latin1'))) throw new Error('The form is not UTF-8.');
}
