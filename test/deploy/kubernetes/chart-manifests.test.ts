// Level: ci
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { readConfig } from '#common/config/config.ts';
import { workerNames } from '#common/config/variables.ts';
import { readinessTimeoutMs } from '#common/platform/mongo/mongo.ts';
import { loadCommands } from '#scripts/admin/commands.ts';
import { describe, expect, testWithPrograms } from '#test/support/jest.ts';
import { rulesFile } from '#test/support/project/alert-rules.ts';
import { required } from '#test/support/project/environment.ts';
import {
  type Container,
  environmentOf,
  examples,
  parts,
  renderExamplesOnce,
  type Workload,
} from '#test/support/project/helm-chart.ts';
import { readText, root } from '#test/support/project/markdown.ts';

const commands = await loadCommands();
const test = testWithPrograms('helm');
const secrets = {
  ...required,
  SMTP_URL: 'smtps://mail.example.com',
  S3_SESSION_TOKEN: 'token',
  REDIS_SENTINEL_PASSWORD: 'password',
  OTEL_EXPORTER_OTLP_HEADERS: 'api-key=key',
};
/** The longest election of a primary by the defaults of MongoDB, with the time to notice. */
const electionS = 12;
const base = ['MONGODB_URI', 'REDIS_URL', 'S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY', 'ENCRYPTION_KEYS'];
const further = ['S3_SESSION_TOKEN', 'REDIS_SENTINEL_PASSWORD', 'OTEL_EXPORTER_OTLP_HEADERS', 'SMTP_URL'];
const secretsOf = ({ env }: Container) =>
  env.filter(({ name, valueFrom }) => valueFrom !== undefined || name.endsWith('_FILE')).map(({ name }) => name);
const podOf = ({ spec }: Workload) => spec.template.spec;

describe('the manifests of the Helm chart', () => {
  const rendered = renderExamplesOnce();
  const ofAll = () => examples.map((name) => rendered[name as keyof typeof rendered]);
  const allWorkloads = () => ofAll().flatMap(({ workloads }) => workloads);

  test('every container has an environment that the product accepts', () => {
    for (const workload of allWorkloads()) {
      const container = podOf(workload).containers[0];
      const config = readConfig(environmentOf(container, secrets));
      expect([container.name, config.isProduction]).toEqual([container.name, true]);
      // Helm reads numbers as floats, and prints large ones with an exponent.
      expect(container.env.filter(({ value = '' }) => /^\d+e\+/.test(value))).toEqual([]);
    }
    const { scaled } = rendered;
    const config = readConfig(environmentOf(scaled.container('workers'), secrets));
    expect(config).toMatchObject({
      print: { hotFolder: '/press' },
      carrierFolder: '/carriers',
      maxStoredBytes: { live: 1e15 },
      redis: { sentinel: { name: 'bluejay', password: 'password' } },
      tracing: { headers: { 'api-key': 'key' }, samplerRatio: 0.1 },
      s3: { forcePathStyle: false },
      http: { trustedProxyHops: 1, baseUrl: 'https://api.post.example.com', authUrl: 'https://post.example.com' },
    });
  });

  test('workers and render run each kind of work once, and only render opens documents', () => {
    const [workers = [], render = []] = ['workers', 'render'].map(
      (name) => readConfig(environmentOf(rendered.small.container(name), secrets)).workers,
    );
    expect(render).toEqual(['render']);
    expect([...workers, ...render].sort()).toEqual([...workerNames].sort());
  });

  test('every command of a container exists', () => {
    for (const workload of allWorkloads()) {
      const [program, file = '', subcommand] = podOf(workload).containers[0].command;
      expect([program, file, existsSync(join(root, file))]).toEqual(['node', file, true]);
      if (file === 'scripts/admin.ts') expect(commands.map(({ name }) => name)).toContain(subcommand);
    }
  });

  test('probes outlast an election of MongoDB, and liveness asks no store', () => {
    const httpPorts = readConfig(required).http;
    const expectedPorts = {
      api: httpPorts.metricsPort,
      workers: httpPorts.metricsPort + 1,
      render: httpPorts.metricsPort + 1,
    };
    for (const part of parts) {
      const { readinessProbe, livenessProbe, ports } = rendered.small.container(part);
      expect(ports).toContainEqual({ name: 'metrics', containerPort: expectedPorts[part], protocol: 'TCP' });
      expect([readinessProbe?.httpGet, livenessProbe?.httpGet]).toEqual([
        { path: '/readyz', port: 'metrics' },
        { path: '/healthz', port: 'metrics' },
      ]);
      const { periodSeconds = 0, failureThreshold = 0, timeoutSeconds = 0 } = readinessProbe ?? {};
      expect(periodSeconds * failureThreshold).toBeGreaterThan(electionS);
      expect(timeoutSeconds * 1_000).toBeGreaterThan(readinessTimeoutMs);
    }
  });

  test('a pod that ends gets more time than its process takes, also after the pause for proxies', () => {
    const source = readText('common/platform/process/run-process.ts');
    const hardExitS = Number(/hardExitMs = ([\d_]+)/.exec(source)?.[1]?.replaceAll('_', '')) / 1_000;
    for (const workload of rendered.scaled.workloads.filter(({ kind }) => kind === 'Deployment')) {
      const { terminationGracePeriodSeconds: graceS, containers } = podOf(workload);
      const pauseS = containers[0].lifecycle?.preStop.sleep.seconds ?? 0;
      expect([containers[0].name, pauseS]).toEqual([containers[0].name, containers[0].name === 'api' ? 5 : 0]);
      expect(graceS).toBeGreaterThan(pauseS + hardExitS);
    }
  });

  test('secrets are files by default, variables when asked, and never plain text', () => {
    for (const { workloads } of [rendered.small, rendered.scaled]) {
      for (const workload of workloads) {
        const [{ name, env, volumeMounts }] = podOf(workload).containers;
        if (name === 'render') continue;
        expect(env.filter(({ valueFrom }) => valueFrom !== undefined)).toEqual([]);
        expect(volumeMounts).toContainEqual({ name: 'secrets', mountPath: '/run/secrets/bluejay', readOnly: true });
      }
    }
    expect(secretsOf(rendered.variables.container('api'))).toEqual(base);
    expect(secretsOf(rendered.scaled.container('workers'))).toEqual(
      [...base, ...further].map((name) => `${name}_FILE`),
    );
  });

  test('render, which opens documents, gets only the secrets it needs, as variables', () => {
    const own = [...base, ...further].filter((name) => !['ENCRYPTION_KEYS', 'SMTP_URL'].includes(name));
    expect(secretsOf(rendered.scaled.container('render'))).toEqual(own);
    const pod = rendered.scaled.workloads.map(podOf).find(({ containers }) => containers[0].name === 'render');
    expect(pod?.volumes.map(({ name }) => name)).toEqual(['tmp']);
    expect(pod?.containers[0].volumeMounts.map(({ name }) => name)).toEqual(['tmp']);
  });

  test('migrations run before each installation and upgrade, the bucket is created when asked', () => {
    expect(rendered.small.names('Job')).toEqual(['bluejay-migrate']);
    expect(rendered.scaled.names('Job')).toEqual(['bluejay-migrate', 'bluejay-bucket']);
    for (const { kind, metadata } of rendered.scaled.manifests.filter(({ metadata: { name } }) =>
      /-(migrate|bucket|prepare)$/.test(name),
    ))
      expect([kind, metadata.annotations]).toEqual([
        kind,
        expect.objectContaining({
          'helm.sh/hook': 'pre-install,pre-upgrade',
          // helm must not take the network policy from a Job that still runs when it gives up waiting.
          'helm.sh/hook-delete-policy': `before-hook-creation${kind === 'Job' ? ',hook-succeeded' : ''}`,
        }),
      ]);
  });

  test('the alerts are those that promtool tests, for the job of the PodMonitor', () => {
    const [rule] = rendered.scaled.ofKind('PrometheusRule');
    expect(rule?.spec).toEqual(parse(readFileSync(join(root, rulesFile), 'utf8')));
    const [monitor] = rendered.scaled.ofKind('PodMonitor');
    const label = String(monitor?.spec?.jobLabel);
    const jobs = rendered.scaled.workloads.map(({ spec }) => spec.template.metadata.labels[label]);
    expect([...new Set(jobs)]).toEqual(['bluejay']);
    expect(readText(rulesFile)).toContain('up{job="bluejay"}');
    expect(rendered.small.names('PodMonitor')).toEqual([]);
  });

  test('without its budgets a drain evicts any pod, with them one of each Deployment at a time', () => {
    expect(rendered.variables.names('PodDisruptionBudget')).toEqual([]);
    const budgets = rendered.small.ofKind('PodDisruptionBudget');
    expect(budgets.map(({ metadata }) => metadata.name)).toEqual(parts.map((part) => `bluejay-${part}`));
    for (const { spec } of budgets)
      expect(spec).toMatchObject({ maxUnavailable: 1, unhealthyPodEvictionPolicy: 'AlwaysAllow' });
  });
});
