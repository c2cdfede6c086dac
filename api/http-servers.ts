import { createServer, type RequestListener, type Server } from 'node:http';

/**
 * Time limits in milliseconds for the headers and for the whole request, so slow clients cannot hold connections. Idle
 * connections are kept for longer than the 60 s of common load balancers, or one could send a request while the server
 * closes its connection.
 */
const apiLimits = { headersTimeout: 15_000, requestTimeout: 60_000, keepAliveTimeout: 65_000 };
/**
 * Larger headers: the sign-in URL contains the encoded URL of the page to return to. More time: a form may have files,
 * and a slow connection needs minutes for 20 MB.
 */
const webLimits = { ...apiLimits, requestTimeout: 300_000, maxHeaderSize: 32 * 1024 };

/** Creates the server of the REST API, not listening yet. */
export function createApiServer(api: RequestListener): Server {
  return createServer(apiLimits, api);
}

/** Creates the server of the pages, not listening yet. */
export function createWebServer(web: RequestListener): Server {
  return createServer(webLimits, web);
}
