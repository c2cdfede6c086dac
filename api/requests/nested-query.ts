import { z } from 'zod';

/** Matches `metadata[invoice]` as field name and key. */
const nestedName = /^([A-Za-z]+)\[([^[\]]*)\]$/;

/**
 * Wraps a query schema: parameters `name[key]=value` become the object `{ name: { key: value } }` for the given names.
 * Other parameters are passed through.
 */
export function nestedQuery<Schema extends z.ZodType>(names: readonly string[], schema: Schema) {
  return z.preprocess((query) => gather(names, query as Record<string, unknown>), schema);
}

function gather(names: readonly string[], query: Record<string, unknown>): Record<string, unknown> {
  // No prototype, because clients choose the keys.
  const gathered: Record<string, unknown> = Object.create(null);
  for (const [name, value] of Object.entries(query)) {
    const [, outer = '', key = ''] = nestedName.exec(name) ?? [];
    if (!names.includes(outer)) {
      gathered[name] = value;
      continue;
    }
    gathered[outer] ??= Object.create(null);
    const nested = gathered[outer];
    // With `metadata=x` next to `metadata[a]=y` the value stays a string, which the schema refuses.
    if (typeof nested === 'object') (nested as Record<string, unknown>)[key] = value;
  }
  return gathered;
}
