import type { Clock } from '../common/clock.ts';
import type { Log } from '../common/platform/process/log.ts';
import type { DeliveryMetrics } from '../common/webhooks/deliveries/delivery-metrics.ts';
import { wakeForgotten } from '../common/webhooks/deliveries/find-forgotten.ts';

export const forgottenChore = 'forgotten-endpoints';

/** The most endpoints in one log line. */
const maxNamed = 20;

/** Makes endpoints due that have waiting deliveries but no due time. Counts and logs them, and returns their number. */
export async function wakeForgottenEndpoints(
  { clock, log, metrics }: { clock: Clock; log: Log; metrics: DeliveryMetrics },
  signal: AbortSignal,
): Promise<number> {
  const endpointIds = await wakeForgotten(clock.now(), signal);
  const count = endpointIds.length;
  if (count > 0) {
    metrics.endpointsForgotten.inc(count);
    log.error({ count, endpointIds: endpointIds.slice(0, maxNamed) }, 'forgotten endpoints woken');
  }
  return count;
}
