import { maxUriBytes } from './encode-request.ts';

/** Where the requests to a printer go. */
export type PrinterTarget = {
  /** The URI that requests name, as configured. */
  printerUri: string;
  isTls: boolean;
  /** A name or an IP address, IPv6 without brackets. */
  host: string;
  port: number;
  path: string;
};

const defaultPort = 631;

/**
 * Parses the URI of a printer: `ipp://host:port/printers/NAME`, or `ipps://` for TLS from the first byte. The default
 * port is 631 (RFC 3510, RFC 7472). Throws an Error that does not repeat the URI, because it may contain a password.
 */
export function parsePrinterUri(uri: string): PrinterTarget {
  const scheme = /^(ipps?):\/\/[^/]/.exec(uri)?.[1];
  // URL also reads what is no URI: it drops spaces and takes a backslash for a slash.
  if (!scheme || !/^[!-[\]-~]+$/.test(uri) || uri.length > maxUriBytes) throw unusable();
  const isTls = scheme === 'ipps';
  // URL knows the parts of http URLs only.
  const url = URL.parse(uri.replace(/^ipps?/, isTls ? 'https' : 'http'));
  if (!url || url.username || url.password || url.search || url.hash || url.pathname === '/') throw unusable();
  const written = /^ipps?:\/\/(?:\[[^\]]*\]|[^/:]*):(\d+)/.exec(uri)?.[1];
  return {
    printerUri: uri,
    isTls,
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    // URL drops 80 and 443, the default ports of http and https.
    port: written === undefined ? defaultPort : Number(written),
    path: url.pathname,
  };
}

function unusable(): Error {
  return new Error(
    'The printer URI cannot be used. Write it like ipp://print.example:631/printers/letters, without user, query or fragment.',
  );
}
