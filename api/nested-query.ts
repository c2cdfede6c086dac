import { z } from 'zod';

/** `metadata[invoice]`: the name of a field and the key in it. */
const nestedName = /^([A-Za-z]+)\[([^[\]]*)\]$/;

/**
 * A query in which `name[key]=value` parameters make up the object `name`, for the names that are given. The schema sees
 * `{ name: { key: value } }`; everything else stays as it came.
 */
export function nestedQuery<Schema extends z.ZodType>(names: readonly string[], schema: Schema) {
  return z.preprocess((query) => gather(names, query as Record<string, unknown>), schema);
}

function gather(names: readonly string[], query: Record<string, unknown>): Record<string, unknown> {
  // Without a prototype, as what callers name a key must not reach one.
  const gathered: Record<string, unknown> = Object.create(null);
  for (const [name, value] of Object.entries(query)) {
    const [, outer = '', key = ''] = nestedName.exec(name) ?? [];
    if (!names.includes(outer)) {
      gathered[name] = value;
      continue;
    }
    gathered[outer] ??= Object.create(null);
    const nested = gathered[outer];
    // `metadata=x` beside `metadata[a]=y` stays a text, which the schema refuses.
    if (typeof nested === 'object') (nested as Record<string, unknown>)[key] = value;
  }
  return gathered;
}
