// Level: unit
import { createGroupCommit } from '#common/platform/concurrency/group-commit.ts';
import { createLog } from '#common/platform/process/log.ts';
import { createHintBuffer } from '#common/platform/redis/hint-buffer.ts';
import { activeTraceparent, inSpan, setTracer } from '#common/platform/spans/tracing.ts';
import { createTracer } from '#common/platform/tracing/otel-tracer.ts';
import { afterAll, beforeAll, describe, eventually, expect, openOnce, test } from '#test/support/jest.ts';
import { openTraceCollector } from '#test/support/servers/trace-collector.ts';

const log = createLog('test', 'silent');

describe('work that several requests share', () => {
  const collector = openOnce(openTraceCollector);
  beforeAll(() => {
    const kept = { headers: {}, resourceAttributes: {}, sampler: 'always_on', samplerRatio: 1 } as const;
    setTracer(createTracer('test', '0', { endpoint: collector.url, ...kept }, log));
  });
  afterAll(() => setTracer(null));

  const asRequest = <T>(work: () => Promise<T>) => inSpan('request', { kind: 'server' }, work);

  test('a commit is in the trace of none of its requests, an exclusive task in that of its own', async () => {
    const found: (string | undefined)[] = [];
    const group = createGroupCommit<number, number>({
      commit: async (items) => {
        found.push(activeTraceparent());
        return items;
      },
      ...{ bytesOf: () => 1, keyOf: String, concernsAll: () => true, maxItems: () => 10 },
      ...{ maxBytes: 100, maxWaiting: 100, maxWaitMs: 5_000, stallTimeoutMs: 5_000 },
    });
    const [, , tasks] = await Promise.all([
      asRequest(() => group.add(1)),
      asRequest(() => group.add(2)),
      asRequest(async () => [activeTraceparent(), await group.runExclusive(async () => activeTraceparent())]),
    ]);
    expect([...new Set(found)]).toEqual([undefined]);
    expect(tasks).toEqual([expect.any(String), tasks[0]]);
  });

  test('hints are sent in the trace of no request', async () => {
    const found: unknown[] = [];
    const add = async () => void found.push(activeTraceparent());
    const buffer = createHintBuffer<'render'>({ add, maxPerFlush: () => undefined, log });
    await asRequest(async () => buffer.notify('render', ['mail_1']));
    await asRequest(async () => buffer.notify('render', ['mail_2']));
    await eventually(() => expect(found).toEqual([undefined, undefined]));
  });
});

describe('a span of work that failed', () => {
  const collector = openOnce(openTraceCollector);

  test.each([
    [{ code: 11000, name: 'MongoServerError' }, '11000'],
    [{ code: 'ECONNRESET' }, 'ECONNRESET'],
    [{ code: 'no mailbox for ada@example.com', name: 'Error' }, 'Error'],
    [{ code: 'no mailbox for ada@example.com', name: 'of Ada Peeters' }, 'unknown'],
    [undefined, 'unknown'],
  ])('%j has the error %s: a class, never a text', async (error, expected) => {
    const kept = { headers: {}, resourceAttributes: {}, sampler: 'always_on', samplerRatio: 1 } as const;
    const tracer = createTracer('test', '0', { endpoint: collector.url, ...kept }, log, 30_000);
    setTracer(tracer);
    await inSpan('work', { kind: 'internal' }, () => Promise.reject(error)).catch(() => {});
    setTracer(null);
    await tracer.close();
    expect(collector.spans.at(-1)?.attributes).toMatchObject({ 'error.type': expected });
  });
});
