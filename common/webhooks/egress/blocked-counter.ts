import { Counter, type Registry } from 'prom-client';

/**
 * Why a target was refused: `url` by its text, `address` by the resolved address, `peer` by the remote address of the
 * connection.
 */
const blockReasons = ['url', 'address', 'peer'] as const;
export type BlockReason = (typeof blockReasons)[number];

/** Creates the counter of refused targets, both when a URL is set and when a delivery is sent. */
export function createBlockedCounter(registry: Registry): (reason: BlockReason) => void {
  const counter = new Counter({
    name: 'ssrf_blocked_total',
    help: 'Targets refused: of webhooks, when a URL is set and when a delivery is sent, and of the metadata of OAuth clients.',
    labelNames: ['reason'],
    registers: [registry],
  });
  // Start at 0: an alert on an increase needs a value before the first one.
  for (const reason of blockReasons) counter.inc({ reason }, 0);
  return (reason) => counter.inc({ reason });
}
