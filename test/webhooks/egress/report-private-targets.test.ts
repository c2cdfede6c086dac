// Level: unit
import { Registry } from 'prom-client';
import { createLog } from '#common/platform/process/log.ts';
import { reportPrivateTargets } from '#common/webhooks/registry/report-private-targets.ts';
import { expect, test } from '#test/support/jest.ts';

const closed = { allowLoopback: false, allowCidrs: [] as string[], ports: [443] };

test.each([
  ['neither', closed, 0],
  ['loopback', { ...closed, allowLoopback: true }, 1],
  ['a network', { ...closed, allowCidrs: ['10.20.0.0/16'] }, 1],
])('private addresses allowed by %s show in the metrics and as a warning at start', async (_what, settings, value) => {
  const lines: string[] = [];
  const registry = new Registry();
  reportPrivateTargets(settings, registry, createLog('test', 'warn', { write: (line) => void lines.push(line) }));
  expect(await registry.metrics()).toContain(`webhook_private_targets_allowed ${value}\n`);
  const { allowLoopback, allowCidrs } = settings;
  const warning = { level: 'warn', allowLoopback, allowCidrs, msg: expect.stringContaining('private addresses') };
  expect(lines.map((line) => JSON.parse(line))).toEqual(value === 0 ? [] : [expect.objectContaining(warning)]);
});
