import { type Logger, pino } from 'pino';

export type Log = Logger;

/** Fields that must never reach a log line, wherever they stand: secrets, and who a letter goes to. */
const secretFields: ReadonlySet<string> = new Set([
  'authorization',
  'x-api-key',
  'cookie',
  'set-cookie',
  'idempotency-key',
  'password',
  'secret',
  'token',
  'recipients',
  'recipient',
  'sender',
  'line1',
  'line2',
]);

/** Nothing that is logged on purpose is deeper; this bounds what is not. */
const maxDepth = 5;

/**
 * A copy without the values of secret fields. Pino's own redaction takes patterns, and 30 to 100 µs a line for these.
 * Errors are left to their serializer, which picks what it shows.
 */
function withoutSecrets(fields: Record<string, unknown>, depth = 0): Record<string, unknown> {
  const safe: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    safe[name] = secretFields.has(name) ? '[redacted]' : withoutDeepSecrets(value, depth + 1);
  }
  return safe;
}

function withoutDeepSecrets(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Error || value instanceof Date) return value;
  if (depth >= maxDepth) return '[deeper]';
  if (Array.isArray(value)) return value.map((entry) => withoutDeepSecrets(entry, depth + 1));
  return withoutSecrets(value as Record<string, unknown>, depth);
}

/** As much of an error as helps, and none of the fields that libraries hang on theirs: those hold whole documents. */
function serializeError(error: unknown, depth = 0): Record<string, unknown> {
  if (!(error instanceof Error)) return { message: withoutValues(String(error)) };
  const { name, message, stack, cause } = error;
  const { code } = error as { code?: unknown };
  return {
    type: name,
    message: withoutValues(message),
    ...(code !== undefined && { code }),
    stack: withoutValues(stack ?? ''),
    ...(cause !== undefined && depth < maxCauses && { cause: serializeError(cause, depth + 1) }),
  };
}

const maxCauses = 5;

/** The database quotes the values of a unique index that refused a row. */
function withoutValues(text: string): string {
  return text.replaceAll(/dup key: \{[^}]*\}/g, 'dup key: {…}');
}

/** The process's logger: one JSON line a record on standard output, named after the process. */
export function createLog(name: string, level: string): Log {
  return pino({
    name,
    level,
    base: { pid: process.pid },
    serializers: { err: (error) => serializeError(error) },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: {
      level: (label) => ({ level: label }),
      bindings: (bindings) => withoutSecrets(bindings),
      log: (fields) => withoutSecrets(fields),
    },
  });
}
