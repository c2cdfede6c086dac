import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';

/** A JSON Schema, or another object of the document. */
export type JsonObject = { [name: string]: unknown };

export type SchemaBook = {
  /** What a caller may send. */
  ofRequest(schema: z.ZodType): JsonObject;
  /** What a caller may receive: open, as new fields may come. */
  ofAnswer(schema: z.ZodType): JsonObject;
  /** The schemas that have a name (`meta.id`), to which the others refer. */
  named: JsonObject;
};

/**
 * Turns the schemas of the routes into JSON Schemas. Three keys of `meta` matter here: `id` names a schema, `documentedAs`
 * takes the place of what zod would write, and `isExclusive` says of a union that a value fits only one of its shapes.
 */
export function createSchemaBook(): SchemaBook {
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
    // It only spells out the calendar.
    if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
    foldNull(jsonSchema);
    if (io === 'output') open(jsonSchema);
  };
}

/** Writes "this or null" as one schema with two types, where that says the same. */
function foldNull(jsonSchema: JsonSchema): void {
  const [first, second, third] = jsonSchema.anyOf ?? [];
  const isFoldable = typeof first?.type === 'string' && first.enum === undefined && first.const === undefined;
  if (!isFoldable || second?.type !== 'null' || third !== undefined || first.type === 'object') return;
  delete jsonSchema.anyOf;
  Object.assign(jsonSchema, { ...first, ...jsonSchema, type: [first.type, 'null'] });
}

/** Takes from the schema of an answer what says nothing to its reader, or forbids what later versions may add. */
function open(jsonSchema: JsonSchema): void {
  const { propertyNames, additionalProperties } = jsonSchema;
  const names = typeof propertyNames === 'object' ? propertyNames.enum : undefined;
  if (names !== undefined && additionalProperties !== undefined) {
    // A record whose keys are all known reads better as an object.
    jsonSchema.properties = Object.fromEntries(names.map((name) => [String(name), additionalProperties]));
    delete jsonSchema.propertyNames;
    delete jsonSchema.additionalProperties;
  }
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}

/** The same with references that lead to where the document keeps its schemas. */
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
