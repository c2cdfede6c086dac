import { z } from 'zod';

const highestPort = 65_535;
/** The metrics port, when it is not set, is this much above the API's. */
const metricsPortOffset = 6_464;

function wholeNumber(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`;
  return z.coerce.number<string>({ error: message }).int(message).min(min, message).max(max, message);
}

const port = wholeNumber(0, highestPort);
const seconds = wholeNumber(1, 1_000_000);
const count = wholeNumber(1, 1_000_000);
const address = z.url({
  protocol: /^https?$/,
  error: ({ input }) => (input === undefined ? undefined : 'must be an address that starts with http:// or https://'),
});
const network = z.union([z.cidrv4(), z.cidrv6()], { error: 'write networks like 10.20.0.0/16 or fd00:1::/64' });
const flag = z.enum(['true', 'false']).transform((text) => text === 'true');
/** `a, b ,c` as a list; empty entries are dropped, so an empty variable is an empty list. */
const list = z.string().transform((text) =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== ''),
);

/** The queues' workers that `WORKERS` may name; all of them when it is absent. */
export const workerNames = ['fan-out', 'webhook-delivery', 'render', 'lifecycle', 'cleanup', 'scanner'] as const;
export type WorkerName = (typeof workerNames)[number];

const Variables = z.object({
  NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  DATA_DIR: z.string().min(1).default('.data'),

  PORT: port.default(3000),
  WEB_PORT: port.optional(),
  // One below the highest: the workers' is the next one.
  METRICS_PORT: wholeNumber(0, highestPort - 1).optional(),
  BASE_URL: address.optional(),
  AUTH_URL: address.optional(),
  TRUST_PROXY: wholeNumber(0, 10).default(0),

  MONGODB_URI: z.string().regex(/^mongodb(\+srv)?:\/\//, 'must start with mongodb:// or mongodb+srv://'),
  REDIS_URL: z.string().regex(/^rediss?:\/\//, 'must start with redis:// or rediss://'),
  QUEUE_PREFIX: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/, 'takes a to z, 0 to 9 and dashes')
    .default('bluejay'),

  S3_ENDPOINT: address,
  S3_PUBLIC_ENDPOINT: address.optional(),
  S3_BUCKET: z
    .string()
    .regex(/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/, 'has 3 to 63 characters: a to z, 0 to 9, dots and dashes')
    .default('bluejay'),
  S3_REGION: z.string().min(1).default('us-east-1'),
  S3_ACCESS_KEY_ID: z.string().min(1),
  S3_SECRET_ACCESS_KEY: z.string().min(1),

  ENCRYPTION_KEYS: list.pipe(
    z
      .array(z.string().regex(/^[A-Za-z0-9_-]+:[A-Za-z0-9+/]{43}=$/, 'each is id:base64 of 32 bytes'))
      .min(1, 'at least one key is needed; make one with: echo "k1:$(openssl rand -base64 32)"')
      .refine((keys) => new Set(keys.map(keyIdOf)).size === keys.length, 'each key needs an id of its own'),
  ),

  RATE_LIMIT_READ_PER_MINUTE: count.default(120),
  RATE_LIMIT_WRITE_PER_MINUTE: count.default(60),
  RATE_LIMIT_BURST: count.default(30),
  RATE_LIMIT_OAUTH_CLIENT_PER_MINUTE: count.default(60),
  RATE_LIMIT_OAUTH_ADDRESS_PER_MINUTE: count.default(120),

  MAX_ACTIVE_WEBHOOKS: wholeNumber(1, 200).default(100),

  SANDBOX_STEP_DELAY_S: seconds.default(10),
  SANDBOX_PAUSE_S: seconds.default(600),

  WEBHOOK_ALLOW_LOOPBACK: flag.default(false),
  WEBHOOK_ALLOW_CIDRS: list.pipe(z.array(network)).default([]),
  WEBHOOK_PORTS: list.pipe(z.array(port)).default([443, 8443]),

  WORK_LEASE_S: wholeNumber(2, 300).default(30),
  WORKERS: list.pipe(z.array(z.enum(workerNames))).default([...workerNames]),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, 'must start with smtp:// or smtps://')
    .optional(),
  MAIL_FROM: z
    .string()
    .regex(/^(?:[^<>@]*<[^<>@\s]+@[^<>@\s]+>|[^<>@\s]+@[^<>@\s]+)$/, 'write it like Bluejay <post@example.com>')
    .optional(),
});

/** Ports that follow from `PORT` must exist as well. */
const Environment = Variables.check(({ value, issues }) => {
  const { PORT, WEB_PORT, METRICS_PORT } = value;
  const report = (name: keyof typeof value, message: string) =>
    issues.push({ code: 'custom', input: PORT, path: [name], message });
  if (WEB_PORT === undefined && PORT === highestPort) report('WEB_PORT', 'set it, since PORT + 1 is no port');
  if (METRICS_PORT === undefined && PORT <= highestPort && PORT + metricsPortOffset >= highestPort) {
    report('METRICS_PORT', `set it, since PORT + ${metricsPortOffset} is no port`);
  }
});

function keyIdOf(key: string): string {
  return key.slice(0, key.indexOf(':'));
}

/** The names of all variables that the product reads; `.env.example` lists the same. */
export const environmentNames = Object.keys(Variables.shape);

export type Config = ReturnType<typeof readConfig>;

/**
 * Reads the whole configuration, once, at an entry point; nothing else looks at the environment.
 * An empty variable counts as absent. Throws one error that names every bad variable.
 */
export function readConfig(environment: Record<string, string | undefined>) {
  const present = Object.entries(environment).filter(([, value]) => value !== undefined && value.trim() !== '');
  const parsed = Environment.safeParse(Object.fromEntries(present));
  // All problems at once: mending a deployment one variable per restart is misery.
  if (!parsed.success) throw new ConfigError(parsed.error);
  const env = parsed.data;
  const webPort = env.WEB_PORT ?? (env.PORT === 0 ? 0 : env.PORT + 1);
  const authUrl = (env.AUTH_URL ?? `http://localhost:${webPort}`).replace(/\/+$/, '');

  return Object.freeze({
    isProduction: env.NODE_ENV === 'production',
    logLevel: env.LOG_LEVEL,
    dataDir: env.DATA_DIR,
    http: {
      port: env.PORT,
      webPort,
      metricsPort: env.METRICS_PORT ?? (env.PORT === 0 ? 0 : env.PORT + metricsPortOffset),
      baseUrl: (env.BASE_URL ?? `http://localhost:${env.PORT}`).replace(/\/+$/, ''),
      authUrl,
      trustedProxyHops: env.TRUST_PROXY,
    },
    mongo: { url: env.MONGODB_URI },
    redis: { url: env.REDIS_URL, queuePrefix: env.QUEUE_PREFIX },
    s3: {
      endpoint: env.S3_ENDPOINT,
      publicEndpoint: env.S3_PUBLIC_ENDPOINT ?? env.S3_ENDPOINT,
      bucket: env.S3_BUCKET,
      region: env.S3_REGION,
      accessKeyId: env.S3_ACCESS_KEY_ID,
      secretAccessKey: env.S3_SECRET_ACCESS_KEY,
    },
    encryptionKeys: env.ENCRYPTION_KEYS,
    rateLimits: {
      readsPerMinute: env.RATE_LIMIT_READ_PER_MINUTE,
      writesPerMinute: env.RATE_LIMIT_WRITE_PER_MINUTE,
      burst: env.RATE_LIMIT_BURST,
      oauthPerClient: env.RATE_LIMIT_OAUTH_CLIENT_PER_MINUTE,
      oauthPerAddress: env.RATE_LIMIT_OAUTH_ADDRESS_PER_MINUTE,
    },
    sandbox: { stepDelayS: env.SANDBOX_STEP_DELAY_S, pauseS: env.SANDBOX_PAUSE_S },
    webhooks: {
      allowLoopback: env.WEBHOOK_ALLOW_LOOPBACK,
      allowCidrs: env.WEBHOOK_ALLOW_CIDRS,
      ports: env.WEBHOOK_PORTS,
      maxActive: env.MAX_ACTIVE_WEBHOOKS,
    },
    workers: env.WORKERS,
    workLeaseS: env.WORK_LEASE_S,
    mail: { smtpUrl: env.SMTP_URL, from: env.MAIL_FROM ?? `Bluejay <no-reply@${new URL(authUrl).hostname}>` },
  });
}

/** The environment does not fit; the message is meant for the operator, one line a variable. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(error: z.ZodError) {
    const lines = error.issues.map(({ path, message, code }) => {
      const name = String(path[0] ?? '?');
      const isMissing = code === 'invalid_type' && message.includes('undefined');
      return `  ${name}: ${isMissing ? 'is missing' : message}`;
    });
    super(`The environment does not fit:\n${lines.join('\n')}\nEvery variable is explained in .env.example.`);
  }
}
