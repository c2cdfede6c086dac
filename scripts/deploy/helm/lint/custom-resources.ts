import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';

/** A manifest of any kind. */
export type Manifest = {
  apiVersion: string;
  kind: string;
  metadata: { name: string; [field: string]: unknown };
  spec?: Record<string, unknown>;
};

export type CustomResources = {
  /** The modules from which `write-custom-resources.ts` took the schemas. */
  modules: string[];
  /** The keys that KEDA's prometheus scaler reads from the metadata of a trigger, which its schema leaves open. */
  triggerKeys: string[];
  /** The structural schema of each kind. */
  schemas: Record<string, object>;
};

export const customResourcesFile = join(import.meta.dirname, 'custom-resources.json');
let known: CustomResources | undefined;
/** Not when the module is loaded: the program that writes the file imports it too. */
function read(): CustomResources {
  known ??= JSON.parse(readFileSync(customResourcesFile, 'utf8')) as CustomResources;
  return known;
}

const ajv = new Ajv({ strict: false, allErrors: true, validateFormats: false });
const validators = new Map<string, ValidateFunction>();

/** Returns whether a kind is defined by another project and not by Kubernetes, whose linter does not know it. */
export function isCustom({ apiVersion }: Manifest): boolean {
  return /^(keda\.sh|monitoring\.coreos\.com)\//.test(apiVersion);
}

/** Returns what is wrong with a custom resource, one line per problem. */
export function checkCustomResource(manifest: Manifest): string[] {
  const { kind, metadata } = manifest;
  const schema = read().schemas[kind];
  if (!schema) return [`${kind} ${metadata.name}: there is no schema of this kind`];
  const validate = validators.get(kind) ?? ajv.compile(close(schema) as object);
  validators.set(kind, validate);
  validate(manifest);
  const problems = (validate.errors ?? []).map(({ instancePath, message, params }) =>
    [instancePath, message, params.additionalProperty].filter(Boolean).join(' '),
  );
  return [...problems, ...checkTriggers(manifest)].map((problem) => `${kind} ${metadata.name}: ${problem}`);
}

type Trigger = { type: string; metadata: Record<string, unknown> };

/** KEDA refuses unknown values of a trigger, but ignores unknown keys, such as a misspelt `ignoreNullValues`. */
function checkTriggers({ kind, spec }: Manifest): string[] {
  if (kind !== 'ScaledObject') return [];
  const triggers = (spec?.triggers ?? []) as Trigger[];
  return triggers.flatMap(({ type, metadata }, index) => {
    if (type !== 'prometheus') return [`/spec/triggers/${index} is not of the type prometheus`];
    const unknown = Object.keys(metadata).filter((key) => !read().triggerKeys.includes(key));
    return unknown.map((key) => `/spec/triggers/${index}/metadata must not have ${key}`);
  });
}

/** Returns a schema that refuses unknown fields, which the API server of Kubernetes silently drops. */
function close(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(close);
  if (schema === null || typeof schema !== 'object') return schema;
  const closed: Record<string, unknown> = Object.fromEntries(
    Object.entries(schema).map(([name, value]) => [name, close(value)]),
  );
  const isOpen = closed.additionalProperties !== undefined || closed['x-kubernetes-preserve-unknown-fields'] === true;
  return closed.type === 'object' && closed.properties && !isOpen ? { ...closed, additionalProperties: false } : closed;
}
