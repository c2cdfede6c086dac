import { Counter, type Registry } from 'prom-client';

/**
 * Why an address was refused: `url` by its text, `address` by what its name leads to, `peer` by what a connection that
 * was made turned out to lead to.
 */
export const blockReasons = ['url', 'address', 'peer'] as const;
export type BlockReason = (typeof blockReasons)[number];

/** Counts addresses that no delivery may go to, when they are given and when they are called. */
export function createBlockedCounter(registry: Registry): (reason: BlockReason) => void {
  const counter = new Counter({
    name: 'ssrf_blocked_total',
    help: 'Webhook addresses refused, when given and when called.',
    labelNames: ['reason'],
    registers: [registry],
  });
  // Present from the start: an alert on the first one needs the nought before it.
  for (const reason of blockReasons) counter.inc({ reason }, 0);
  return (reason) => counter.inc({ reason });
}
