// Level: ci
import { expect, test } from '#test/support/jest.ts';
import { startNode } from '#test/support/processes/process-control.ts';
import { root } from '#test/support/project/markdown.ts';

/** Loads what both processes load, and prints the packages of OpenTelemetry among it. */
const program = `
import { registerHooks } from 'node:module';
const found = new Set();
registerHooks({
  load(url, context, nextLoad) {
    const [, name] = /node_modules\\/(@opentelemetry\\/[^/]+)/.exec(url) ?? [];
    // The interfaces, which another package has always loaded.
    if (name && name !== '@opentelemetry/api') found.add(name);
    return nextLoad(url, context);
  },
});
const { startTracing } = await import('#common/platform/tracing/start-tracing.ts');
await import('#api/compose-api.ts');
await import('#workers/process/start-workers.ts');
await startTracing('test', null, {});
process.stdout.write('without: ' + [...found]);
await startTracing('test', {
  endpoint: 'http://127.0.0.1:1',
  headers: {},
  resourceAttributes: {},
  sampler: 'always_off',
  samplerRatio: 1,
}, {});
process.stdout.write(', with: ' + found.has('@opentelemetry/sdk-trace'));
`;

test('without OTEL_EXPORTER_OTLP_ENDPOINT no package of OpenTelemetry is loaded', async () => {
  const node = startNode(['--input-type=module', '--eval', program], { cwd: root });
  expect([await node.ended, node.standardOutput()]).toEqual([0, 'without: , with: true']);
});
