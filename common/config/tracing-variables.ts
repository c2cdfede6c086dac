import { z } from 'zod';

/** Which traces are kept: see OTEL_TRACES_SAMPLER in the OpenTelemetry specification. */
export const samplerNames = [
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;
export type SamplerName = (typeof samplerNames)[number];

/** Parses `name=value,name=value`, with percent-encoding as the OpenTelemetry specification allows. */
export const NamedValues = z.string().transform((text, { issues }): Record<string, string> => {
  const entries = text.split(',').filter((entry) => entry.trim() !== '');
  const pairs = entries.map((entry) => /^\s*(?<name>[^=\s]+)\s*=\s*(?<value>.*?)\s*$/.exec(entry)?.groups);
  try {
    return Object.fromEntries(
      pairs.map((pair) => [decodeURIComponent(pair?.name ?? '%'), decodeURIComponent(pair?.value ?? '%')]),
    );
  } catch {
    // The values may be secrets.
    issues.push({ code: 'custom', input: undefined, message: 'must be pairs like name=value,name=value' });
    return {};
  }
});

const ratioMessage = 'must be a number from 0 to 1';

/** The variables of tracing. Without an endpoint there are no traces. */
export const tracingVariables = {
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/, error: 'must start with http:// or https://' }).optional(),
  OTEL_EXPORTER_OTLP_HEADERS: NamedValues.prefault(''),
  OTEL_RESOURCE_ATTRIBUTES: NamedValues.prefault(''),
  OTEL_TRACES_SAMPLER: z.enum(samplerNames).default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number<string>({ error: ratioMessage })
    .min(0, ratioMessage)
    .max(1, ratioMessage)
    .default(1),
};
const Parsed = z.object(tracingVariables);

/** Where and which traces are sent. */
export type TracingConfig = {
  /** The base URL of a collector, which takes OTLP over HTTP at `/v1/traces` below it. */
  endpoint: string;
  headers: Readonly<Record<string, string>>;
  resourceAttributes: Readonly<Record<string, string>>;
  sampler: SamplerName;
  /** The share of traces that a `traceidratio` keeps, 0 to 1. */
  samplerRatio: number;
};

/** Returns null when no traces are sent. */
export function toTracingConfig(env: z.infer<typeof Parsed>): TracingConfig | null {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = env;
  if (endpoint === undefined) return null;
  return {
    endpoint,
    headers: env.OTEL_EXPORTER_OTLP_HEADERS,
    resourceAttributes: env.OTEL_RESOURCE_ATTRIBUTES,
    sampler: env.OTEL_TRACES_SAMPLER,
    samplerRatio: env.OTEL_TRACES_SAMPLER_ARG,
  };
}
