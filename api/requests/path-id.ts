import { z } from 'zod';
import { type IdPrefix, idPrefixes, isId } from '#common/ids.ts';

/** Returns the schema of an ID in a path. Malformed IDs are NOT_FOUND, like unknown ones. */
export function idOf(prefix: IdPrefix) {
  return z
    .string()
    .refine((text) => isId(prefix, text))
    .meta({ pattern: `^${prefix}_`, description: `ID of the ${idPrefixes[prefix]}.` });
}

/** Returns the schema of a path with the parameter `id`. */
export function pathId(prefix: IdPrefix) {
  return z.object({ id: idOf(prefix) });
}
