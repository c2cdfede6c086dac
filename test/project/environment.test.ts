// Level: unit
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { environmentNames, readConfig } from '#common/config/config.ts';
import { workerNames } from '#common/config/variables.ts';
import { describe, expect, test } from '../support/jest.ts';
import { key, problemsOf, required } from '../support/project/environment.ts';

const exampleText = readFileSync(join(import.meta.dirname, '../../.env.example'), 'utf8');

/** All lines of the example that set a variable, including commented-out ones. */
const exampleLines = exampleText.split('\n').flatMap((line, index) => {
  const found = /^(?<off>#?)(?<name>[A-Z][A-Z0-9_]*)=(?<value>.*)$/.exec(line)?.groups;
  return found ? [{ index, isSet: found.off === '', name: found.name ?? '', value: found.value ?? '' }] : [];
});

describe('.env.example', () => {
  test('it lists every variable once', () => {
    expect(exampleLines.map(({ name }) => name).sort()).toEqual([...environmentNames].sort());
  });

  test('every variable has a comment above it', () => {
    const lines = exampleText.split('\n');
    for (const { index, name } of exampleLines) {
      const above = lines.slice(0, index).reverse();
      const comments = above.slice(0, above.indexOf('')).filter((line) => /^# \S/.test(line));
      expect([name, comments.join(' ').length > 20]).toEqual([name, true]);
    }
  });

  test('only workers that neither encrypt nor sign start without encryption keys', () => {
    const { ENCRYPTION_KEYS: _, ...without } = required;
    expect(problemsOf({ ...without, WORKERS: 'webhook-delivery,render' })).toEqual(['ENCRYPTION_KEYS']);
    expect(readConfig({ ...without, WORKERS: 'render,scanner' }).encryptionKeys).toEqual([]);
  });

  test('used unchanged, only the secrets are missing', () => {
    const set = Object.fromEntries(exampleLines.filter(({ isSet }) => isSet).map(({ name, value }) => [name, value]));
    expect(problemsOf(set)).toEqual(['S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY', 'ENCRYPTION_KEYS']);
    expect(Object.keys(set).sort()).toEqual(Object.keys(required).sort());
  });

  test('the commented-out values are the defaults', () => {
    const off = exampleLines.filter(({ isSet, name }) => !isSet && name !== 'SMTP_URL');
    const set = Object.fromEntries(off.map(({ name, value }) => [name, value]));
    expect(readConfig({ ...required, ...set })).toEqual(readConfig(required));
  });
});

describe('the defaults of the environment', () => {
  test('every optional variable has its documented default', () => {
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
        host: undefined,
        metricsHost: undefined,
      },
      mongo: { url: required.MONGODB_URI, poolSize: 50 },
      redis: { url: required.REDIS_URL, sentinel: null, queuePrefix: 'bluejay' },
      s3: {
        endpoint: 'http://127.0.0.1:7070',
        publicEndpoint: 'http://127.0.0.1:7070',
        bucket: 'bluejay',
        region: 'us-east-1',
        accessKeyId: 'key',
        secretAccessKey: 'secret',
        forcePathStyle: true,
      },
      encryptionKeys: [required.ENCRYPTION_KEYS],
      rateLimits: {
        readsPerMinute: 120,
        writesPerMinute: 60,
        burst: 30,
        failedAuthenticationsPerMinute: 600,
        organizationFactor: 10,
        oauthPerClient: 1200,
        oauthPerAddress: 120,
      },
      sandbox: { stepDelayS: 10, pauseS: 600 },
      webhooks: { allowLoopback: false, allowCidrs: [], ports: [443, 8443], maxActive: 100 },
      maxStoredBytes: { test: 50_000_000_000, live: 1_000_000_000_000 },
      drainDelayS: 0,
      workers: [...workerNames],
      workLeaseS: 30,
      concurrency: { renderSlots: 2, webhookSlots: 64 },
      allowMissingFences: [],
      envelopeWindow: 'left',
      documentProcessSharing: 'everyone',
      cutoffs: { timeOf: { standard: '15:00', prior: '15:00', registered: '15:00' }, leadMinutes: 90 },
      retention: { documentDays: 30, addressDays: null },
      print: { rules: [{ zone: null, serviceType: null, provider: 'manual' }], hotFolder: null, cupsPrinter: null },
      paperLanguage: 'en',
      oauth: { publicClientHosts: null },
      carrierFolder: null,
      tracing: null,
      mail: { smtpUrl: undefined, from: 'Bluejay <no-reply@localhost>' },
    });
  });

  test('the other ports and both URLs follow PORT', () => {
    const { http } = readConfig({ ...required, PORT: '4000' });
    expect(http).toMatchObject({ port: 4000, webPort: 4001, metricsPort: 10464 });
    expect(http).toMatchObject({ baseUrl: 'http://localhost:4000', authUrl: 'http://localhost:4001' });
    expect(readConfig({ ...required, PORT: '0' }).http).toMatchObject({ port: 0, webPort: 0, metricsPort: 0 });
  });

  test('in production a process that ends goes on for 5 s, unless DRAIN_DELAY_S is set', () => {
    const delayOf = (set: Record<string, string>) => readConfig({ ...required, ...set }).drainDelayS;
    expect(delayOf({ NODE_ENV: 'production' })).toBe(5);
    expect(delayOf({ NODE_ENV: 'production', DRAIN_DELAY_S: '0' })).toBe(0);
  });

  test('METRICS_HOST follows LISTEN_HOST unless it is set', () => {
    const both = (set: Record<string, string>) => {
      const { host, metricsHost } = readConfig({ ...required, ...set }).http;
      return [host, metricsHost];
    };
    expect(both({ LISTEN_HOST: '127.0.0.1' })).toEqual(['127.0.0.1', '127.0.0.1']);
    expect(both({ LISTEN_HOST: '::', METRICS_HOST: '10.0.0.1' })).toEqual(['::', '10.0.0.1']);
    expect(both({ METRICS_HOST: '127.0.0.1' })).toEqual([undefined, '127.0.0.1']);
  });

  test('trailing slashes of URLs and spaces in lists are removed', () => {
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

  test('headers and attributes of traces are read as the OpenTelemetry specification says', () => {
    const { tracing } = readConfig({
      ...required,
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318/base/',
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20a%3D%3D , x-tenant = a=b',
      OTEL_RESOURCE_ATTRIBUTES: 'service.name=post,deployment.environment.name=test',
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
    });
    expect(tracing).toEqual({
      endpoint: 'http://collector:4318/base/',
      headers: { authorization: 'Basic a==', 'x-tenant': 'a=b' },
      resourceAttributes: { 'service.name': 'post', 'deployment.environment.name': 'test' },
      sampler: 'parentbased_traceidratio',
      samplerRatio: 0.25,
    });
  });

  test.each([
    ['any', null],
    ['none', []],
    ['agent.example, tools.example:8443', ['agent.example', 'tools.example:8443']],
  ])('with OAUTH_PUBLIC_CLIENTS %j the allowed hosts are %j', (OAUTH_PUBLIC_CLIENTS, hosts) => {
    expect(readConfig({ ...required, OAUTH_PUBLIC_CLIENTS }).oauth.publicClientHosts).toEqual(hosts);
  });

  test.each([
    ['00:00', ['00:00', '00:00', '00:00']],
    ['23:59,registered=14:30', ['23:59', '23:59', '14:30']],
    [' prior = 09:15 , 16:00, ', ['16:00', '09:15', '16:00']],
    ['registered=14:30', ['15:00', '15:00', '14:30']],
    ['standard=01:00,prior=02:00,registered=03:00', ['01:00', '02:00', '03:00']],
  ])('with CUTOFF_TIMES %j the cutoffs of standard, prior and registered are %j', (CUTOFF_TIMES, [...times]) => {
    const { standard, prior, registered } = readConfig({ ...required, CUTOFF_TIMES }).cutoffs.timeOf;
    expect([standard, prior, registered]).toEqual(times);
  });

  test.each([
    ['none', [[null, null, 'none']]],
    [
      'NATIONAL/registered=manual, simulated',
      [
        ['NATIONAL', 'registered', 'manual'],
        [null, null, 'simulated'],
      ],
    ],
    [
      '*/prior=manual,INTERNATIONAL/*=none',
      [
        [null, 'prior', 'manual'],
        ['INTERNATIONAL', null, 'none'],
      ],
    ],
  ])('with PRINT_PROVIDERS %j the rules are %j', (PRINT_PROVIDERS, rules) => {
    const found = readConfig({ ...required, PRINT_PROVIDERS }).print.rules;
    expect(found.map(({ zone, serviceType, provider }) => [zone, serviceType, provider])).toEqual(rules);
  });

  test.each([
    ['hot-folder', 'HOT_FOLDER', '/srv/press'],
    ['cups', 'CUPS_PRINTER', 'ipp://localhost:631/printers/press'],
  ])('the provider %s needs %s', (PRINT_PROVIDERS, name, value) => {
    expect(problemsOf({ ...required, PRINT_PROVIDERS })).toEqual([name]);
    expect(problemsOf({ ...required, PRINT_PROVIDERS, [name]: value })).toEqual([]);
  });

  test('sentinels have a name and the port 26379 by default', () => {
    const set = { ...required, REDIS_SENTINELS: 'a.example, 10.0.0.1:5000,[fd00::1]', REDIS_SENTINEL_NAME: 'mails' };
    const hosts = [
      { host: 'a.example', port: 26_379 },
      { host: '10.0.0.1', port: 5_000 },
      { host: 'fd00::1', port: 26_379 },
    ];
    expect(readConfig(set).redis.sentinel).toEqual({ hosts, name: 'mails' });
    expect(readConfig({ ...set, REDIS_SENTINEL_PASSWORD: 'a' }).redis.sentinel?.password).toBe('a');
  });

  test.each([
    ['REDIS_SENTINELS', 'a.example'],
    ['REDIS_SENTINEL_NAME', 'mails'],
    ['REDIS_SENTINEL_PASSWORD', 'secret'],
  ])('%s alone is refused', (name, value) => {
    expect(problemsOf({ ...required, [name]: value })).toEqual([name]);
  });

  test.each(['0', '1440'])('a PRODUCTION_LEAD_MINUTES of %s is accepted', (PRODUCTION_LEAD_MINUTES) => {
    const { leadMinutes } = readConfig({ ...required, PRODUCTION_LEAD_MINUTES }).cutoffs;
    expect(leadMinutes).toBe(Number(PRODUCTION_LEAD_MINUTES));
  });

  test.each(environmentNames)('an empty or blank %s counts as absent', (name) => {
    const absent = { ...required, [name]: undefined };
    for (const value of ['', '  ']) {
      expect(problemsOf({ ...required, [name]: value })).toEqual(problemsOf(absent));
      if (!(name in required)) expect(readConfig({ ...required, [name]: value })).toEqual(readConfig(absent));
    }
  });
});
