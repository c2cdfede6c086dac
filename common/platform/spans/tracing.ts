import type { Span, SpanOptions, Tracer } from './span.ts';

const noSpan: Span = { traceparent: undefined, end() {} };

/**
 * The tracer of this process; null without tracing. Like the API of OpenTelemetry, which this wraps so that its SDK is
 * loaded only when it is used, it is global: a span may begin in any layer.
 */
let tracer: Tracer | null = null;

/** Sets or removes the tracer of this process. */
export function setTracer(next: Tracer | null): void {
  tracer = next;
}

/** Returns whether spans are recorded, for callers whose attributes cost something. */
export const isTracing = (): boolean => tracer !== null;

export function startSpan(name: string, options: SpanOptions): Span {
  return tracer === null ? noSpan : tracer.start(name, options);
}

/** Runs work with a span as the active one, also in what it awaits. */
export function runIn<T>(span: Span, work: () => T): T {
  return tracer === null ? work() : tracer.runIn(span, work);
}

/**
 * Runs work of several callers, such as a batch, without the span of the one that happened to start it. Else the spans
 * and log lines of the others would be in its trace.
 */
export function runOutsideSpans<T>(work: () => T): T {
  return tracer === null ? work() : tracer.runOutside(work);
}

/** Runs work in a span of its own, which ends with it. */
export async function inSpan<T>(name: string, options: SpanOptions, work: (span: Span) => Promise<T>): Promise<T> {
  if (tracer === null) return await work(noSpan);
  const span = tracer.start(name, options);
  try {
    const result = await tracer.runIn(span, () => work(span));
    span.end();
    return result;
  } catch (error) {
    span.end({ error: errorClassOf(error) });
    throw error;
  }
}

/** Returns the fields that each line of the log gets: the ids of the active span. */
export function traceFields(): { trace_id?: string; span_id?: string } {
  return tracer?.activeIds() ?? {};
}

/** Returns the context of the active span. */
export function activeTraceparent(): string | undefined {
  return tracer?.activeTraceparent();
}

/** Returns the code or name of an error, for `end` of a span. Codes of libraries may be texts that quote their input. */
export function errorClassOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  const isClass = (value: unknown) =>
    typeof value === 'number' || (typeof value === 'string' && /^[\w.]{1,64}$/.test(value));
  return String([code, name].find(isClass) ?? 'unknown');
}
