import type { Credential } from '#common/access/credential.ts';
import { claimKey } from '#common/platform/idempotency/claim-key.ts';
import { type AnyRoute, type ApiServices, keepsKeys, reply } from '../route.ts';

type Input = { params: unknown; headers: unknown; body: unknown; credential: Credential; now: Date };
type Answer = Awaited<ReturnType<AnyRoute['handle']>>;

/**
 * Runs the handler of a route. With an Idempotency-Key, runs it once for each key, organization and mode in 24 hours, on
 * routes that keep keys (see `Repeat`): the key is claimed first, and a repeat is answered with 200 from what the first
 * request did. A request that failed frees its key. Throws the errors of `claimKey`.
 *
 * When the process dies in between, the claim ends after a minute, and a repeat runs the handler. By then an address, a
 * template, a webhook, its new secret and a test clock exist with the stored key or not at all, since one transaction
 * wrote both. All else may happen a second time: an unconfirmed bulk, a test event, a step of a test letter, a
 * delivery. None of them costs money.
 */
export async function answerOnce(route: AnyRoute, input: Input, services: ApiServices): Promise<Answer> {
  const { repeat } = route;
  const { 'idempotency-key': key } = (input.headers ?? {}) as { 'idempotency-key'?: string };
  if (key === undefined || !keepsKeys(route)) return await route.handle(input as never, services);

  const request = JSON.stringify([route.operationId, input.params, input.body]);
  const signer = services.keyRing.signer('idempotency-key');
  const claim = await claimKey(input.credential, { key, request, signer }, input.now);
  if ('result' in claim) {
    if (typeof repeat === 'function') return reply(200, await repeat(input as never, services, claim.result));
    return repeat === 'kept' ? reply(200, JSON.parse(claim.result)) : await route.handle(input as never, services);
  }
  const answer = await route.handle({ ...input, claim } as never, services).catch(async (error: unknown) => {
    // Without a database the claim ends by its lease.
    await claim.release().catch(() => {});
    throw error;
  });
  await claim.finish(repeat === 'kept' && 'body' in answer ? JSON.stringify(answer.body) : '');
  return answer;
}
