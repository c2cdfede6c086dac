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

/** The process's logger: one JSON line a record on standard output, named after the process. */
export function createLog(name: string, level: string): Log {
  return pino({
    name,
    level,
    redact: { paths: redactedPaths, censor: '[redacted]' },
    base: { pid: process.pid },
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
  });
}
