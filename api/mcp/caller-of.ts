import { isIPv6 } from 'node:net';
import type { Request } from 'express';
import type { ApiCaller } from '#common/mcp/api-call.ts';
import { activeTraceparent } from '#common/platform/spans/tracing.ts';
import { stateOf } from '../requests/request-state.ts';
import type { InnerCalls } from './inner-calls.ts';

/** The headers by which a caller authenticates. */
const credentialHeaders = ['authorization', 'x-api-key'];

/**
 * Returns the caller of a message, for requests to the API of this process. They go to the address at which the message
 * arrived, have its credential, and appear in the log with its request ID.
 */
export function callerOf(request: Request, innerCalls: InnerCalls): ApiCaller {
  const { localAddress = '127.0.0.1', localPort } = request.socket;
  const address = localAddress.replace(/^::ffff:/, '');
  const host = isIPv6(address) ? `[${address}]` : address;
  const traceparent = activeTraceparent();
  const headers: Record<string, string> = {
    'x-request-id': stateOf(request).requestId,
    ...(traceparent !== undefined && { traceparent }),
  };
  for (const name of credentialHeaders) {
    const value = request.get(name);
    if (value !== undefined) headers[name] = value;
  }
  if (headers.authorization !== undefined) Object.assign(headers, innerCalls.headersFor(headers.authorization));
  return { baseUrl: `http://${host}:${localPort}`, headers };
}
