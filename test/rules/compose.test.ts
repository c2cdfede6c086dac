import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { environmentNames, readConfig } from '../../common/config.ts';
import { commands } from '../../scripts/admin/commands.ts';
import { composeText, readCompose, root } from '../support/compose-file.ts';

const secrets = {
  ENCRYPTION_KEYS: `k1:${'A'.repeat(43)}=`,
  S3_ACCESS_KEY_ID: 'name',
  S3_SECRET_ACCESS_KEY: 'long random text',
};
const compose = readCompose(secrets);
const services = Object.entries(compose.services);
const ours = services.filter(([, { build }]) => build !== undefined);
const oneShots = services.filter(([, { restart }]) => restart === 'no');
const serving = services.filter(([, { restart }]) => restart !== 'no');
const { api, workers, mongodb, redis, store } = compose.services;
const config = readConfig(api?.environment ?? {});

describe('the variables of docker-compose.yml', () => {
  const used = new Set([...composeText.matchAll(/\$\{([A-Z][A-Z0-9_]*)/g)].map(([, name]) => name ?? ''));
  const documented = [...composeText.matchAll(/^# {3}([A-Z][A-Z_]*) {2,}\S/gm)].map(([, name]) => name ?? '');

  test('given a variable that the file uses, when it is looked up, then the product or the head of the file has it', () => {
    expect([...used].filter((name) => !environmentNames.includes(name) && !documented.includes(name))).toEqual([]);
    expect(documented.filter((name) => !used.has(name))).toEqual([]);
  });

  test('given a variable of the product, when a container starts, then it can be set, or is fixed by the container', () => {
    // Inside, the ports are always the same; outside, PORT and WEB_PORT choose what they are published as.
    const fixed = ['PORT', 'WEB_PORT', 'METRICS_PORT', 'DATA_DIR'];
    expect([...fixed, ...Object.keys(workers?.environment ?? {})].sort()).toEqual([...environmentNames].sort());
    for (const [name, { environment }] of ours) {
      const unknown = Object.keys(environment ?? {}).filter((variable) => !environmentNames.includes(variable));
      expect([name, unknown]).toEqual([name, []]);
    }
  });

  test.each(ours.map(([name]) => name))(
    'given only the secrets, when %s reads its environment, then it fits',
    (name) => {
      expect(readConfig(compose.services[name]?.environment ?? {})).toMatchObject({
        isProduction: true,
        http: { port: 3000, baseUrl: 'http://localhost:3000', authUrl: 'http://localhost:3001' },
        s3: { publicEndpoint: 'http://localhost:7070' },
        webhooks: { allowLoopback: false },
      });
    },
  );

  test('given values for all variables, when the containers read them, then each arrives', () => {
    const values = { PORT: '4000', WEB_PORT: '4001', STORE_PORT: '4002', WORKERS: 'render', LOG_LEVEL: 'debug' };
    const changed = readCompose({ ...secrets, ...values }).services;
    const apiConfig = readConfig(changed.api?.environment ?? {});
    expect(apiConfig).toMatchObject({ logLevel: 'debug', s3: { publicEndpoint: 'http://localhost:4002' } });
    // Clients see the outer ports; inside they stay as they are.
    expect(apiConfig.http).toMatchObject({
      port: 3000,
      baseUrl: 'http://localhost:4000',
      authUrl: 'http://localhost:4001',
    });
    expect(changed.api?.ports).toEqual(['127.0.0.1:4000:3000', '127.0.0.1:4001:3001']);
    expect(readConfig(changed.workers?.environment ?? {}).workers).toEqual(['render']);
  });

  test.each(Object.keys(secrets))('given no %s, when the file is used, then it says what is missing', (name) => {
    expect(() => readCompose({ ...secrets, [name]: '' })).toThrow(`${name}: `);
  });
});

describe('the services of docker-compose.yml', () => {
  test.each(ours.map(([name, { command }]) => [name, command] as const))(
    'given %s, when its command %j is run, then the program is there',
    (_name, [program, file = '', subcommand]) => {
      expect([program, existsSync(join(root, file))]).toEqual(['node', true]);
      if (file === 'scripts/admin.ts') expect(commands.map(({ name }) => name)).toContain(subcommand);
    },
  );

  test('given the ports inside, when they are compared with the code, then they are its defaults', () => {
    const { port, webPort, metricsPort } = readConfig({ ...api?.environment, PORT: undefined }).http;
    expect(api?.ports?.map((text) => Number(text.split(':').at(-1)))).toEqual([port, webPort]);
    expect([api?.expose, workers?.expose]).toEqual([[String(metricsPort)], [String(metricsPort + 1)]]);
    expect(api?.healthcheck?.test.join(' ')).toContain(`http://127.0.0.1:${metricsPort}/readyz`);
    expect(workers?.healthcheck?.test.join(' ')).toContain(`http://127.0.0.1:${metricsPort + 1}/readyz`);
    const storePort = new URL(config.s3.endpoint).port;
    expect(store?.command).toContain(`:${storePort}`);
    expect(store?.ports).toEqual([`127.0.0.1:${storePort}:${storePort}`]);
  });

  test('given the addresses of the stores, when they are looked up, then they are services that the asker can reach', () => {
    const hosts = [config.mongo.url, config.redis.url, config.s3.endpoint].map((address) => new URL(address).hostname);
    expect(hosts).toEqual(['mongodb', 'redis', 'store']);
    for (const [name, { networks }] of services)
      expect([name, networks]).toEqual([name, expect.arrayContaining(['stores'])]);
  });

  test('given every image, when its tag is read, then it is one exact version', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    for (const [name, { image }] of services)
      expect([name, image]).toEqual([name, expect.stringMatching(/:v?\d+\.\d+\.\d+(-[a-z]+)?$/)]);
    expect(new Set(ours.map(([, { image }]) => image))).toEqual(new Set([`bluejay:${version}`]));
  });

  test('given every service that serves, when it fails, then somebody notices and it starts again', () => {
    expect(serving.map(([name]) => name).sort()).toEqual(['api', 'mongodb', 'redis', 'store', 'workers']);
    for (const [name, { restart, healthcheck }] of serving) {
      expect([name, restart, healthcheck?.test[0]]).toEqual([name, 'unless-stopped', expect.stringMatching(/^CMD/)]);
    }
  });

  test('given what is done once, when API and workers start, then it has been done', () => {
    expect(oneShots.map(([name]) => name).sort()).toEqual(['bucket', 'migrate', 'mongodb-initiate']);
    for (const asker of [api, workers]) {
      expect(asker?.depends_on).toEqual({
        mongodb: { condition: 'service_healthy' },
        redis: { condition: 'service_healthy' },
        store: { condition: 'service_healthy' },
        migrate: { condition: 'service_completed_successfully' },
        bucket: { condition: 'service_completed_successfully' },
      });
    }
    const { migrate } = compose.services;
    expect(migrate?.depends_on?.['mongodb-initiate']).toEqual({ condition: 'service_completed_successfully' });
    const asked = services.flatMap(([, { depends_on: others = {} }]) => Object.keys(others));
    expect(asked.filter((name) => !compose.services[name])).toEqual([]);
  });

  test('given every container, when it is broken into or runs wild, then its rights and resources are bounded', () => {
    for (const [name, service] of services) {
      const { read_only: isReadOnly, cap_drop: dropped, security_opt: options, deploy } = service;
      expect([name, isReadOnly, dropped, options]).toEqual([name, true, ['ALL'], ['no-new-privileges:true']]);
      expect([name, deploy.resources.limits]).toEqual([
        name,
        { cpus: expect.stringMatching(/^\d+$/), memory: expect.stringMatching(/^\d+[mg]$/), pids: expect.any(Number) },
      ]);
    }
    expect(ours.map(([, { user }]) => user)).toEqual(ours.map(() => 'node'));
  });

  test('given a stop, when in-flight work takes its time, then the container waits longer than the process', () => {
    const text = readFileSync(join(root, 'common/platform/run-process.ts'), 'utf8');
    const hardExitMs = Number(/hardExitMs = ([\d_]+)/.exec(text)?.[1]?.replaceAll('_', ''));
    for (const [, { stop_grace_period: period }] of services)
      expect(Number.parseInt(period, 10) * 1_000).toBeGreaterThan(hardExitMs);
  });

  test('given more than one container of workers, when they start, then nothing stands in their way', () => {
    expect([workers?.ports, workers?.container_name]).toEqual([undefined, undefined]);
  });

  test('given the stores, when they start, then they are set as the product needs them', () => {
    expect(mongodb?.command.join(' ')).toContain(
      `--replSet ${new URL(config.mongo.url).searchParams.get('replicaSet')}`,
    );
    expect(mongodb?.command.join(' ')).toContain('--setParameter transactionLifetimeLimitSeconds=7');
    expect(redis?.command.join(' ')).toMatch(/--appendonly yes --appendfsync everysec .*--maxmemory-policy noeviction/);
    expect(store?.environment).toEqual({ ROOT_ACCESS_KEY_ID: 'name', ROOT_SECRET_ACCESS_KEY: 'long random text' });
    expect([mongodb?.ports, redis?.ports, compose.networks.stores]).toEqual([undefined, undefined, { internal: true }]);
    // What is kept outlives the container.
    const named = serving.flatMap(([, { volumes = [] }]) => volumes.filter((volume) => volume.includes(':')));
    expect(named.map((volume) => volume.split(':')[0]).sort()).toEqual(Object.keys(compose.volumes).sort());
  });
});

describe('docker compose itself', () => {
  const hasCompose = spawnSync('docker', ['compose', 'version']).status === 0;
  const title = 'given docker with compose, when it reads the file, then it finds no fault';
  (hasCompose ? test : test.skip)(hasCompose ? title : `${title} (skipped: docker compose is not here)`, () => {
    const { status, stderr } = spawnSync('docker', ['compose', 'config', '-q'], {
      cwd: root,
      env: { ...process.env, ...secrets },
    });
    expect([status, String(stderr)]).toEqual([0, '']);
  });
});
