// Level: unit
import type { SamplerName } from '#common/config/tracing-variables.ts';
import { createLog } from '#common/platform/process/log.ts';
import { formatTraceparent, parseTraceparent } from '#common/platform/spans/traceparent.ts';
import { createTracer } from '#common/platform/tracing/otel-tracer.ts';
import { describe, expect, openOnce, test } from '#test/support/jest.ts';
import { openTraceCollector } from '#test/support/servers/trace-collector.ts';

describe('the sampling of traces', () => {
  const collector = openOnce(openTraceCollector);
  const log = createLog('test', 'silent');
  const internal = { kind: 'internal' } as const;

  function openTracer(sampler: SamplerName, samplerRatio = 1) {
    const config = { endpoint: collector.url, headers: {}, resourceAttributes: {}, sampler, samplerRatio };
    return createTracer('test', '1.0.0', config, log, 30_000);
  }
  const namesWith = (prefix: string) =>
    collector.spans.flatMap(({ name }) => (name.startsWith(prefix) ? [name] : [])).sort();

  test.each<[sampler: SamplerName, ratio: number, isKept: boolean]>([
    ['always_on', 0, true],
    ['always_off', 1, false],
    ['traceidratio', 1, true],
    ['parentbased_always_on', 0, true],
    ['parentbased_always_off', 1, false],
    ['parentbased_traceidratio', 0, false],
    ['parentbased_traceidratio', 1, true],
  ])('%s with %d decides for a new trace, and another process keeps to it', async (sampler, ratio, isKept) => {
    const prefix = `${sampler} ${ratio}`;
    const [first, second] = [openTracer(sampler, ratio), openTracer('parentbased_always_on')];
    const request = first.start(`${prefix}: request`, { ...internal, parent: 'none' });
    request.end();
    second.start(`${prefix}: work`, { ...internal, parent: request.traceparent }).end();
    await Promise.all([first.close(), second.close()]);
    expect(request.traceparent).toMatch(isKept ? /-01$/ : /-00$/);
    expect(namesWith(prefix)).toEqual(isKept ? [`${prefix}: request`, `${prefix}: work`] : []);
  });

  test.each([
    [undefined],
    [''],
    ['none'],
    [`00-${'0'.repeat(32)}-${'b'.repeat(16)}-01`],
    [`00-${'a'.repeat(32)}-${'0'.repeat(16)}-01`],
    [`00-${'A'.repeat(32)}-${'b'.repeat(16)}-01`],
    [`01-${'a'.repeat(32)}-${'b'.repeat(16)}-01`],
    [`00-${'a'.repeat(32)}-${'b'.repeat(16)}-01-more`],
  ])('a traceparent %j is none', (text) => {
    expect(parseTraceparent(text)).toBeNull();
  });

  test('a traceparent is written as it was read, without flags that are not defined', () => {
    const context = parseTraceparent(`00-${'a'.repeat(32)}-${'b'.repeat(16)}-ff`);
    expect(context && formatTraceparent(context)).toBe(`00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`);
  });
});
