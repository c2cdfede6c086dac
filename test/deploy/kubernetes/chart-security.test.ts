// Level: ci
import { describe, expect, testWithPrograms } from '#test/support/jest.ts';
import {
  chart,
  exampleFile,
  examples,
  helm,
  type Manifest,
  type PodSpec,
  parts,
  renderExamplesOnce,
} from '#test/support/project/helm-chart.ts';

const test = testWithPrograms('helm');

/** Every kind that the chart may create. None gives access to the API of Kubernetes. */
const kinds = [
  ...['ConfigMap', 'Deployment', 'HorizontalPodAutoscaler', 'Ingress', 'Job', 'NetworkPolicy', 'PodDisruptionBudget'],
  ...['PodMonitor', 'PrometheusRule', 'ScaledObject', 'Service', 'ServiceAccount'],
];
const metadataOf = ({ kind, metadata: { name } }: Manifest) => `${kind}/${name}`;

describe('the security of the Helm chart', () => {
  const rendered = renderExamplesOnce();
  const ofAll = () => examples.map((name) => rendered[name as keyof typeof rendered]);
  const allManifests = () => ofAll().flatMap(({ manifests }) => manifests);
  const allPods = () => ofAll().flatMap(({ workloads }) => workloads.map(({ spec }) => spec.template.spec));
  const containersOf = (pod: PodSpec) => [...pod.containers, ...(pod.initContainers ?? [])];
  const allContainers = () => allPods().flatMap(containersOf);

  test.each(examples)('helm lint accepts the chart with the values of the example %s', async (example) => {
    const words = ['lint', '--strict', '--quiet', chart, '--values', exampleFile(example)];
    expect(await helm(...words)).not.toContain('[WARNING]');
  });

  test('no pod runs as root, with the profile of another node, or shares anything of the node', () => {
    for (const pod of allPods()) {
      expect(pod.securityContext).toEqual({
        runAsNonRoot: true,
        runAsUser: 10001,
        runAsGroup: 10001,
        fsGroup: 10001,
        fsGroupChangePolicy: 'OnRootMismatch',
        seccompProfile: { type: 'RuntimeDefault' },
      });
      expect(Object.keys(pod).filter((field) => field.startsWith('host'))).toEqual([]);
      const sources = pod.volumes.flatMap(({ name: _, ...source }) => Object.keys(source));
      expect(sources.filter((kind) => !['emptyDir', 'secret', 'persistentVolumeClaim'].includes(kind))).toEqual([]);
      expect(containersOf(pod).flatMap(({ ports = [] }) => ports.filter((port) => 'hostPort' in port))).toEqual([]);
    }
  });

  test('no container can write its files, gain privileges, or keeps a capability', () => {
    for (const { name, securityContext } of allContainers())
      expect([name, securityContext]).toEqual([
        name,
        { allowPrivilegeEscalation: false, readOnlyRootFilesystem: true, capabilities: { drop: ['ALL'] } },
      ]);
  });

  test('every container requests and is limited to processors, memory and disk', () => {
    const amounts = { cpu: expect.anything(), memory: expect.anything(), 'ephemeral-storage': expect.anything() };
    for (const { name, resources } of allContainers())
      expect([name, resources]).toEqual([name, { requests: amounts, limits: amounts }]);
  });

  test('every container runs an image that is pinned by its digest', () => {
    for (const { name, image } of allContainers())
      expect([name, image]).toEqual([
        name,
        expect.stringMatching(/^registry\.example\.com\/bluejay:\S+@sha256:0{64}$/),
      ]);
  });

  test('no pod has a token or a right at the API of Kubernetes', () => {
    const accounts = allManifests().filter(({ kind }) => kind === 'ServiceAccount');
    for (const holder of [...accounts, ...allPods()])
      expect(holder).toMatchObject({ automountServiceAccountToken: false });
    for (const { serviceAccountName, enableServiceLinks } of allPods()) {
      expect(accounts.map(({ metadata }) => metadata.name)).toContain(serviceAccountName);
      expect(enableServiceLinks).toBe(false);
    }
    expect(allManifests().filter(({ kind }) => !kinds.includes(kind))).toEqual([]);
    const elsewhere = allManifests().filter(({ metadata: { namespace } }) => namespace !== 'post');
    expect(elsewhere.map(metadataOf)).toEqual([]);
  });

  test('a network policy limits what each pod reaches and who reaches it', () => {
    type Policy = { podSelector: { matchLabels: Record<string, string> }; policyTypes: string[] };
    for (const { ofKind, workloads } of [rendered.small, rendered.scaled]) {
      const policies = ofKind('NetworkPolicy').map(({ spec }) => spec as Policy);
      for (const { metadata, spec } of workloads) {
        const { labels } = spec.template.metadata;
        const isOf = ({ podSelector }: Policy) =>
          Object.entries(podSelector.matchLabels).every(([name, value]) => labels[name] === value);
        const limited = policies.filter(isOf).map(({ policyTypes }) => policyTypes);
        expect([metadata.name, limited]).toEqual([metadata.name, [['Ingress', 'Egress']]]);
      }
    }
  });

  // Kubernetes drops unknown fields of these, and the proof installs none of them.
  test('scalers, monitors and ingress have the fields that their definitions know', () => {
    const { ofKind } = rendered.scaled;
    const target = (part: string) => ({ apiVersion: 'apps/v1', kind: 'Deployment', name: `bluejay-${part}` });
    expect(ofKind('HorizontalPodAutoscaler').map(({ spec }) => spec)).toEqual([
      {
        scaleTargetRef: target('api'),
        minReplicas: 3,
        maxReplicas: 12,
        metrics: [
          { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 70 } } },
        ],
      },
    ]);
    expect(ofKind('ScaledObject').map(({ spec }) => spec)).toEqual(
      [['workers', 8, '500'] as const, ['render', 24, '7.5'] as const].map(([part, maxReplicaCount, threshold]) => ({
        scaleTargetRef: target(part),
        minReplicaCount: 2,
        maxReplicaCount,
        pollingInterval: 30,
        fallback: { failureThreshold: 3, replicas: 2, behavior: 'currentReplicasIfHigher' },
        triggers: [
          {
            type: 'prometheus',
            metricType: 'AverageValue',
            metadata: {
              serverAddress: 'http://prometheus-operated.monitoring.svc:9090',
              query: expect.stringMatching(/^max\(/),
              threshold,
              ignoreNullValues: 'false',
            },
            authenticationRef: { name: 'prometheus' },
          },
        ],
      })),
    );
    const component = { key: 'app.kubernetes.io/component', operator: 'In', values: parts };
    expect(ofKind('PodMonitor').map(({ spec }) => spec)).toEqual([
      {
        jobLabel: 'app.kubernetes.io/name',
        selector: {
          matchLabels: { 'app.kubernetes.io/name': 'bluejay', 'app.kubernetes.io/instance': 'bluejay' },
          matchExpressions: [component],
        },
        podMetricsEndpoints: [{ port: 'metrics', path: '/metrics', interval: '15s' }],
      },
    ]);
    const hosts = { api: 'api.post.example.com', web: 'post.example.com' };
    expect(ofKind('Ingress').map(({ spec }) => spec)).toEqual([
      {
        ingressClassName: 'nginx',
        tls: Object.entries(hosts).map(([name, host]) => ({ hosts: [host], secretName: `${name}-tls` })),
        rules: Object.entries(hosts).map(([name, host]) => ({
          host,
          http: {
            paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 'bluejay', port: { name } } } }],
          },
        })),
      },
    ]);
  });
});
