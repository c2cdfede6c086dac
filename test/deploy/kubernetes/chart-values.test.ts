// Level: ci
import { readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { parse } from 'yaml';
import { environmentNames } from '#common/config/config.ts';
import { secretFileNames } from '#common/config/secret-files.ts';
import { describe, expect, test } from '#test/support/jest.ts';
import { problemsOf, required } from '#test/support/project/environment.ts';
import { chart, defaultValues, exampleFile, examples } from '#test/support/project/helm-chart.ts';
import { readText } from '#test/support/project/markdown.ts';

type Schema = {
  type?: string;
  description?: string;
  properties?: Record<string, Schema>;
  additionalProperties?: unknown;
  items?: Schema;
  enum?: string[];
  minimum?: number;
  maximum?: number;
  $ref?: string;
  definitions?: Record<string, Schema>;
};

const schema = JSON.parse(readText(`${chart}/values.schema.json`)) as Schema;
const validate = new Ajv({ allErrors: true, allowUnionTypes: true }).compile(schema);
const config = Object.entries(schema.properties?.config?.properties ?? {});

/** Merges values as helm does: objects by key, everything else as a whole. */
function merge(values: unknown, others: unknown): unknown {
  const isObject = (value: unknown) => value !== null && typeof value === 'object' && !Array.isArray(value);
  if (!isObject(values) || !isObject(others)) return others;
  const merged = { ...(values as Record<string, unknown>) };
  for (const [name, value] of Object.entries(others as object)) merged[name] = merge(merged[name], value);
  return merged;
}

const problemsWith = (values: unknown) => {
  validate(merge(defaultValues, values));
  return (validate.errors ?? []).map(({ instancePath, params }) =>
    [instancePath, params.missingProperty ?? params.additionalProperty].filter((part) => part !== undefined).join('/'),
  );
};
const small = parse(readFileSync(exampleFile('small'), 'utf8'));

describe('the values of the Helm chart', () => {
  test('every variable of the product can be set in config, or the chart sets it', () => {
    const byChart = ['NODE_ENV', 'WORKERS', 'HOT_FOLDER', 'CARRIER_FOLDER'];
    const fixed = ['PORT', 'WEB_PORT', 'METRICS_PORT', 'LISTEN_HOST', 'METRICS_HOST', 'DATA_DIR'];
    const template = readText(`${chart}/templates/_environment.tpl`);
    const keys = /define "bluejay\.secretKeys" -}}(.*?){{- end }}\n\n/s.exec(template)?.[1] ?? '';
    // Only those that the chart takes from the Secret, each also as a file.
    const secrets = secretFileNames.filter((name) => new RegExp(`\\b${name.replace('_FILE', '')}\\b`).test(keys));
    const settable = config.map(([name]) => name);
    expect(
      [...settable, ...byChart, ...fixed, ...secrets, ...secrets.map((name) => name.replace('_FILE', ''))].sort(),
    ).toEqual([...environmentNames].sort());
  });

  test.each(config)('config.%s has the limits of the product', (name, { type, enum: words, minimum, maximum }) => {
    const isAccepted = (value: unknown) => !problemsOf({ ...required, [name]: String(value) }).includes(name);
    if (type === 'boolean')
      expect([isAccepted(true), isAccepted(false), isAccepted('yes')]).toEqual([true, true, false]);
    if (words) expect([words.every(isAccepted), isAccepted('other')]).toEqual([true, false]);
    if (type !== 'integer' || minimum === undefined || maximum === undefined) {
      expect([name, type]).not.toEqual([name, 'integer']);
      return;
    }
    expect([minimum, maximum].map(isAccepted)).toEqual([true, true]);
    expect([minimum - 1, maximum + 1].map(isAccepted)).toEqual([false, false]);
  });

  test('every value is explained, and unknown ones are refused at every level', () => {
    const problems: string[] = [];
    const walk = (path: string, node: Schema) => {
      if (!node.description && !node.$ref && !path.startsWith('/definitions/'))
        problems.push(`${path}: no description`);
      if (node.properties && node.additionalProperties !== false) problems.push(`${path}: open`);
      for (const [name, child] of Object.entries(node.properties ?? {})) {
        if (!/^\/definitions\/resources/.test(path)) walk(`${path}/${name}`, child);
      }
      for (const [name, child] of Object.entries(node.definitions ?? {})) walk(`/definitions/${name}`, child);
    };
    walk('', schema);
    expect(problems).toEqual([]);
    expect(problemsWith({ ...small, colour: 'red' })).toEqual(['/colour']);
    expect(problemsWith(merge(small, { config: { RATE_LIMITS: 1 } }))).toEqual(['/config/RATE_LIMITS']);
    expect(problemsWith(merge(small, { api: { autoscaling: { min: 1 } } }))).toEqual(['/api/autoscaling/min']);
  });

  test.each(examples)('the example %s is valid', (name) => {
    expect(problemsWith(parse(readFileSync(exampleFile(name), 'utf8')))).toEqual([]);
  });

  test('the defaults lack only what an installation must say', () => {
    const missing = [...new Set(problemsWith({}))];
    expect(missing.filter((path) => path !== '/networkPolicy')).toEqual([
      '/image/repository',
      '/config/BASE_URL',
      '/config/AUTH_URL',
      '/config/S3_ENDPOINT',
      '/secret/name',
      '/networkPolicy/stores',
    ]);
  });

  test('scaling by KEDA requires an expression', () => {
    const paths = problemsWith(merge(small, { api: { autoscaling: { by: 'keda' } } }));
    expect(paths).toEqual(expect.arrayContaining(['/api/autoscaling/query', '/api/autoscaling/threshold']));
    expect(problemsWith(merge(small, { workers: { autoscaling: { by: 'keda' } } }))).toEqual([]);
  });

  test('the chart installs the version of the product', () => {
    const { version } = JSON.parse(readText('package.json'));
    expect(parse(readText(`${chart}/Chart.yaml`)).appVersion).toBe(version);
  });
});
