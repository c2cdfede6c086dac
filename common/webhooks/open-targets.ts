import { Gauge, type Registry } from 'prom-client';
import type { Config } from '../config.ts';
import type { Log } from '../platform/log.ts';

/**
 * Deliveries to addresses that are not public are a hole if they were not meant: whoever opened it should see it in the
 * log of each start, and in the metrics at any time.
 */
export function showOpenTargets(
  settings: Pick<Config['webhooks'], 'allowLoopback' | 'allowCidrs'>,
  registry: Registry,
  log: Log,
): void {
  const { allowLoopback, allowCidrs } = settings;
  const gauge = new Gauge({
    name: 'webhook_private_targets_allowed',
    help: '1 when WEBHOOK_ALLOW_LOOPBACK or WEBHOOK_ALLOW_CIDRS lets deliveries leave the public internet.',
    registers: [registry],
  });
  const isOpen = allowLoopback || allowCidrs.length > 0;
  gauge.set(isOpen ? 1 : 0);
  if (isOpen) log.warn({ allowLoopback, allowCidrs }, 'webhooks may be sent to addresses that are not public');
}
