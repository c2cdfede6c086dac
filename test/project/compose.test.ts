// Level: push
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { environmentNames, readConfig } from '#common/config/config.ts';
import { secretFileNames } from '#common/config/secret-files.ts';
import { workerNames } from '#common/config/variables.ts';
import { readinessTimeoutMs } from '#common/platform/mongo/mongo.ts';
import { loadCommands } from '#scripts/admin/commands.ts';
import { describe, expect, test, testWith } from '../support/jest.ts';
import { composeText, readCompose, root } from '../support/project/compose-file.ts';

const commands = await loadCommands();
const secrets = {
  ENCRYPTION_KEYS: `k1:${'A'.repeat(43)}=`,
  S3_ACCESS_KEY_ID: 'name',
  S3_SECRET_ACCESS_KEY: 'long random text',
  MONGODB_PASSWORD: 'mongo1',
  MONGODB_ROOT_PASSWORD: 'mongo2',
  MONGODB_KEY: 'mongo3',
  REDIS_PASSWORD: 'redis1',
};
const compose = readCompose(secrets);
const services = Object.entries(compose.services);
const ours = services.filter(([, { build }]) => build !== undefined);
const oneShots = services.filter(([, { restart }]) => restart === 'no');
const serving = services.filter(([, { restart }]) => restart !== 'no');
const { api, workers, render, mongodb, redis, store } = compose.services;
const config = readConfig(api?.environment ?? {});

describe('the variables of docker-compose.yml', () => {
  const substituted = [...composeText.matchAll(/\$\{([A-Z][A-Z0-9_]*)/g)].map(([, name]) => name ?? '');
  const used = new Set([...substituted, ...ours.flatMap(([, { build }]) => build?.args ?? [])]);
  const documented = [...composeText.matchAll(/^# {3}([A-Z][A-Z_]*) {2,}\S/gm)].map(([, name]) => name ?? '');

  test('every variable is one of the product or documented at the top of the file', () => {
    expect([...used].filter((name) => !environmentNames.includes(name) && !documented.includes(name))).toEqual([]);
    expect(documented.filter((name) => !used.has(name))).toEqual([]);
  });

  test('every variable of the product can be set or is fixed by the container', () => {
    // Ports inside the containers are fixed. PORT and WEB_PORT choose the published ports.
    const fixed = ['PORT', 'WEB_PORT', 'METRICS_PORT', 'LISTEN_HOST', 'METRICS_HOST', 'DATA_DIR', ...secretFileNames];
    // The file has one Redis.
    const sentinel = ['REDIS_SENTINELS', 'REDIS_SENTINEL_NAME', 'REDIS_SENTINEL_PASSWORD'];
    expect([...fixed, ...sentinel, ...Object.keys(workers?.environment ?? {})].sort()).toEqual(
      [...environmentNames].sort(),
    );
    for (const [name, { environment }] of ours) {
      const unknown = Object.keys(environment ?? {}).filter((variable) => !environmentNames.includes(variable));
      expect([name, unknown]).toEqual([name, []]);
    }
  });

  test.each(ours.map(([name]) => name))('with only the secrets set, the environment of %s is valid', (name) => {
    expect(readConfig(compose.services[name]?.environment ?? {})).toMatchObject({
      isProduction: true,
      http: { port: 3000, baseUrl: 'http://localhost:3000', authUrl: 'http://localhost:3001' },
      s3: { publicEndpoint: 'http://localhost:7070' },
      webhooks: { allowLoopback: false },
    });
  });

  test('the values of variables reach the containers', () => {
    const values = { PORT: '4000', WEB_PORT: '4001', STORE_PORT: '4002', WORKERS: 'render', LOG_LEVEL: 'debug' };
    const changed = readCompose({ ...secrets, ...values }).services;
    const apiConfig = readConfig(changed.api?.environment ?? {});
    expect(apiConfig).toMatchObject({ logLevel: 'debug', s3: { publicEndpoint: 'http://localhost:4002' } });
    // Clients use the published ports.
    expect(apiConfig.http).toMatchObject({
      port: 3000,
      baseUrl: 'http://localhost:4000',
      authUrl: 'http://localhost:4001',
    });
    expect(changed.api?.ports).toEqual(['127.0.0.1:4000:3000', '127.0.0.1:4001:3001']);
    expect(readConfig(changed.workers?.environment ?? {}).workers).toEqual(['render']);
    expect(readConfig(changed.render?.environment ?? {})).toMatchObject({ workers: ['render'], encryptionKeys: [] });
  });

  test.each(Object.keys(secrets))('without %s the file names the missing variable', (name) => {
    expect(() => readCompose({ ...secrets, [name]: '' })).toThrow(`${name}: `);
  });
});

describe('the services of docker-compose.yml', () => {
  const asked = ours.map(([name, { command }]) => [name, command] as const);
  test.each(asked)('the file of the command of %s exists: %j', (_name, [program, file = '', subcommand]) => {
    expect([program, existsSync(join(root, file))]).toEqual(['node', true]);
    if (file === 'scripts/admin.ts') expect(commands.map(({ name }) => name)).toContain(subcommand);
  });

  test('the ports inside the containers are the defaults of the code', () => {
    const { port, webPort, metricsPort } = readConfig({ ...api?.environment, PORT: undefined }).http;
    expect(api?.ports?.map((text) => Number(text.split(':').at(-1)))).toEqual([port, webPort]);
    expect([api?.expose, workers?.expose]).toEqual([[String(metricsPort)], [String(metricsPort + 1)]]);
    expect(api?.healthcheck?.test.join(' ')).toContain(`http://127.0.0.1:${metricsPort}/readyz`);
    expect(workers?.healthcheck?.test.join(' ')).toContain(`http://127.0.0.1:${metricsPort + 1}/readyz`);
    const storePort = new URL(config.s3.endpoint).port;
    expect(store?.command).toContain(`:${storePort}`);
    expect(store?.ports).toEqual([`127.0.0.1:${storePort}:${storePort}`]);
  });

  test('a health check waits longer than readiness waits for MongoDB', () => {
    for (const service of [api, workers, render]) {
      expect(service?.healthcheck?.timeout).toMatch(/^\d+s$/);
      expect(Number.parseInt(service?.healthcheck?.timeout ?? '', 10) * 1_000).toBeGreaterThan(readinessTimeoutMs);
    }
  });

  test('the hosts of the stores are services that their clients can reach', () => {
    const hosts = [config.mongo.url, config.redis.url, config.s3.endpoint].map((address) => new URL(address).hostname);
    expect(hosts).toEqual(['mongodb', 'redis', 'store']);
    for (const [name, { networks, network_mode: shared }] of services) {
      if (name === 'mongodb-initiate') expect([networks, shared]).toEqual([undefined, 'service:mongodb']);
      else expect([name, networks]).toEqual([name, expect.arrayContaining(['stores'])]);
    }
  });

  test('every image that is not built here is one exact version, pinned by digest', () => {
    const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    for (const [name, { image, build }] of services)
      if (!build)
        expect([name, image]).toEqual([name, expect.stringMatching(/:v?\d+\.\d+\.\d+(-[a-z]+)?@sha256:[0-9a-f]{64}$/)]);
    expect(new Set(ours.map(([, { image }]) => image))).toEqual(new Set([`bluejay:${version}`]));
  });

  test('every long-running service has a health check and is restarted', () => {
    expect(serving.map(([name]) => name).sort()).toEqual(['api', 'mongodb', 'redis', 'render', 'store', 'workers']);
    for (const [name, { restart, healthcheck }] of serving) {
      expect([name, restart, healthcheck?.test[0]]).toEqual([name, 'unless-stopped', expect.stringMatching(/^CMD/)]);
    }
  });

  test('API and workers start after the one-time services have completed', () => {
    expect(oneShots.map(([name]) => name).sort()).toEqual(['bucket', 'migrate', 'mongodb-initiate']);
    for (const asker of [api, workers, render]) {
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

  test('every container has limited privileges and resources', () => {
    for (const [name, service] of services) {
      const { read_only: isReadOnly, cap_drop: dropped, security_opt: options, deploy } = service;
      expect([name, isReadOnly, dropped, options[0]]).toEqual([name, true, ['ALL'], 'no-new-privileges:true']);
      expect([name, deploy.resources.limits]).toEqual([
        name,
        { cpus: expect.stringMatching(/^\d+$/), memory: expect.stringMatching(/^\d+[mg]$/), pids: expect.any(Number) },
      ]);
    }
    expect(ours.map(([, { user }]) => user)).toEqual(ours.map(() => 'node'));
  });

  test('the stop grace period of every container exceeds that of the processes', () => {
    const text = readFileSync(join(root, 'common/platform/process/run-process.ts'), 'utf8');
    const hardExitMs = Number(/hardExitMs = ([\d_]+)/.exec(text)?.[1]?.replaceAll('_', ''));
    for (const [, { stop_grace_period: period }] of services)
      expect(Number.parseInt(period, 10) * 1_000).toBeGreaterThan(hardExitMs);
  });

  test('workers can be scaled: no published port, no fixed container name', () => {
    expect([workers?.ports, workers?.container_name]).toEqual([undefined, undefined]);
  });

  test('the services that open documents or typeset papers, and no others, may create a network namespace for it', () => {
    const profile = 'seccomp:scripts/deploy/seccomp.json';
    const having = services.filter(([, { security_opt: options }]) => options.includes(profile)).map(([name]) => name);
    expect(having).toEqual(['api', 'workers', 'render']);
    expect(services.filter(([, { security_opt: options }]) => options.join().includes('unconfined'))).toEqual([]);
  });

  test('the images can come from a registry of your own', () => {
    const names = ['MONGODB_IMAGE', 'REDIS_IMAGE', 'STORE_IMAGE'];
    const own = readCompose({ ...secrets, ...Object.fromEntries(names.map((name) => [name, `own/${name}`])) });
    const images = Object.values(own.services).flatMap(({ image, build }) => (build ? [] : [image]));
    expect(images.sort()).toEqual(['own/MONGODB_IMAGE', 'own/MONGODB_IMAGE', 'own/REDIS_IMAGE', 'own/STORE_IMAGE']);
    for (const [, { build }] of ours) expect(build?.args).toEqual(['NODE_IMAGE']);
  });

  test('only render opens documents, and it reaches nothing but the stores', () => {
    expect([render?.networks, compose.networks.stores]).toEqual([['stores'], { internal: true }]);
    expect([render?.ports, render?.environment?.SMTP_URL]).toEqual([undefined, '']);
    const [rendering, others] = [render, workers].map((service) => readConfig(service?.environment ?? {}));
    expect(rendering?.workers).toEqual(['render']);
    expect([...(others?.workers ?? []), 'render'].sort()).toEqual([...workerNames].sort());
    // Where the system permits no namespaces, the network of `render` replaces the fence `network`. All others are required.
    expect(rendering?.allowMissingFences).toEqual(['network']);
  });

  test('no container has an init process, whose environment document processes could read', () => {
    expect(ours.map(([, { init }]) => init)).toEqual(ours.map(() => undefined));
  });

  test('MongoDB and Redis require passwords, which are in no process argument', () => {
    expect(config.mongo.url).toBe('mongodb://bluejay:mongo1@mongodb:27017/bluejay?replicaSet=bluejay');
    expect(config.redis.url).toBe('redis://:redis1@redis:6379');
    expect(mongodb?.command.join(' ')).toContain('"$MONGODB_KEY" > /tmp/key && exec docker-entrypoint.sh mongod ');
    expect(mongodb?.command.join(' ')).toContain('--keyFile /tmp/key ');
    expect(redis?.command.join(' ')).toContain('requirepass $REDIS_PASSWORD');
    expect(redis?.healthcheck?.test.join(' ')).toContain('REDISCLI_AUTH="$REDIS_PASSWORD" redis-cli ping');
    for (const [, { command }] of services) expect(command.join(' ')).not.toMatch(/mongo[123]|redis1|long random/);
  });

  test('the stores have the settings that the product needs', () => {
    expect(mongodb?.command.join(' ')).toContain(
      `--replSet ${new URL(config.mongo.url).searchParams.get('replicaSet')}`,
    );
    expect(mongodb?.command.join(' ')).toContain('--slowms 3600000 --setParameter transactionLifetimeLimitSeconds=7');
    expect(redis?.command.join(' ')).toMatch(/--appendonly yes --appendfsync everysec .*--maxmemory-policy noeviction/);
    expect(store?.environment).toEqual({ ROOT_ACCESS_KEY_ID: 'name', ROOT_SECRET_ACCESS_KEY: 'long random text' });
    expect([mongodb?.ports, redis?.ports, compose.networks.stores]).toEqual([undefined, undefined, { internal: true }]);
    // Data outlive the containers.
    const named = serving.flatMap(([, { volumes = [] }]) => volumes.filter((volume) => volume.includes(':')));
    expect(named.map((volume) => volume.split(':')[0]).sort()).toEqual(Object.keys(compose.volumes).sort());
  });
});

describe('docker compose itself', () => {
  const hasCompose = spawnSync('docker', ['compose', 'version']).status === 0;
  testWith('docker compose', hasCompose)('docker compose accepts the file', () => {
    const { status, stderr } = spawnSync('docker', ['compose', 'config', '-q'], {
      cwd: root,
      env: { ...process.env, ...secrets },
    });
    expect([status, String(stderr)]).toEqual([0, '']);
  });
});
