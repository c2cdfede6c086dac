type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
type Fields = { [name: string]: Json };

/**
 * Returns a copy of an OpenAPI document with what types need: without examples, headers of responses, error responses,
 * the limits of values and the events. The generated files are a quarter of the size.
 */
export function slimDocument(document: Fields): Fields {
  const { webhooks: _, ...rest } = document;
  return withoutErrors(slim(rest) as Fields);
}

const leftOut = new Set(['example', 'examples', 'pattern', 'propertyNames', 'if', 'then', 'else']);
/** Below these the names are the API's own, not keywords of a schema. */
const nameMaps = new Set(['properties', 'schemas', 'paths']);
const maxNamedValues = 50;

function slim(part: Json, isNameMap = false): Json {
  if (Array.isArray(part)) return part.map((item) => slim(item));
  if (typeof part !== 'object' || part === null) return part;
  // A union of all countries only makes messages of the compiler long.
  const isLong = Array.isArray(part.enum) && part.enum.length > maxNamedValues;
  const isKept = (name: string) => isNameMap || !(leftOut.has(name) || (isLong && name === 'enum'));
  const kept = Object.entries(part).filter(([name]) => isKept(name));
  const fields: Fields = Object.fromEntries(kept.map(([name, value]) => [name, slim(value, nameMaps.has(name))]));
  for (const name of isNameMap ? [] : ['anyOf', 'oneOf', 'allOf']) {
    // A choice between required fields becomes an index signature, which would let misspelt fields pass.
    const choices = fields[name];
    if ('properties' in fields && Array.isArray(choices) && choices.every(isCondition)) delete fields[name];
  }
  return fields;
}

const conditions = new Set(['required', 'not', 'type', 'additionalProperties']);

function isCondition(choice: Json): boolean {
  return Object.keys((choice ?? {}) as Fields).every((name) => conditions.has(name));
}

function withoutErrors(document: Fields): Fields {
  for (const path of Object.values((document.paths ?? {}) as Fields)) {
    for (const operation of Object.values(path as Fields)) {
      const responses = (operation as Fields).responses as Fields | undefined;
      for (const [status, response] of Object.entries(responses ?? {})) {
        if (status.startsWith('2')) delete (response as Fields).headers;
        else delete responses?.[status];
      }
    }
  }
  const { schemas = {} } = (document.components ?? {}) as Fields;
  return { ...document, components: { schemas } };
}
