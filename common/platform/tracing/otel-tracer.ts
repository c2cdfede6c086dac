import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import {
  type Context,
  type DiagLogger,
  diag,
  type Span as OtelSpan,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { TracingConfig } from '#common/config/tracing-variables.ts';
import { withTimeout } from '../concurrency/with-timeout.ts';
import type { Log } from '../process/log.ts';
import type { Span, SpanEnd, Tracer } from '../spans/span.ts';
import { formatTraceparent, parseTraceparent, type TraceContext } from '../spans/traceparent.ts';

/** Of the 28 s of a shutdown. A collector that does not answer must not use up the rest. */
const flushTimeoutMs = 2_000;
const warnIntervalMs = 60_000;

const kinds = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
} as const;

/**
 * Creates the tracer of a process. Spans are sent in the background; while the collector is away, they are dropped. Tests
 * change `flushMs`, how long `close` waits for the last spans.
 */
export function createTracer(
  serviceName: string,
  version: string,
  config: TracingConfig,
  log: Log,
  flushMs = flushTimeoutMs,
): Tracer {
  diag.setLogger(createThrottledLogger(log), { suppressOverrideMessage: true });
  const exporter = new OTLPTraceExporter({
    url: `${config.endpoint.replace(/\/+$/, '')}/v1/traces`,
    headers: config.headers,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': serviceName,
      'service.version': version,
      'service.instance.id': randomUUID(),
      ...config.resourceAttributes,
    }),
    sampler: samplerOf(config),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  });
  const otel = provider.getTracer('bluejay', version);
  const active = new AsyncLocalStorage<TracedSpan | null>();

  return {
    start(name, options) {
      const current = active.getStore();
      const { kind, parent, links = [], attributes, startedAt } = options;
      const stored = parseTraceparent(parent);
      const isOwnTrace = parent === 'none' || stored !== null;
      const related = [...links.map(parseTraceparent), isOwnTrace ? current?.context : null];
      const started = otel.startSpan(
        name,
        {
          kind: kinds[kind],
          links: related.flatMap((context) => (context ? [{ context }] : [])),
          ...(attributes && { attributes }),
          ...(startedAt && { startTime: startedAt }),
        },
        stored ? remoteContext(stored) : isOwnTrace || !current ? ROOT_CONTEXT : current.asParent(),
      );
      return new TracedSpan(started);
    },
    runIn: (span, work) => (span instanceof TracedSpan ? active.run(span, work) : work()),
    runOutside: (work) => active.run(null, work),
    activeIds() {
      const context = active.getStore()?.context;
      return context ? { trace_id: context.traceId, span_id: context.spanId } : {};
    },
    activeTraceparent: () => active.getStore()?.traceparent,
    close: () => withTimeout(provider.shutdown(), flushMs, () => log.warn('traces not sent, no time left')),
  };
}

class TracedSpan implements Span {
  readonly context: TraceContext;
  readonly #span: OtelSpan;

  constructor(span: OtelSpan) {
    this.#span = span;
    this.context = span.spanContext();
  }

  get traceparent(): string {
    return formatTraceparent(this.context);
  }

  asParent(): Context {
    return trace.setSpan(ROOT_CONTEXT, this.#span);
  }

  end({ name, attributes, error }: SpanEnd = {}): void {
    if (name !== undefined) this.#span.updateName(name);
    if (attributes) this.#span.setAttributes(attributes);
    if (error !== undefined) {
      this.#span.setAttribute('error.type', error).setStatus({ code: SpanStatusCode.ERROR });
    }
    this.#span.end();
  }
}

function remoteContext(context: TraceContext): Context {
  return trace.setSpanContext(ROOT_CONTEXT, { ...context, isRemote: true });
}

function samplerOf({ sampler, samplerRatio }: TracingConfig): Sampler {
  const roots = {
    always_on: () => new AlwaysOnSampler(),
    always_off: () => new AlwaysOffSampler(),
    traceidratio: () => new TraceIdRatioBasedSampler(samplerRatio),
  } as const;
  const root = roots[sampler.replace('parentbased_', '') as keyof typeof roots]();
  return sampler.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
}

/** Logs at most one warning a minute that spans were not sent. Cuts its cause at 200 characters: it may quote spans. */
function createThrottledLogger(log: Log): DiagLogger {
  let warnedMs = Number.NEGATIVE_INFINITY;
  const warn = (message: string) => {
    if (performance.now() - warnedMs < warnIntervalMs) return;
    warnedMs = performance.now();
    log.warn({ cause: message.slice(0, 200) }, 'traces not sent');
  };
  const ignore = () => {};
  return { error: warn, warn, info: ignore, debug: ignore, verbose: ignore };
}
