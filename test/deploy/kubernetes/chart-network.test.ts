// Level: ci
import { BlockList, isIPv6 } from 'node:net';
import { readConfig } from '#common/config/config.ts';
import { describe, expect, testWithPrograms } from '#test/support/jest.ts';
import { required } from '#test/support/project/environment.ts';
import { parts, renderExample, renderExamplesOnce } from '#test/support/project/helm-chart.ts';

const test = testWithPrograms('helm');

type Peer = { ipBlock?: { cidr: string; except?: string[] }; namespaceSelector?: unknown; podSelector?: unknown };
type Rule = { to?: Peer[]; from?: Peer[]; ports: { port: number | string }[] };
type Policy = { policyTypes: string[]; ingress?: Rule[]; egress: Rule[] };

describe('the network policies of the Helm chart', () => {
  const rendered = renderExamplesOnce();
  const policyOf = (example: 'small' | 'scaled', part: string): Policy => {
    const found = rendered[example].ofKind('NetworkPolicy').find(({ metadata }) => metadata.name === `bluejay-${part}`);
    return found?.spec as Policy;
  };
  const portsOf = (rules: readonly Rule[]) => rules.map(({ ports }) => ports.map(({ port }) => port));
  const [dns, stores] = [
    [53, 53],
    [27017, 6379, 7070],
  ];
  const inside4 = ['0.0.0.1', '10.1.0.1', '100.64.0.1', '127.0.0.1', '169.254.169.254', '172.16.0.1', '192.0.0.170'];
  const further4 = ['192.168.0.1', '198.19.255.255', '224.0.0.1', '254.1.2.3'];
  const translated = ['64:ff9b::a00:1', '64:ff9b:1::1', '2002:a00:1::1', '2001::1', '2001:0:ffff::1'];
  const inside = [...inside4, ...further4, '::1', 'fd00::1', 'fe80::1', 'ff02::1', ...translated];
  const isPublic = ({ to = [] }: Rule) => to.some(({ ipBlock }) => ipBlock?.cidr === '0.0.0.0/0');

  test('render and the jobs reach the stores and DNS, nothing else', () => {
    for (const part of ['render', 'prepare']) {
      const { egress, policyTypes } = policyOf('small', part);
      expect([policyTypes, portsOf(egress)]).toEqual([
        ['Ingress', 'Egress'],
        [dns, stores],
      ]);
      expect(egress.filter(isPublic)).toEqual([]);
    }
  });

  test('workers and API reach public addresses only, on the ports of webhooks and mail', () => {
    for (const part of ['api', 'workers']) {
      const rules = policyOf('small', part).egress;
      expect(portsOf(rules)).toEqual([dns, stores, readConfig(required).webhooks.ports]);
      const [v4, v6] = rules.find(isPublic)?.to ?? [];
      const refusing = new BlockList();
      for (const network of [v4, v6].flatMap((peer) => peer?.ipBlock?.except ?? [])) {
        const [address = '', bits] = network.split('/');
        refusing.addSubnet(address, Number(bits), isIPv6(address) ? 'ipv6' : 'ipv4');
      }
      const isRefused = (address: string) => refusing.check(address, isIPv6(address) ? 'ipv6' : 'ipv4');
      expect(inside.filter((address) => !isRefused(address))).toEqual([]);
      expect(['8.8.8.8', '192.1.0.1', '198.20.0.1', '2606:4700::1', '2001:1::1', '2003::1'].filter(isRefused)).toEqual(
        [],
      );
    }
    const scaled = policyOf('scaled', 'workers').egress;
    expect(portsOf(scaled).slice(3)).toEqual([[443, 8443, 465, 587], [443]]);
  });

  test('the ports of webhooks follow WEBHOOK_PORTS', async () => {
    const { ofKind } = await renderExample('small', ['config.WEBHOOK_PORTS=8444']);
    const workers = ofKind('NetworkPolicy').find(({ metadata }) => metadata.name === 'bluejay-workers')?.spec as Policy;
    expect(portsOf(workers.egress)).toEqual([dns, stores, [8444]]);
  });

  test('only the API accepts clients, and metrics are read by the namespace monitoring', () => {
    expect(portsOf(policyOf('small', 'api').ingress ?? [])).toEqual([['api', 'web'], ['metrics']]);
    expect(policyOf('small', 'api').ingress?.[0]?.from).toBeUndefined();
    expect(policyOf('scaled', 'api').ingress?.[0]?.from).toHaveLength(1);
    for (const part of ['workers', 'render'])
      expect(portsOf(policyOf('small', part).ingress ?? [])).toEqual([['metrics']]);
    expect(policyOf('small', 'prepare').ingress).toBeUndefined();
  });

  test('they can be switched off', () => {
    expect(rendered.variables.names('NetworkPolicy')).toEqual([]);
  });
});

describe('the autoscaling of the Helm chart', () => {
  const ways = ['none', 'cpu', 'keda'] as const;
  const scalers = { none: [], cpu: ['HorizontalPodAutoscaler'], keda: ['ScaledObject'] };

  test('each Deployment has one scaler at most, and then no number of pods', async () => {
    for (const by of ways) {
      const sets = parts.flatMap((part) => [`${part}.autoscaling.by=${by}`, `${part}.autoscaling.query=up`]);
      const url = 'keda.serverAddress=http://prometheus:9090';
      const { manifests, workloads } = await renderExample('small', [...sets, 'api.autoscaling.threshold=1', url]);
      const found = manifests.filter(({ kind }) => /Autoscaler|ScaledObject/.test(kind));
      const targets = found.map(({ kind, spec }) => [
        kind,
        (spec?.scaleTargetRef as { name: string } | undefined)?.name,
      ]);
      expect(targets.sort()).toEqual(
        parts.flatMap((part) => scalers[by].map((kind) => [kind, `bluejay-${part}`])).sort(),
      );
      const counts = workloads.filter(({ kind }) => kind === 'Deployment').map(({ spec }) => spec.replicas);
      expect(counts).toEqual(parts.map(() => (by === 'none' ? 2 : undefined)));
    }
  });
});

describe('values that the Helm chart refuses', () => {
  const host = 'https://post.example.com';
  const refused = [
    ['an unknown value', 'small', ['api.replica=3'], /replica/],
    ['no name of the Secret', 'small', ['secret.name='], /secret/],
    ['network policies without the stores', 'variables', ['networkPolicy.enabled=true'], /networkPolicy/],
    ['KEDA without the URL of Prometheus', 'scaled', ['keda.serverAddress='], /keda\.serverAddress is the URL/],
    [
      'an ingress that others can pass by',
      'small',
      ['ingress.enabled=true'],
      /networkPolicy\.clients names the ingress/,
    ],
    ['one host for API and web host', 'scaled', [`config.BASE_URL=${host}`], /same host post\.example\.com/],
  ] as const;
  for (const [title, example, sets, message] of refused) {
    test(`it says what is wrong with ${title}`, async () => {
      await expect(renderExample(example, sets)).rejects.toThrow(message);
    });
  }
});
