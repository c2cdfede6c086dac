/** The parts of a `traceparent` (W3C Trace Context, version 00). */
export type TraceContext = { traceId: string; spanId: string; traceFlags: number };

const pattern = /^00-(?!0{32})(?<traceId>[0-9a-f]{32})-(?!0{16})(?<spanId>[0-9a-f]{16})-(?<flags>[0-9a-f]{2})$/;

/** Parses a `traceparent`. Returns null for one that is absent, invalid or of another version. */
export function parseTraceparent(text: string | undefined): TraceContext | null {
  const { traceId, spanId, flags } = pattern.exec(text ?? '')?.groups ?? {};
  if (traceId === undefined || spanId === undefined || flags === undefined) return null;
  return { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1 };
}

export function formatTraceparent({ traceId, spanId, traceFlags }: TraceContext): string {
  return `00-${traceId}-${spanId}-${(traceFlags & 1).toString(16).padStart(2, '0')}`;
}
