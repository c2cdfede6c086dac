import { describe, expect, test } from '@jest/globals';
import { Registry } from 'prom-client';
import { readConfig } from '../../common/config.ts';
import { createLog } from '../../common/platform/log.ts';
import { openResources } from '../../workers/open-resources.ts';
import { standingClock } from '../support/clock.ts';
import { openReceiver } from '../support/receiver.ts';
import { anOwner, aWebhookAt, handSender, storeEvents } from '../support/waiting-events.ts';
import { startWorld } from '../support/world.ts';

describe('the figures about deliveries', () => {
  const world = startWorld({ hasTariffs: false });

  test('given a worker process, when its metrics are read before anything happened, then all names are there', async () => {
    const registry = new Registry();
    const config = readConfig(world.environment);
    const { close } = openResources(config, world.clock, createLog('test', 'silent'), registry);
    const text = await registry.metrics();
    const names = [
      'deliveries_total',
      'delivery_lag_seconds',
      'delivery_due_backlog',
      'delivery_oldest_due_seconds',
      'endpoint_breaker_open',
      'endpoints_disabled_total',
      'inflight_webhooks',
      'ssrf_blocked_total',
      'worker_last_pick_age_seconds',
      'worker_stalled_total',
      'scanner_tick_seconds',
    ];
    for (const name of names) expect(text).toContain(`# TYPE ${name} `);
    expect(text).toContain('ssrf_blocked_total{reason="address"} 0');
    await close();
  });

  test('given three deliveries of which one fails, when they wait and are sent, then every figure is exact', async () => {
    const clock = standingClock();
    const hand = handSender(world, clock);
    const receiver = await openReceiver();
    receiver.answerWith(({ raw }) => (raw.includes('fails') ? 503 : 200));
    const owner = anOwner();
    const webhookId = await aWebhookAt(world, owner, receiver.url);
    await storeEvents(owner, 2, clock.now());
    await storeEvents(owner, 1, clock.now(), { body: JSON.stringify({ mailJobId: 'fails' }) });
    await hand.fanOut();
    clock.advance(2_000);
    expect(await hand.read('delivery_due_backlog')).toBe(3);
    expect(await hand.read('delivery_oldest_due_seconds')).toBe(2);
    await hand.send(webhookId);
    expect(await hand.read('deliveries_total', { result: 'delivered', error_class: 'none' })).toBe(2);
    expect(await hand.read('deliveries_total', { result: 'retry', error_class: '5xx' })).toBe(1);
    expect(await hand.read('inflight_webhooks')).toBe(0);
    await hand.close();
    await receiver.close();
  });
});
