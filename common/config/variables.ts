import { z } from 'zod';
import { languages } from '../languages.ts';
import { CutoffTimes, PrintRules } from '../services.ts';
import { missing } from './config-error.ts';
import { findSentinelProblem, SentinelAddress } from './sentinels.ts';
import { tracingVariables } from './tracing-variables.ts';

const highestPort = 65_535;
/** The default metrics port is the API port plus this. */
export const metricsPortOffset = 6_464;

function wholeNumber(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`;
  return z.coerce.number<string>({ error: message }).int(message).min(min, message).max(max, message);
}

const port = wholeNumber(0, highestPort);
const seconds = wholeNumber(1, 1_000_000);
const count = wholeNumber(1, 1_000_000);
const address = z.url({
  protocol: /^https?$/,
  error: ({ input }) => (input === undefined ? undefined : 'must start with http:// or https://'),
});
const network = z.union([z.cidrv4(), z.cidrv6()], { error: 'must be networks like 10.20.0.0/16 or fd00:1::/64' });
const ipAddress = z.union([z.ipv4(), z.ipv6()], { error: 'must be an IP address like 127.0.0.1 or ::' });
const flag = z.enum(['true', 'false']).transform((text) => text === 'true');
const clientHost = z.string().regex(/^(?!(any|none)$)[a-z0-9-]+(\.[a-z0-9-]+)*(:\d{1,5})?$/);
/** Parses `a, b ,c`. Empty entries are dropped, so an empty variable is an empty list. */
const list = z.string().transform((text) =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== ''),
);

/** Null for `any`. */
const clientHosts = z.union(
  [
    z.literal('any').transform(() => null),
    z.literal('none').transform((): string[] => []),
    list.pipe(z.array(clientHost).min(1)),
  ],
  { error: 'must be any, none, or hosts like agent.example,tools.example:8443' },
);

/** Of MAX_STORED_TEST_GB and its like. */
export const bytesPerGb = 1_000_000_000;

/** The workers that `WORKERS` may name; all of them run when it is absent. */
export const workerNames = [
  'fan-out',
  'webhook-delivery',
  'render',
  'production',
  'lifecycle',
  'cleanup',
  'scanner',
] as const;
export type WorkerName = (typeof workerNames)[number];

/** The fences around processes that open documents. ALLOW_MISSING_FENCES names those that a system may lack. */
export const fenceNames = ['network', 'environment', 'memory', 'permissions'] as const;
export type FenceName = (typeof fenceNames)[number];

/** Which files a process that opens documents may open: of anyone, of one organization, or one file only. */
export const documentSharing = ['everyone', 'organization', 'none'] as const;

/** Where the envelopes for letters without registration have their window. */
export const envelopeWindows = ['left', 'right'] as const;
export type EnvelopeWindow = (typeof envelopeWindows)[number];

export const Variables = z.object({
  NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  DATA_DIR: z.string().min(1).default('.data'),

  PORT: port.default(3000),
  WEB_PORT: port.optional(),
  // One below the highest port, because the workers' metrics use the next one.
  METRICS_PORT: wholeNumber(0, highestPort - 1).optional(),
  LISTEN_HOST: ipAddress.optional(),
  METRICS_HOST: ipAddress.optional(),
  BASE_URL: address.optional(),
  AUTH_URL: address.optional(),
  TRUST_PROXY: wholeNumber(0, 10).default(0),

  MONGODB_URI: z.string().regex(/^mongodb(\+srv)?:\/\//, 'must start with mongodb:// or mongodb+srv://'),
  MONGODB_POOL_SIZE: wholeNumber(10, 500).default(50),
  REDIS_URL: z.string().regex(/^rediss?:\/\//, 'must start with redis:// or rediss://'),
  REDIS_SENTINELS: list.pipe(z.array(SentinelAddress)).default([]),
  REDIS_SENTINEL_NAME: z.string().regex(/^\S+$/, 'must not contain spaces').optional(),
  REDIS_SENTINEL_PASSWORD: z.string().min(1).optional(),
  QUEUE_PREFIX: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/, 'must have 1 to 40 characters: a to z, 0 to 9 and dashes')
    .default('bluejay'),

  S3_ENDPOINT: address,
  S3_PUBLIC_ENDPOINT: address.optional(),
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'must have 3 to 63 characters: a to z, 0 to 9, dots and dashes')
    .default('bluejay'),
  S3_REGION: z.string().min(1).default('us-east-1'),
  S3_ACCESS_KEY_ID: z.string().min(1),
  S3_SECRET_ACCESS_KEY: z.string().min(1),
  S3_SESSION_TOKEN: z.string().min(1).optional(),
  S3_FORCE_PATH_STYLE: flag.default(true),

  ENCRYPTION_KEYS: list
    .pipe(
      z
        .array(z.string().regex(/^[A-Za-z0-9_-]+:[A-Za-z0-9+/]{43}=$/, 'each key must be id:base64 of 32 bytes'))
        .min(1, 'needs at least one key; create one with: echo "k1:$(openssl rand -base64 32)"')
        .refine((keys) => new Set(keys.map(keyIdOf)).size === keys.length, 'key ids must be unique'),
    )
    .default([]),

  RATE_LIMIT_READ_PER_MINUTE: count.default(120),
  RATE_LIMIT_WRITE_PER_MINUTE: count.default(60),
  RATE_LIMIT_BURST: count.default(30),
  RATE_LIMIT_ORGANIZATION_FACTOR: wholeNumber(1, 1_000).default(10),
  RATE_LIMIT_FAILED_AUTHENTICATIONS_PER_MINUTE: count.default(600),
  RATE_LIMIT_OAUTH_CLIENT_PER_MINUTE: count.default(1200),
  RATE_LIMIT_OAUTH_ADDRESS_PER_MINUTE: count.default(120),

  MAX_ACTIVE_WEBHOOKS: wholeNumber(1, 200).default(100),
  MAX_STORED_TEST_GB: count.default(50),
  MAX_STORED_LIVE_GB: count.default(1_000),

  SANDBOX_STEP_DELAY_S: seconds.default(10),
  SANDBOX_PAUSE_S: seconds.default(600),

  WEBHOOK_ALLOW_LOOPBACK: flag.default(false),
  WEBHOOK_ALLOW_CIDRS: list.pipe(z.array(network)).default([]),
  WEBHOOK_PORTS: list.pipe(z.array(port)).default([443, 8443]),

  OAUTH_PUBLIC_CLIENTS: clientHosts.default(null),

  DRAIN_DELAY_S: wholeNumber(0, 20).optional(),
  WORK_LEASE_S: wholeNumber(2, 300).default(30),
  RENDER_SLOTS: wholeNumber(1, 64).default(2),
  WEBHOOK_SLOTS: wholeNumber(4, 1_000).default(64),
  WORKERS: list.pipe(z.array(z.enum(workerNames))).default([...workerNames]),
  ALLOW_MISSING_FENCES: list.pipe(z.array(z.enum(fenceNames))).default([]),
  ENVELOPE_WINDOW: z.enum(envelopeWindows).default('left'),
  DOCUMENT_PROCESS_SHARING: z.enum(documentSharing).default('everyone'),
  CUTOFF_TIMES: list.pipe(CutoffTimes).prefault('15:00'),
  PRODUCTION_LEAD_MINUTES: wholeNumber(0, 1_440).default(90),
  RETENTION_DOCUMENT_DAYS: wholeNumber(1, 3_650).default(30),
  RETENTION_ADDRESS_DAYS: wholeNumber(1, 3_650).optional(),
  PRINT_PROVIDERS: list.pipe(PrintRules).prefault('manual'),
  HOT_FOLDER: z.string().min(1).optional(),
  CUPS_PRINTER: z
    .string()
    .regex(/^ipps?:\/\/[^\s/]+\/\S+$/, 'must look like ipp://host:631/printers/name')
    .optional(),
  PAPER_LANGUAGE: z.enum(languages).default('en'),
  CARRIER_FOLDER: z.string().min(1).optional(),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, 'must start with smtp:// or smtps://')
    .optional(),
  MAIL_FROM: z
    .string()
    .regex(/^(?:[^<>@]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/, 'must look like Bluejay <post@example.com>')
    .optional(),
  ...tracingVariables,
});

/**
 * Checks that the ports derived from `PORT` exist, that the providers of print and the sentinels have their variables, and
 * that only workers that neither decrypt nor sign lack encryption keys.
 */
export const Environment = Variables.superRefine(
  ({ ENCRYPTION_KEYS, WORKERS }, context) => {
    const isNeeded = !Array.isArray(WORKERS) || WORKERS.includes('webhook-delivery');
    if (isNeeded && Array.isArray(ENCRYPTION_KEYS) && ENCRYPTION_KEYS.length === 0)
      context.addIssue({ code: 'custom', path: ['ENCRYPTION_KEYS'], message: missing });
  },
  { when: () => true },
).check(({ value, issues }) => {
  const { PORT, WEB_PORT, METRICS_PORT } = value;
  const report = (name: keyof typeof value, message: string) =>
    issues.push({ code: 'custom', input: PORT, path: [name], message });
  const sentinelProblem = findSentinelProblem(value);
  if (sentinelProblem) report(...sentinelProblem);
  if (WEB_PORT === undefined && PORT === highestPort)
    report('WEB_PORT', 'set it, because PORT + 1 is above the highest port');
  const uses = (provider: string) => value.PRINT_PROVIDERS.some((rule) => rule.provider === provider);
  if (uses('hot-folder') && value.HOT_FOLDER === undefined)
    report(
      'HOT_FOLDER',
      'set it to the folder that the print system watches, because PRINT_PROVIDERS names hot-folder',
    );
  if (uses('cups') && value.CUPS_PRINTER === undefined)
    report('CUPS_PRINTER', 'set it to the address of the printer, because PRINT_PROVIDERS names cups');
  if (METRICS_PORT === undefined && PORT <= highestPort && PORT + metricsPortOffset >= highestPort) {
    report('METRICS_PORT', `set it, because PORT + ${metricsPortOffset} is above the highest port`);
  }
});

function keyIdOf(key: string): string {
  return key.slice(0, key.indexOf(':'));
}
