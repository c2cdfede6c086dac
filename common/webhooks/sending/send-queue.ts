import { withTimeout } from '#common/platform/concurrency/with-timeout.ts';
import type { Claim } from '#common/platform/due-work/due-work.ts';
import { releaseDeliveries } from '../deliveries/claim-deliveries.ts';
import type { DeliveryRecord } from '../deliveries/delivery.model.ts';
import type { EndpointRecord } from '../endpoints/endpoint.model.ts';
import type { EndpointSession } from './endpoint-session.ts';
import { postDelivery } from './post-delivery.ts';

/** Maximum number of posts of one endpoint in flight. */
export const maxInFlight = 10;

/**
 * Posts the deliveries of one endpoint in the order they were added, several at a time. `reclaimOrphans` depends on
 * this order to tell which posts a dead worker had started. The next post starts only after the result of an earlier
 * one is stored, which limits what a killed process repeats to the posts in flight.
 */
export type SendQueue = {
  /** Adds deliveries claimed under the lease. From now on up to `concurrency` posts are in flight. */
  add(deliveries: readonly DeliveryRecord[], concurrency: number): void;
  inFlight(): number;
  waiting(): number;
  /** Whether the result of every delivery is stored or the delivery is released. */
  isIdle(): boolean;
  /** Settles when another post could start, when all deliveries are started or released, or after `withinMs`. */
  untilFree(withinMs: number): Promise<void>;
  /** Throws the first error of storing a result or of a release. No post starts after such an error. */
  throwIfFailed(): void;
  /** Releases deliveries that were not started and waits for the others. Throws as `throwIfFailed` does. */
  close(): Promise<void>;
};

export function createSendQueue({ row, token }: Claim<EndpointRecord>, session: EndpointSession): SendQueue {
  /** Since when a post could have started: from when the endpoint was due, or its posts were not all in flight. */
  let freeSince = row.due?.at ?? session.deps.clock.now();
  let waiting: DeliveryRecord[] = [];
  let concurrency = 0;
  let failure: { error: unknown } | null = null;
  let change = Promise.withResolvers<void>();
  let isClosed = false;
  const posts = new Set<Promise<void>>();
  const releases = new Set<Promise<void>>();

  const fail = (error: unknown) => {
    failure ??= { error };
  };
  const throwIfFailed = () => {
    if (failure) throw failure.error;
  };
  const signalChange = () => {
    change.resolve();
    change = Promise.withResolvers();
  };
  const releaseWaiting = () => {
    if (waiting.length === 0) return;
    const release = releaseDeliveries(waiting, token)
      .catch(fail)
      .then(() => {
        releases.delete(release);
        signalChange();
      });
    releases.add(release);
    waiting = [];
  };
  async function send(delivery: DeliveryRecord): Promise<void> {
    try {
      const attempt = await postDelivery(delivery, token, session, freeSince);
      const recorded = session.deps.recorder.record(attempt);
      // Update the health before the result is stored: otherwise more posts start to an endpoint that just failed.
      await Promise.all([recorded, session.recordOutcome(attempt)]);
    } catch (error) {
      fail(error);
    }
  }
  function startPosts(): void {
    if (isClosed || failure || session.isHalted()) releaseWaiting();
    while (waiting.length > 0 && posts.size < concurrency) {
      const post = send(waiting.shift() as DeliveryRecord).then(() => {
        if (posts.size >= concurrency) freeSince = session.deps.clock.now();
        posts.delete(post);
        startPosts();
        // While deliveries wait, the queue fills free capacity itself and the caller has nothing to do.
        if (waiting.length === 0 || failure) signalChange();
      });
      posts.add(post);
    }
  }
  session.closing.addEventListener('abort', releaseWaiting, { once: true });

  return {
    add(deliveries, newConcurrency) {
      concurrency = newConcurrency;
      waiting.push(...deliveries);
      startPosts();
    },
    inFlight: () => posts.size,
    waiting: () => waiting.length,
    isIdle: () => waiting.length + posts.size + releases.size === 0,
    untilFree: (withinMs) => withTimeout(change.promise, withinMs, () => {}),
    throwIfFailed,
    async close() {
      isClosed = true;
      session.closing.removeEventListener('abort', releaseWaiting);
      releaseWaiting();
      await Promise.all([...posts, ...releases]);
      throwIfFailed();
    },
  };
}
