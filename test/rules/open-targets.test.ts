import { describe, expect, test } from '@jest/globals';
import { Registry } from 'prom-client';
import { createLog } from '../../common/platform/log.ts';
import { showOpenTargets } from '../../common/webhooks/open-targets.ts';

const closed = { allowLoopback: false, allowCidrs: [] as string[], ports: [443] };

describe('deliveries to addresses that are not public', () => {
  test.each([
    ['neither', closed, 0],
    ['loopback', { ...closed, allowLoopback: true }, 1],
    ['a network', { ...closed, allowCidrs: ['10.20.0.0/16'] }, 1],
  ])(
    'given settings that allow %s, when a process starts, then its metrics tell, and its log warns of what is open',
    async (_what, settings, value) => {
      const lines: string[] = [];
      const registry = new Registry();
      showOpenTargets(settings, registry, createLog('test', 'warn', { write: (line) => void lines.push(line) }));
      expect(await registry.metrics()).toContain(`webhook_private_targets_allowed ${value}\n`);
      const { allowLoopback, allowCidrs } = settings;
      const warning = { level: 'warn', allowLoopback, allowCidrs, msg: expect.stringContaining('not public') };
      expect(lines.map((line) => JSON.parse(line))).toEqual(value === 0 ? [] : [expect.objectContaining(warning)]);
    },
  );
});
