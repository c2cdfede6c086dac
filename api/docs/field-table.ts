import type { JsonObject } from '../openapi/schema-registry.ts';
import type { AnyRoute } from '../route.ts';
import { code, markdownTable } from './markdown-table.ts';

/** The keywords of JSON Schema that the table reads. */
type Schema = {
  $ref?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  enum?: unknown[];
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  maxProperties?: number;
};

type Operation = { requestBody?: { content: Record<string, { schema: Schema }> } };

/** Longer lists, such as that of the countries, are standards that the text names. */
const maxValues = 10;

/** Returns the table of the limits of all body fields. Fields with the same name and limit share a row. */
export function fieldTable(routes: readonly AnyRoute[], document: JsonObject): string {
  const paths = document.paths as Record<string, Record<string, Operation>>;
  const { schemas } = document.components as { schemas: Record<string, Schema> };
  const requestsOf = new Map<string, Set<string>>();

  function visit(field: string, given: Schema, request: string): void {
    const schema = given.$ref ? (schemas[given.$ref.split('/').at(-1) ?? ''] ?? {}) : given;
    const limit = limitOf(schema);
    if (field !== '' && limit !== undefined) {
      const row = `${code(field)}\n${limit}`;
      requestsOf.set(row, (requestsOf.get(row) ?? new Set()).add(request));
    }
    for (const [name, part] of Object.entries(schema.properties ?? {})) visit(name, part, request);
    for (const part of [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])]) visit(field, part, request);
    if (schema.items) visit('', schema.items, request);
  }

  for (const { method, path } of routes) {
    const body = paths[path]?.[method]?.requestBody?.content['application/json']?.schema;
    if (body) visit('', body, code(`${method.toUpperCase()} ${path}`));
  }
  const rows = [...requestsOf].map(([row, requests]) => [...row.split('\n'), [...requests].join(', ')]);
  return markdownTable(['Field', 'Limit', 'Requests'], rows);
}

/** Returns the limit of a value in words; undefined when it has none. */
function limitOf(schema: Schema): string | undefined {
  if (schema.enum) return schema.enum.length > maxValues ? undefined : schema.enum.map(code).join(', ');
  if (schema.maxLength !== undefined) return `${range(schema.minLength, schema.maxLength)} characters`;
  if (schema.maxItems !== undefined) return `${range(schema.minItems, schema.maxItems)} items`;
  if (schema.maxProperties !== undefined) return `at most ${schema.maxProperties} keys`;
  return schema.maximum !== undefined || schema.minimum !== undefined
    ? range(schema.minimum, schema.maximum)
    : undefined;
}

function range(min: number | undefined, max: number | undefined): string {
  const upper = max === undefined || max >= Number.MAX_SAFE_INTEGER ? undefined : max.toLocaleString('en');
  if (upper === undefined) return `at least ${min}`;
  return min === undefined ? `at most ${upper}` : `${min.toLocaleString('en')} to ${upper}`;
}
