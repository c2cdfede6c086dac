import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';

/** A JSON Schema or another object of the document. */
export type JsonObject = { [name: string]: unknown };

export type SchemaRegistry = {
  /** Returns the JSON Schema of input. */
  ofRequest(schema: z.ZodType): JsonObject;
  /** Returns the JSON Schema of output. It allows additional properties, because later versions may add fields. */
  ofAnswer(schema: z.ZodType): JsonObject;
  /** The named schemas (`meta.id`), which others reference. */
  named: JsonObject;
};

/**
 * Creates the registry that converts zod schemas to JSON Schemas. It reads three keys of `meta`: `id` names a schema,
 * `documentedAs` replaces what zod would generate, and `isExclusive` turns a union into `oneOf`.
 */
export function createSchemaRegistry(): SchemaRegistry {
  const named: JsonObject = {};

  function write(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
    const { $schema: _, $defs = {}, ...own } = z.toJSONSchema(schema, { io, override: correct(io) });
    for (const [name, definition] of Object.entries($defs)) keep(name, linked(definition) as JsonObject);
    return linked(own) as JsonObject;
  }

  function keep(name: string, definition: JsonObject): void {
    const known = named[name];
    if (known && !isDeepStrictEqual(known, definition)) throw new Error(`Two different schemas are named ${name}`);
    named[name] = definition;
  }

  return {
    ofRequest: (schema) => write(schema, 'input'),
    ofAnswer: (schema) => write(schema, 'output'),
    named,
  };
}

type JsonSchema = z.core.JSONSchema.BaseSchema;
type Correction = { zodSchema: z.core.$ZodType; jsonSchema: JsonSchema };

function correct(io: 'input' | 'output') {
  return ({ zodSchema, jsonSchema }: Correction): void => {
    const { documentedAs, isExclusive } = z.globalRegistry.get(zodSchema) ?? {};
    if (isExclusive === true && jsonSchema.anyOf) {
      jsonSchema.oneOf = jsonSchema.anyOf;
      delete jsonSchema.anyOf;
      delete jsonSchema.isExclusive;
    }
    if (documentedAs !== undefined) {
      const { description } = jsonSchema;
      for (const keyword of Object.keys(jsonSchema)) delete jsonSchema[keyword];
      Object.assign(jsonSchema, documentedAs, description !== undefined && { description });
    }
    // JSON Schema has no such format: the encoding and the pattern say it.
    if (jsonSchema.format === 'base64') delete jsonSchema.format;
    // The pattern only repeats the date-time format.
    if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
    foldNull(jsonSchema);
    if (io === 'output') open(jsonSchema);
  };
}

/** Writes a nullable type as `type: [type, 'null']` instead of `anyOf`, where that is equivalent. */
function foldNull(jsonSchema: JsonSchema): void {
  const [first, second, third] = jsonSchema.anyOf ?? [];
  const isFoldable = typeof first?.type === 'string' && first.enum === undefined && first.const === undefined;
  if (!isFoldable || second?.type !== 'null' || third !== undefined || first.type === 'object') return;
  delete jsonSchema.anyOf;
  Object.assign(jsonSchema, { ...first, ...jsonSchema, type: [first.type, 'null'] });
}

/** Removes from an output schema what carries no information or forbids later additions. */
function open(jsonSchema: JsonSchema): void {
  const { propertyNames, additionalProperties } = jsonSchema;
  const names = typeof propertyNames === 'object' ? propertyNames.enum : undefined;
  if (names !== undefined && additionalProperties !== undefined) {
    // A record with a closed set of keys reads better as an object.
    jsonSchema.properties = Object.fromEntries(names.map((name) => [String(name), additionalProperties]));
    delete jsonSchema.propertyNames;
    delete jsonSchema.additionalProperties;
  }
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}

/** Rewrites references from `$defs` to the components of the document. */
function linked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(linked);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) =>
      name === '$ref' && typeof part === 'string'
        ? [name, part.replace('#/$defs/', '#/components/schemas/')]
        : [name, linked(part)],
    ),
  );
}
