// Level: unit
import { environmentNames, readConfig } from '#common/config/config.ts';
import { secretFileNames } from '#common/config/secret-files.ts';
import { describe, expect, test } from '../support/jest.ts';
import { key, problemsOf, required } from '../support/project/environment.ts';

/** Invalid values. */
const badValues: Record<string, string[]> = {
  NODE_ENV: ['prod', 'Production'],
  LOG_LEVEL: ['verbose'],
  PORT: ['abc', '-1', '65536', '3000.5', 'NaN', 'Infinity'],
  WEB_PORT: ['abc', '-1', '65536', '1.5'],
  METRICS_PORT: ['abc', '-1', '65535', '1.5'],
  LISTEN_HOST: ['localhost', '127.0.0.1:3000', '300.0.0.1', 'http://127.0.0.1'],
  METRICS_HOST: ['example.com', '*'],
  BASE_URL: ['localhost:3000', '/api', 'ftp://example.com', 'javascript:alert(1)'],
  AUTH_URL: ['localhost:3001', 'example.com'],
  TRUST_PROXY: ['-1', '11', 'true', '0.5'],
  MONGODB_URI: ['127.0.0.1:27017', 'http://127.0.0.1'],
  REDIS_URL: ['127.0.0.1:6379', 'http://127.0.0.1'],
  REDIS_SENTINELS: [
    'redis://a.example',
    'a.example:port',
    'a.example b.example',
    'a.example:0',
    'a.example:65536',
    'a:1,fd00::1',
  ],
  REDIS_SENTINEL_NAME: ['two words'],
  QUEUE_PREFIX: ['a:b', 'Upper', 'a'.repeat(41)],
  S3_ENDPOINT: ['localhost:7070', 'storage.example.com', 's3://bucket'],
  S3_PUBLIC_ENDPOINT: ['localhost:7070', 'storage.example.com'],
  S3_FORCE_PATH_STYLE: ['yes', '0'],
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
  RATE_LIMIT_ORGANIZATION_FACTOR: ['0', '1001', '1.5', 'many'],
  RATE_LIMIT_FAILED_AUTHENTICATIONS_PER_MINUTE: ['0', '-1', '1.5', 'many'],
  RATE_LIMIT_OAUTH_CLIENT_PER_MINUTE: ['0', '-1', '1.5', 'many'],
  RATE_LIMIT_OAUTH_ADDRESS_PER_MINUTE: ['0', '-1', '1.5', 'many'],
  MAX_ACTIVE_WEBHOOKS: ['0', '-1', '201', '1.5', 'many'],
  MAX_STORED_TEST_GB: ['0', '-1', '1000001', '1.5', 'many'],
  MAX_STORED_LIVE_GB: ['0', '-1', '1000001', '1.5', 'many'],
  SANDBOX_STEP_DELAY_S: ['0', '-1', '0.5', '10s'],
  SANDBOX_PAUSE_S: ['0', '-1', '0.5', '10min'],
  WEBHOOK_ALLOW_LOOPBACK: ['yes', '1', 'TRUE'],
  WEBHOOK_ALLOW_CIDRS: ['10.20.0.1', '10.20.0.0/33', 'intranet', '10.20.0.0/16,fd00::'],
  WEBHOOK_PORTS: ['https', '443;8443', '443,65536', '443,1.5'],
  OAUTH_PUBLIC_CLIENTS: ['any,agent.example', 'none,agent.example', 'https://agent.example', '*.example', ','],
  WORKERS: ['all', 'render,printer'],
  ALLOW_MISSING_FENCES: ['all', 'network,seccomp'],
  ENVELOPE_WINDOW: ['middle', 'Left'],
  DOCUMENT_PROCESS_SHARING: ['all', 'file'],
  CUTOFF_TIMES: [
    '24:00',
    '15:60',
    '9:00',
    '15',
    '3 pm',
    '15:00:00',
    'registered=',
    '=15:00',
    '15:00,express=14:30',
    '15:00,default=14:30',
    '15:00,14:30',
    '15:00,prior=14:00,prior=14:30',
    '15:00;registered=14:30',
  ],
  RETENTION_DOCUMENT_DAYS: ['0', '3651', '1.5'],
  RETENTION_ADDRESS_DAYS: ['0', '3651', 'never'],
  PAPER_LANGUAGE: ['es', 'NL'],
  PRINT_PROVIDERS: ['printer', 'NATIONAL=manual', 'BE/standard=manual', 'NATIONAL/express=manual', 'manual,,x'],
  CUPS_PRINTER: ['http://localhost:631/printers/press', 'ipp://localhost', 'ipp://local host/printers/press'],
  PRODUCTION_LEAD_MINUTES: ['-1', '1441', '1.5', '90min'],
  DRAIN_DELAY_S: ['-1', '21', '2.5', '5s'],
  WORK_LEASE_S: ['1', '301', '2.5', '30s'],
  RENDER_SLOTS: ['0', '65', '1.5', 'all'],
  WEBHOOK_SLOTS: ['3', '1001', '4.5', 'many'],
  MONGODB_POOL_SIZE: ['9', '501', '10.5', 'max'],
  SMTP_URL: ['mail.example.com', 'http://mail.example.com'],
  OTEL_EXPORTER_OTLP_ENDPOINT: ['collector:4318', 'grpc://collector:4317'],
  OTEL_EXPORTER_OTLP_HEADERS: ['a', 'a=1,b', 'a=%'],
  OTEL_RESOURCE_ATTRIBUTES: ['a', '=1', 'a=%E0%A4%A'],
  OTEL_TRACES_SAMPLER: ['jaeger_remote', 'some'],
  OTEL_TRACES_SAMPLER_ARG: ['-0.1', '1.1', 'all'],
  MAIL_FROM: ['Bluejay', 'Bluejay <nobody>', 'a@b@c', 'A <a@b.example> B'],
};
/** Variables that accept any text. */
const free = [
  'DATA_DIR',
  'HOT_FOLDER',
  'CARRIER_FOLDER',
  'REDIS_SENTINEL_PASSWORD',
  'S3_REGION',
  'S3_ACCESS_KEY_ID',
  'S3_SECRET_ACCESS_KEY',
  'S3_SESSION_TOKEN',
];
Object.assign(badValues, Object.fromEntries(secretFileNames.map((name) => [name, ['/does/not/exist']])));
const badPairs = Object.entries(badValues).flatMap(([name, values]) => values.map((value) => [name, value] as const));

describe('a bad environment', () => {
  test('the table of bad values covers every variable', () => {
    expect([...Object.keys(badValues), ...free].sort()).toEqual([...environmentNames].sort());
  });

  test.each(badPairs)('%s set to %s names that variable alone', (name, value) => {
    expect([...new Set(problemsOf({ ...required, [name]: value }))]).toEqual([name]);
  });

  test('one message names all bad variables, without their values', () => {
    const all = Object.fromEntries(Object.entries(badValues).map(([name, values]) => [name, values.at(-1)]));
    // The credentials of the store are missing because their files cannot be read, which is reported.
    expect([...new Set(problemsOf(all))].sort()).toEqual(Object.keys(badValues).sort());
    expect(() => readConfig(all)).toThrow(/^(?![\s\S]*AAAA)[\s\S]*\.env\.example/);
  });

  test('required variables are reported as missing', () => {
    expect(problemsOf({}).sort()).toEqual(Object.keys(required).sort());
    for (const name of Object.keys(required)) expect(() => readConfig({})).toThrow(`  ${name}: is missing`);
  });

  test.each([
    ['65535', ['WEB_PORT', 'METRICS_PORT']],
    ['59071', ['METRICS_PORT']],
    ['59070', []],
  ])('with PORT %s, derived ports above 65535 are reported: %j', (PORT, names) => {
    expect(problemsOf({ ...required, PORT })).toEqual(names);
    expect(problemsOf({ ...required, PORT, WEB_PORT: '3001', METRICS_PORT: '65534' })).toEqual([]);
  });
});
