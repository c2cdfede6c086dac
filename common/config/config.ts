import { ConfigError } from './config-error.ts';
import { readSecretFiles, secretFileNames } from './secret-files.ts';
import { sentinelGroupOf } from './sentinels.ts';
import { toTracingConfig } from './tracing-variables.ts';
import { bytesPerGb, Environment, metricsPortOffset, Variables } from './variables.ts';

/** The names of all variables the product reads. `.env.example` lists the same names. */
export const environmentNames = [...Object.keys(Variables.shape), ...secretFileNames];

export type Config = ReturnType<typeof readConfig>;

/**
 * Parses the whole configuration. Entry points call it once; no other code reads the environment. An empty variable
 * counts as absent. Throws one ConfigError that names every invalid variable.
 */
export function readConfig(environment: Record<string, string | undefined>) {
  const { environment: present, problems } = readSecretFiles(environment);
  const parsed = Environment.safeParse(present);
  // All problems in one error: fixing one variable per restart is slow.
  if (!parsed.success || problems.length > 0) throw new ConfigError(parsed.error?.issues ?? [], problems);
  const env = parsed.data;
  const webPort = env.WEB_PORT ?? (env.PORT === 0 ? 0 : env.PORT + 1);
  const authUrl = (env.AUTH_URL ?? `http://localhost:${webPort}`).replace(/\/+$/, '');

  const isProduction = env.NODE_ENV === 'production';

  return Object.freeze({
    isProduction,
    logLevel: env.LOG_LEVEL,
    dataDir: env.DATA_DIR,
    http: {
      port: env.PORT,
      webPort,
      metricsPort: env.METRICS_PORT ?? (env.PORT === 0 ? 0 : env.PORT + metricsPortOffset),
      baseUrl: (env.BASE_URL ?? `http://localhost:${env.PORT}`).replace(/\/+$/, ''),
      authUrl,
      trustedProxyHops: env.TRUST_PROXY,
      /** Undefined listens on all addresses of the machine. */
      host: env.LISTEN_HOST,
      metricsHost: env.METRICS_HOST ?? env.LISTEN_HOST,
    },
    mongo: { url: env.MONGODB_URI, poolSize: env.MONGODB_POOL_SIZE },
    redis: { url: env.REDIS_URL, sentinel: sentinelGroupOf(env), queuePrefix: env.QUEUE_PREFIX },
    s3: {
      endpoint: env.S3_ENDPOINT,
      publicEndpoint: env.S3_PUBLIC_ENDPOINT ?? env.S3_ENDPOINT,
      bucket: env.S3_BUCKET,
      region: env.S3_REGION,
      accessKeyId: env.S3_ACCESS_KEY_ID,
      secretAccessKey: env.S3_SECRET_ACCESS_KEY,
      sessionToken: env.S3_SESSION_TOKEN,
      forcePathStyle: env.S3_FORCE_PATH_STYLE,
    },
    encryptionKeys: env.ENCRYPTION_KEYS,
    rateLimits: {
      readsPerMinute: env.RATE_LIMIT_READ_PER_MINUTE,
      writesPerMinute: env.RATE_LIMIT_WRITE_PER_MINUTE,
      burst: env.RATE_LIMIT_BURST,
      organizationFactor: env.RATE_LIMIT_ORGANIZATION_FACTOR,
      failedAuthenticationsPerMinute: env.RATE_LIMIT_FAILED_AUTHENTICATIONS_PER_MINUTE,
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
    maxStoredBytes: { test: env.MAX_STORED_TEST_GB * bytesPerGb, live: env.MAX_STORED_LIVE_GB * bytesPerGb },
    oauth: { publicClientHosts: env.OAUTH_PUBLIC_CLIENTS },
    // On a developer's machine no load balancer waits for it.
    drainDelayS: env.DRAIN_DELAY_S ?? (isProduction ? 5 : 0),
    workers: env.WORKERS,
    workLeaseS: env.WORK_LEASE_S,
    concurrency: { renderSlots: env.RENDER_SLOTS, webhookSlots: env.WEBHOOK_SLOTS },
    allowMissingFences: env.ALLOW_MISSING_FENCES,
    envelopeWindow: env.ENVELOPE_WINDOW,
    documentProcessSharing: env.DOCUMENT_PROCESS_SHARING,
    cutoffs: { timeOf: env.CUTOFF_TIMES, leadMinutes: env.PRODUCTION_LEAD_MINUTES },
    retention: { documentDays: env.RETENTION_DOCUMENT_DAYS, addressDays: env.RETENTION_ADDRESS_DAYS ?? null },
    print: { rules: env.PRINT_PROVIDERS, hotFolder: env.HOT_FOLDER ?? null, cupsPrinter: env.CUPS_PRINTER ?? null },
    paperLanguage: env.PAPER_LANGUAGE,
    carrierFolder: env.CARRIER_FOLDER ?? null,
    tracing: toTracingConfig(env),
    mail: { smtpUrl: env.SMTP_URL, from: env.MAIL_FROM ?? `Bluejay <no-reply@${new URL(authUrl).hostname}>` },
  });
}

/**
 * Returns the environment with secrets read from the files that name them and without empty variables, for commands
 * that complete it before `readConfig`. Throws ConfigError for a file that is empty or cannot be read.
 */
export function readSecrets(given: Record<string, string | undefined>): Record<string, string> {
  const { environment, problems } = readSecretFiles(given);
  if (problems.length > 0) throw new ConfigError([], problems);
  return environment;
}
