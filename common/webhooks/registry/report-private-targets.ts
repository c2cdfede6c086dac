import type { Registry } from 'prom-client';
import type { Config } from '#common/config/config.ts';
import type { Log } from '#common/platform/process/log.ts';
import { registerGauge } from '#common/platform/process/metrics.ts';

/**
 * Reports settings that allow deliveries to private addresses: a warning in the log of each start, and a gauge. Set by
 * mistake, they open the internal network to requests that customers control.
 */
export function reportPrivateTargets(
  settings: Pick<Config['webhooks'], 'allowLoopback' | 'allowCidrs'>,
  registry: Registry,
  log: Log,
): void {
  const { allowLoopback, allowCidrs } = settings;
  const isAllowed = allowLoopback || allowCidrs.length > 0;
  const gauge = {
    name: 'webhook_private_targets_allowed',
    help: '1 when WEBHOOK_ALLOW_LOOPBACK or WEBHOOK_ALLOW_CIDRS lets deliveries leave the public internet.',
  };
  registerGauge(registry, gauge, () => (isAllowed ? 1 : 0));
  if (isAllowed) log.warn({ allowLoopback, allowCidrs }, 'webhook deliveries to private addresses allowed');
}
