import { describe, expect, test } from '@jest/globals';
import { Registry } from 'prom-client';
import { readConfig } from '../../common/config.ts';
import { createLog } from '../../common/platform/log.ts';
import { openResources } from '../../workers/open-resources.ts';
import { eventually } from '../support/eventually.ts';
import { startWorld } from '../support/world.ts';

describe('the figures about the queues', () => {
  const world = startWorld({ hasTariffs: false });

  function openWith(environment: Record<string, string>) {
    const registry = new Registry();
    const config = readConfig({ ...world.environment, ...environment });
    return { registry, ...openResources(config, world.clock, createLog('test', 'silent'), registry) };
  }

  test('given messages that wait and one for later, when the metrics are read, then each is counted by its queue and state', async () => {
    const { registry, scannerHints, close } = openWith({});
    const hints = [
      { queue: 'webhook-delivery' as const, id: 'wh_1', delayMs: 0 },
      { queue: 'webhook-delivery' as const, id: 'wh_2', delayMs: 0 },
      { queue: 'render' as const, id: 'mj_1', delayMs: 60_000 },
    ];
    await eventually(() => scannerHints.add(hints), { withinMs: 5_000 });
    const text = await registry.metrics();
    for (const [queue, state, count] of [
      ['webhook-delivery', 'waiting', 2],
      ['webhook-delivery', 'active', 0],
      ['render', 'delayed', 1],
      ['render', 'waiting', 0],
      ['fan-out', 'failed', 0],
    ]) {
      expect(text).toContain(`bullmq_jobs{queue="${queue}",state="${state}"} ${count}\n`);
    }
    await close();
  });

  test('given a Redis that is away, when the metrics are read, then all others are there, without a long wait', async () => {
    const { registry, close } = openWith({ REDIS_URL: 'redis://127.0.0.1:1' });
    const startedAt = performance.now();
    const text = await registry.metrics();
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    expect(text).toContain('worker_last_pick_age_seconds');
    expect(text).not.toContain('bullmq_jobs{');
    await close();
  });
});
