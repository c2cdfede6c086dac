import { Refusal } from './failure.ts';

/** Sends a request to the object store. Throws Refusal unless it succeeds, or the reason of the signal. */
export async function requestStore(what: string, url: string, init: RequestInit & { signal: AbortSignal }) {
  const answer = await fetch(url, init).catch((error: Error) => {
    init.signal.throwIfAborted();
    const cause = error.cause instanceof Error ? error.cause.message : error.message;
    throw refuse(what, `${new URL(url).origin} cannot be reached: ${cause}`);
  });
  if (!answer.ok) throw refuse(what, `the object store answered ${answer.status}`);
  return answer;
}

function refuse(what: string, reason: string): Refusal {
  const next = 'Repeat the command in a moment. This machine must reach the object store of the service.';
  return new Refusal(`${what}: ${reason}.`, { code: 'CONNECTION_ERROR', next });
}
