import type { TracingConfig } from '#common/config/tracing-variables.ts';
import service from '#package.json' with { type: 'json' };
import type { Log } from '../process/log.ts';
import { setTracer } from '../spans/tracing.ts';

/**
 * Starts the tracing of a process; without a configuration it does nothing. Only then are the packages of OpenTelemetry
 * loaded: without tracing they would cost every process memory and time at its start.
 */
export async function startTracing(
  serviceName: string,
  config: TracingConfig | null,
  log: Log,
): Promise<{ close(): Promise<void> }> {
  if (config === null) return { close: async () => {} };
  const { createTracer } = await import('./otel-tracer.ts');
  const tracer = createTracer(serviceName, service.version, config, log);
  setTracer(tracer);
  return {
    async close() {
      setTracer(null);
      await tracer.close().catch((error: unknown) => log.warn({ cause: String(error) }, 'traces not sent'));
    },
  };
}
