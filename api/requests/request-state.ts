import type { IncomingMessage } from 'node:http';
import type { Credential } from '#common/access/credential.ts';
import type { Log } from '#common/platform/process/log.ts';

/** State of a request in progress. */
export type RequestState = {
  /** The client's X-Request-Id if it is valid, otherwise a generated one. */
  requestId: string;
  /** Adds the request ID to each line. */
  log: Log;
  /** Present after authentication. */
  credential?: Credential;
  /** The outcome that a test credential chose with the header Bluejay-Sandbox. Such a failure is none of the operator's. */
  sandboxOutcome?: string;
  /** The mail job in the response. */
  mailJobId?: string;
};

const states = new WeakMap<IncomingMessage, RequestState>();

/** Sets the state of a request. Called once, by the first middleware. */
export function beginRequest(request: IncomingMessage, state: RequestState): void {
  states.set(request, state);
}

/** Returns the state of a request. Throws if the request context is not mounted first. */
export function stateOf(request: IncomingMessage): RequestState {
  const state = states.get(request);
  if (!state) throw new Error('The request has no state: is the request context mounted first?');
  return state;
}

/** Returns the credential of a request. Throws if authentication is not mounted before the caller. */
export function credentialOf(request: IncomingMessage): Credential {
  const { credential } = stateOf(request);
  if (!credential) throw new Error('The request has no credential: is authentication mounted before this?');
  return credential;
}
