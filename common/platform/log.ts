import { type Logger, pino } from 'pino';

export type Log = Logger;

/** Fields that must never reach a log line, wherever they stand: secrets, and who a letter goes to. */
const secretFields = [
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
];

const redactedPaths = secretFields.flatMap((field) => {
  const key = /^[a-z0-9]+$/i.test(field) ? field : `["${field}"]`;
  const nested = key.startsWith('[') ? key : `.${key}`;
  return [key, `*${nested}`, `*.*${nested}`, `*.*.*${nested}`];
});

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
    redact: { paths: redactedPaths, censor: '[redacted]' },
    base: { pid: process.pid },
    serializers: { err: (error) => serializeError(error) },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
  });
}
