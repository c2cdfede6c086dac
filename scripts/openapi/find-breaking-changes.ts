import { type Comparison, compareSchemas, type JsonSchema, type Schemas } from './compare-schemas.ts';

type Content = { content?: { 'application/json'?: { schema: JsonSchema } } };
type Parameter = { name: string; in: string; required?: boolean; schema: JsonSchema };

type Operation = {
  parameters?: Parameter[];
  requestBody?: Content & { required?: boolean };
  responses: Record<string, Content>;
};

/** An OpenAPI document, limited to what is compared. */
export type OpenApiDocument = {
  paths: Record<string, Record<string, Operation>>;
  webhooks: Record<string, { post: Operation }>;
  components: { schemas: Schemas };
};

type Sides<Part> = { before: Part; after: Part };
type Compare = (direction: Comparison['direction'], sides: Sides<JsonSchema>, path: string) => string[];

/**
 * Returns the changes between two documents that break existing clients, one line each: removed operations, fields and
 * answers, narrower types and values in requests, wider ones in answers, and newly required fields.
 */
export function findBreakingChanges(before: OpenApiDocument, after: OpenApiDocument): string[] {
  const schemas = { before: before.components.schemas, after: after.components.schemas };
  const compare: Compare = (direction, sides, path) =>
    compareSchemas(sides.before, sides.after, path, { direction, ...schemas });

  const findings = Object.entries(before.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) => {
      const name = `${method.toUpperCase()} ${path}`;
      const now = after.paths[path]?.[method];
      return now ? compareOperations({ before: operation, after: now }, name, compare) : [`${name}: is gone`];
    }),
  );
  const events = Object.entries(before.webhooks).flatMap(([name, { post }]) => {
    const now = after.webhooks[name]?.post;
    return now ? compareEvents({ before: post, after: now }, name, compare) : [`${name}: is gone`];
  });
  const errorBodies = { before: schemas.before.Error ?? {}, after: schemas.after.Error ?? {} };
  return [...findings, ...events, ...compare('received', errorBodies, 'errors')];
}

function compareOperations(sides: Sides<Operation>, name: string, compare: Compare): string[] {
  const { before, after } = sides;
  const answers = Object.entries(before.responses).flatMap(([status, answer]) => {
    // Error answers share one body, and the set of error statuses is not part of the contract.
    if (!/^2/.test(status)) return [];
    const now = after.responses[status];
    if (!now) return [`${name} ${status}: is gone`];
    return compareBodies('received', { before: answer, after: now }, `${name} ${status}`, compare);
  });
  return [...compareParameters(sides, name, compare), ...compareRequests(sides, name, compare), ...answers];
}

function compareParameters({ before, after }: Sides<Operation>, name: string, compare: Compare): string[] {
  const [old, now] = [before.parameters ?? [], after.parameters ?? []];
  const same = (one: Parameter) => (other: Parameter) => one.in === other.in && one.name === other.name;
  const demanded = now.filter((each) => each.required && !old.find(same(each))?.required);
  return [
    ...demanded.map((each) => `${name} ${each.in} ${each.name}: is now required`),
    ...old.flatMap((each) => {
      const path = `${name} ${each.in} ${each.name}`;
      const match = now.find(same(each));
      if (!match) return [`${path}: is no longer taken`];
      return compare('sent', { before: each.schema, after: match.schema }, path);
    }),
  ];
}

function compareRequests({ before, after }: Sides<Operation>, name: string, compare: Compare): string[] {
  const [old, now] = [before.requestBody, after.requestBody];
  const isDemanded = now?.required === true && old?.required !== true;
  const findings = isDemanded ? [`${name} body: is now required`] : [];
  if (!old) return findings;
  if (!now) return [`${name} body: is no longer taken`];
  return [...findings, ...compareBodies('sent', { before: old, after: now }, `${name} body`, compare)];
}

function compareEvents({ before, after }: Sides<Operation>, name: string, compare: Compare): string[] {
  const now = after.parameters ?? [];
  const gone = (before.parameters ?? []).filter((header) => !now.some((each) => each.name === header.name));
  const bodies = { before: before.requestBody ?? {}, after: after.requestBody ?? {} };
  return [
    ...gone.map((header) => `${name} header ${header.name}: is gone`),
    ...compareBodies('received', bodies, name, compare),
  ];
}

function compareBodies(
  direction: Comparison['direction'],
  sides: Sides<Content>,
  path: string,
  compare: Compare,
): string[] {
  const [before, after] = [sides.before, sides.after].map(({ content }) => content?.['application/json']?.schema);
  if (!before) return [];
  return after ? compare(direction, { before, after }, path) : [`${path}: has no body any more`];
}
