import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse, parseAllDocuments } from 'yaml';
import { findProgram, openOnce } from '../jest.ts';
import { readText, root } from './markdown.ts';

const run = promisify(execFile);

export const chart = 'scripts/deploy/helm/bluejay';
const examplesFolder = join(root, 'scripts/deploy/helm/examples');

/** The values files in `examples`, by name. */
export const examples = readdirSync(examplesFolder)
  .map((file) => file.replace('.yaml', ''))
  .sort();
export const exampleFile = (name: string): string => join(examplesFolder, `${name}.yaml`);

/** The parts of the chart that have a Deployment. */
export const parts = ['api', 'workers', 'render'] as const;

type Autoscaling = { by: string; query: string; threshold: number };
export type ChartValues = Record<(typeof parts)[number], { autoscaling: Autoscaling }> & Record<string, unknown>;

export const defaultValues = parse(readText(`${chart}/values.yaml`)) as ChartValues;

/** The expressions of Prometheus on which the chart scales by default. */
export const scalingQueries = parts
  .map((part) => defaultValues[part].autoscaling.query)
  .filter((query) => query !== '');

type Probe = {
  httpGet: { path: string; port: string };
  periodSeconds: number;
  timeoutSeconds: number;
  failureThreshold: number;
};
export type Container = {
  name: string;
  image: string;
  command: string[];
  env: { name: string; value?: string; valueFrom?: unknown }[];
  ports?: { name: string; containerPort: number }[];
  securityContext: Record<string, unknown>;
  volumeMounts: { name: string; mountPath: string }[];
  lifecycle?: { preStop: { sleep: { seconds: number } } };
  livenessProbe?: Probe;
  readinessProbe?: Probe;
  resources: Record<'requests' | 'limits', Record<string, string>>;
};
export type PodSpec = {
  automountServiceAccountToken: boolean;
  enableServiceLinks: boolean;
  serviceAccountName: string;
  securityContext: Record<string, unknown>;
  terminationGracePeriodSeconds?: number;
  volumes: { name: string; [kind: string]: unknown }[];
  containers: [Container];
  initContainers?: Container[];
};
/** A manifest of any kind. */
export type Manifest = {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; [field: string]: unknown };
  spec?: Record<string, unknown>;
  [field: string]: unknown;
};

/** A Deployment or Job. */
export type Workload = Manifest & {
  spec: { replicas?: number; template: { metadata: { labels: Record<string, string> }; spec: PodSpec } };
};

/** Runs helm. Throws with its message when it fails. */
export async function helm(...words: string[]): Promise<string> {
  const { stdout } = await run('helm', words, { cwd: root, maxBuffer: 16 * 1024 * 1024 });
  return stdout;
}

/** Renders an example, with further values as helm's `--set` takes them, by a copy of the chart where one is given. */
export async function renderExample(name: string, sets: readonly string[] = [], folder = chart) {
  const flags = ['--namespace', 'post', '--kube-version', '1.35', '--values', exampleFile(name)];
  const text = await helm('template', 'bluejay', folder, ...flags, ...sets.flatMap((set) => ['--set', set]));
  const manifests = parseAllDocuments(text).map((document): Manifest => document.toJS());
  const ofKind = (kind: string) => manifests.filter((manifest) => manifest.kind === kind);
  return {
    manifests,
    ofKind,
    names: (kind: string) => ofKind(kind).map(({ metadata }) => metadata.name),
    workloads: manifests.filter(({ kind }) => kind === 'Deployment' || kind === 'Job') as Workload[],
    /** The container of a Deployment or Job, by its name: that of the part. */
    container(named: string): Container {
      const specs = this.workloads.map(({ spec }) => spec.template.spec.containers[0]);
      const found = specs.find((container) => container.name === named);
      if (!found) throw new Error(`There is no container ${named}`);
      return found;
    },
  };
}

type Rendered = Awaited<ReturnType<typeof renderExample>>;

/** Renders all examples once for the tests of a file. Without helm, which skips those tests, it renders none. */
export function renderExamplesOnce() {
  return openOnce(async () => {
    const names = findProgram('helm') === undefined ? [] : examples;
    const rendered = names.map(async (name) => [name, await renderExample(name)] as const);
    return Object.fromEntries(await Promise.all(rendered)) as Record<'small' | 'scaled' | 'variables', Rendered>;
  });
}

/** Returns the environment of a container. Secrets have the values given here, whichever way they come. */
export function environmentOf({ env }: Container, secrets: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    env.map(({ name, value, valueFrom }) => {
      const secret = name.replace(/_FILE$/, '');
      return valueFrom || name !== secret ? [secret, secrets[secret] ?? ''] : [name, value ?? ''];
    }),
  );
}
