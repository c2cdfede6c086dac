import { pollUntil } from '#common/platform/concurrency/poll-until.ts';
import { hasLapsed } from '#common/platform/mongo/lease.model.ts';
import { rowsOf } from '#common/platform/mongo/mongo.ts';
import { isSending, type OfEndpoint } from '../deliveries/claim-deliveries.ts';
import { Endpoint, type EndpointRecord } from '../endpoints/endpoint.model.ts';
import { targetMaxAgeMs } from '../endpoints/post-target.ts';

const maxWaitMs = 2_000;
const pollMs = 50;

/**
 * Waits until no worker starts a post based on the webhook as it was before a change, `maxWaitMs` at most. By then
 * posts in flight have ended, or `beforeWrite` checks the webhook again. Returns at once when no worker holds the
 * endpoint.
 */
export async function waitForPosts(webhook: OfEndpoint): Promise<void> {
  const startedAtMs = performance.now();
  const isOver = async () => !(await mayPostOutdated(webhook, startedAtMs));
  await pollUntil(isOver, { everyMs: pollMs, withinMs: maxWaitMs });
}

/**
 * Whether a worker is sending a delivery, or holds the endpoint and may not have seen the change. Between two posts a
 * worker is sending nothing, but may still claim a delivery that a concurrent fan-out stores.
 */
async function mayPostOutdated(webhook: OfEndpoint, startedAtMs: number): Promise<boolean> {
  // Read the clock first: `isSending` then sees every delivery that was claimed with an outdated target.
  const isTargetFresh = performance.now() - startedAtMs > targetMaxAgeMs;
  if (await isSending(webhook)) return true;
  const isLeased = { _id: webhook.endpointId, $expr: { $not: [hasLapsed('$due.leaseUntil')] } };
  return !isTargetFresh && (await rowsOf<EndpointRecord>(Endpoint).findOne(isLeased)) !== null;
}
