import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { runProgram } from '#scripts/program/run-program.ts';
import { type CustomResources, customResourcesFile } from './custom-resources.ts';

const keda = 'github.com/kedacore/keda/v2@v2.21.0';
const prometheus = 'github.com/prometheus-operator/prometheus-operator@v0.85.0';
const crds = [
  { kind: 'ScaledObject', module: keda, file: 'config/crd/bases/keda.sh_scaledobjects.yaml' },
  ...['PodMonitor', 'PrometheusRule'].map((kind) => ({
    kind,
    module: prometheus,
    file: `example/prometheus-operator-crd/monitoring.coreos.com_${kind.toLowerCase()}s.yaml`,
  })),
];

function downloadModule(module: string): string {
  const answer = execFileSync('go', ['mod', 'download', '-json', module], { encoding: 'utf8' });
  return (JSON.parse(answer) as { Dir: string }).Dir;
}

type Crd = { spec: { versions: { schema: { openAPIV3Schema: object } }[] } };

/**
 * Removes descriptions, which are most of the text, the rules that only the API server evaluates, and patterns with flags
 * of Go that JavaScript does not know.
 */
function strip(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(strip);
  if (value === null || typeof value !== 'object') return value;
  const kept = Object.entries(value).filter(
    ([name, field]) =>
      !(name === 'description' && typeof field === 'string') &&
      !(name === 'pattern' && String(field).includes('(?i)')) &&
      !/^x-kubernetes-(validations|list|map|int)/.test(name),
  );
  return Object.fromEntries(kept.map(([name, field]) => [name, strip(field)]));
}

// Writes custom-resources.json from the Go modules of the projects that define them. Needs Go. `npm run format` next.
await runProgram(async () => {
  const schemas = crds.map(({ kind, module, file }) => {
    const { spec } = parse(readFileSync(join(downloadModule(module), file), 'utf8')) as Crd;
    return [kind, strip(spec.versions[0]?.schema.openAPIV3Schema) as object] as const;
  });
  const scaler = readFileSync(join(downloadModule(keda), 'pkg/scalers/prometheus_scaler.go'), 'utf8');
  const tags = [...scaler.matchAll(/`keda:"name=(\w+), +order=triggerMetadata/g)];
  const result: CustomResources = {
    modules: [keda, prometheus],
    // Where a scaler logs in is read by another type.
    triggerKeys: [...tags.map(([, key = '']) => key), 'authModes'],
    schemas: Object.fromEntries(schemas),
  };
  writeFileSync(customResourcesFile, `${JSON.stringify(result, null, 2)}\n`);
  process.stdout.write(`Written from ${result.modules.join(' and ')}.\n`);
  return 0;
});
