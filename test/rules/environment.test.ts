import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { ConfigError, environmentNames, readConfig, workerNames } from '../../common/config.ts';

const exampleText = readFileSync(join(import.meta.dirname, '../../.env.example'), 'utf8');

/** Every line of the example that sets a variable, commented out or not. */
const exampleLines = exampleText.split('\n').flatMap((line, index) => {
  const found = /^(?<off>#?)(?<name>[A-Z][A-Z0-9_]*)=(?<value>.*)$/.exec(line)?.groups;
  return found ? [{ index, isSet: found.off === '', name: found.name ?? '', value: found.value ?? '' }] : [];
});

const key = (id: string, letter: string) => `${id}:${letter.repeat(43)}=`;
const required = {
  MONGODB_URI: 'mongodb://127.0.0.1:27017/bluejay',
  REDIS_URL: 'redis://127.0.0.1:6379',
  S3_ENDPOINT: 'http://127.0.0.1:7070',
  S3_ACCESS_KEY_ID: 'key',
  S3_SECRET_ACCESS_KEY: 'secret',
  ENCRYPTION_KEYS: key('k1', 'A'),
};

/** The names of the variables that the reader complains about, in order. */
function problemsOf(environment: Record<string, string | undefined>): string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return [...(error as Error).message.matchAll(/^ {2}([A-Z0-9_]+): /gm)].map(([, name]) => name ?? '');
  }
}

describe('.env.example', () => {
  test('given the schema of the environment, when the example is read, then it has every variable once', () => {
    expect(exampleLines.map(({ name }) => name).sort()).toEqual([...environmentNames].sort());
  });

  test('given a variable of the example, when somebody looks it up, then a comment stands above it', () => {
    const lines = exampleText.split('\n');
    for (const { index, name } of exampleLines) {
      const above = lines.slice(0, index).reverse();
      const comments = above.slice(0, above.indexOf('')).filter((line) => /^# \S/.test(line));
      expect([name, comments.join(' ').length > 20]).toEqual([name, true]);
    }
  });

  test('given the example as it stands, when it is used, then only the secrets are missing', () => {
    const set = Object.fromEntries(exampleLines.filter(({ isSet }) => isSet).map(({ name, value }) => [name, value]));
    expect(problemsOf(set)).toEqual(['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY', 'ENCRYPTION_KEYS']);
    expect(Object.keys(set).sort()).toEqual(Object.keys(required).sort());
  });

  test('given the values that are commented out, when all are set, then nothing differs from the defaults', () => {
    const off = exampleLines.filter(({ isSet, name }) => !isSet && name !== 'SMTP_URL');
    const set = Object.fromEntries(off.map(({ name, value }) => [name, value]));
    expect(readConfig({ ...required, ...set })).toEqual(readConfig(required));
  });
});

describe('the defaults of the environment', () => {
  test('given only what is required, when it is read, then everything else has its documented default', () => {
    expect(readConfig(required)).toEqual({
      isProduction: false,
      logLevel: 'info',
      dataDir: '.data',
      http: {
        port: 3000,
        webPort: 3001,
        metricsPort: 9464,
        baseUrl: 'http://localhost:3000',
        authUrl: 'http://localhost:3001',
        trustedProxyHops: 0,
      },
      mongo: { url: required.MONGODB_URI },
      redis: { url: required.REDIS_URL, queuePrefix: 'bluejay' },
      s3: {
        endpoint: 'http://127.0.0.1:7070',
        publicEndpoint: 'http://127.0.0.1:7070',
        bucket: 'bluejay',
        region: 'us-east-1',
        accessKeyId: 'key',
        secretAccessKey: 'secret',
      },
      encryptionKeys: [required.ENCRYPTION_KEYS],
      rateLimits: { readsPerMinute: 120, writesPerMinute: 60, burst: 30, oauthPerClient: 60, oauthPerAddress: 120 },
      sandbox: { stepDelayS: 10, pauseS: 600 },
      webhooks: { allowLoopback: false, allowCidrs: [], ports: [443, 8443], maxActive: 100 },
      workers: [...workerNames],
      workLeaseS: 30,
      mail: { smtpUrl: undefined, from: 'Bluejay <no-reply@localhost>' },
    });
  });

  test('given another PORT, when it is read, then the other ports and both addresses follow it', () => {
    const { http } = readConfig({ ...required, PORT: '4000' });
    expect(http).toMatchObject({ port: 4000, webPort: 4001, metricsPort: 10464 });
    expect(http).toMatchObject({ baseUrl: 'http://localhost:4000', authUrl: 'http://localhost:4001' });
    expect(readConfig({ ...required, PORT: '0' }).http).toMatchObject({ port: 0, webPort: 0, metricsPort: 0 });
  });

  test('given addresses and lists as people write them, when they are read, then slashes and spaces are gone', () => {
    const config = readConfig({
      ...required,
      BASE_URL: 'https://api.example.com//',
      AUTH_URL: 'https://www.example.com/',
      ENCRYPTION_KEYS: ` ${key('k2', 'B')} ,, ${key('k1', 'A')} `,
      WORKERS: 'render, scanner,',
      WEBHOOK_PORTS: '443, 9443',
      WEBHOOK_ALLOW_CIDRS: '10.20.0.0/16, fd00:1::/64',
    });
    expect(config.http).toMatchObject({ baseUrl: 'https://api.example.com', authUrl: 'https://www.example.com' });
    expect(config.encryptionKeys).toEqual([key('k2', 'B'), key('k1', 'A')]);
    expect(config.workers).toEqual(['render', 'scanner']);
    expect(config.webhooks).toMatchObject({ ports: [443, 9443], allowCidrs: ['10.20.0.0/16', 'fd00:1::/64'] });
  });

  test.each(environmentNames)('given %s empty or blank, when it is read, then it counts as absent', (name) => {
    const absent = { ...required, [name]: undefined };
    for (const value of ['', '  ']) {
      expect(problemsOf({ ...required, [name]: value })).toEqual(problemsOf(absent));
      if (!(name in required)) expect(readConfig({ ...required, [name]: value })).toEqual(readConfig(absent));
    }
  });
});

/** Values that must stop the start. */
const badValues: Record<string, string[]> = {
  NODE_ENV: ['prod', 'Production'],
  LOG_LEVEL: ['verbose'],
  PORT: ['abc', '-1', '65536', '3000.5', 'NaN', 'Infinity'],
  WEB_PORT: ['abc', '-1', '65536', '1.5'],
  METRICS_PORT: ['abc', '-1', '65535', '1.5'],
  BASE_URL: ['localhost:3000', '/api', 'ftp://example.com', 'javascript:alert(1)'],
  AUTH_URL: ['localhost:3001', 'example.com'],
  TRUST_PROXY: ['-1', '11', 'true', '0.5'],
  MONGODB_URI: ['127.0.0.1:27017', 'http://127.0.0.1'],
  REDIS_URL: ['127.0.0.1:6379', 'http://127.0.0.1'],
  QUEUE_PREFIX: ['a:b', 'Upper', 'a'.repeat(41)],
  S3_ENDPOINT: ['localhost:7070', 'storage.example.com', 's3://bucket'],
  S3_PUBLIC_ENDPOINT: ['localhost:7070', 'storage.example.com'],
  S3_BUCKET: ['ab', 'a'.repeat(64), 'Upper', 'under_score', '-dash'],
  ENCRYPTION_KEYS: [
    ',',
    'A'.repeat(43),
    `k1:${'A'.repeat(42)}=`,
    `k1:${'A'.repeat(44)}`,
    `${key('k1', 'A')},nonsense`,
    `${key('k1', 'A')},${key('k1', 'B')}`,
  ],
  RATE_LIMIT_READ_PER_MINUTE: ['0', '-1', '1.5', 'many'],
  RATE_LIMIT_WRITE_PER_MINUTE: ['0', '-1', '1.5', 'many'],
  RATE_LIMIT_BURST: ['0', '-1', '1.5', 'many'],
  RATE_LIMIT_OAUTH_CLIENT_PER_MINUTE: ['0', '-1', '1.5', 'many'],
  RATE_LIMIT_OAUTH_ADDRESS_PER_MINUTE: ['0', '-1', '1.5', 'many'],
  MAX_ACTIVE_WEBHOOKS: ['0', '-1', '201', '1.5', 'many'],
  SANDBOX_STEP_DELAY_S: ['0', '-1', '0.5', '10s'],
  SANDBOX_PAUSE_S: ['0', '-1', '0.5', '10min'],
  WEBHOOK_ALLOW_LOOPBACK: ['yes', '1', 'TRUE'],
  WEBHOOK_ALLOW_CIDRS: ['10.20.0.1', '10.20.0.0/33', 'intranet', '10.20.0.0/16,fd00::'],
  WEBHOOK_PORTS: ['https', '443;8443', '443,65536', '443,1.5'],
  WORKERS: ['all', 'render,printer'],
  WORK_LEASE_S: ['1', '301', '2.5', '30s'],
  SMTP_URL: ['mail.example.com', 'http://mail.example.com'],
  MAIL_FROM: ['Bluejay', 'Bluejay <nobody>', 'a@b@c', 'A <a@b.example> B'],
};
/** Any text is fine for these. */
const free = ['DATA_DIR', 'S3_REGION', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'];
const badPairs = Object.entries(badValues).flatMap(([name, values]) => values.map((value) => [name, value] as const));

describe('a bad environment', () => {
  test('given the table of bad values, when it is compared with the schema, then no variable is left out', () => {
    expect([...Object.keys(badValues), ...free].sort()).toEqual([...environmentNames].sort());
  });

  test.each(badPairs)('given %s set to %s, when it is read, then that variable alone is named', (name, value) => {
    expect([...new Set(problemsOf({ ...required, [name]: value }))]).toEqual([name]);
  });

  test('given every variable bad at once, when it is read, then one message names them all, without their values', () => {
    const all = Object.fromEntries(Object.entries(badValues).map(([name, values]) => [name, values.at(-1)]));
    expect([...new Set(problemsOf(all))].sort()).toEqual(
      [...Object.keys(badValues), 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'].sort(),
    );
    expect(() => readConfig(all)).toThrow(/^(?![\s\S]*AAAA)[\s\S]*\.env\.example/);
  });

  test('given nothing at all, when it is read, then what is required is said to be missing', () => {
    expect(problemsOf({}).sort()).toEqual(Object.keys(required).sort());
    for (const name of Object.keys(required)) expect(() => readConfig({})).toThrow(`  ${name}: is missing`);
  });

  test.each([
    ['65535', ['WEB_PORT', 'METRICS_PORT']],
    ['59071', ['METRICS_PORT']],
    ['59070', []],
  ])('given PORT %s, when ports that follow from it do not exist, then the operator is told', (PORT, names) => {
    expect(problemsOf({ ...required, PORT })).toEqual(names);
    expect(problemsOf({ ...required, PORT, WEB_PORT: '3001', METRICS_PORT: '65534' })).toEqual([]);
  });
});
