import type { IncomingMessage } from 'node:http';
import type { Credential } from '../common/access/credential.ts';
import type { Log } from '../common/platform/log.ts';

/** What the API knows about a request under way, beside the request itself. */
export type RequestState = {
  /** The caller's X-Request-Id when it fits, else ours. */
  requestId: string;
  /** Writes the request's id on each line. */
  log: Log;
  /** Present once the caller is known. */
  credential?: Credential;
  /** The letter that the answer is about. */
  mailJobId?: string;
};

const states = new WeakMap<IncomingMessage, RequestState>();

/** Called once, by the first middleware. */
export function beginRequest(request: IncomingMessage, state: RequestState): void {
  states.set(request, state);
}

/** The state of a request; throws when the first middleware has not run, which is a mistake in the wiring. */
export function stateOf(request: IncomingMessage): RequestState {
  const state = states.get(request);
  if (!state) throw new Error('The request has no state: is the request context mounted first?');
  return state;
}

/** Who calls; throws when the route comes before authentication, which is a mistake in the wiring. */
export function credentialOf(request: IncomingMessage): Credential {
  const { credential } = stateOf(request);
  if (!credential) throw new Error('The request has no credential: is authentication mounted before this?');
  return credential;
}
