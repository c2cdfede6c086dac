import { z } from 'zod';
import { type IdPrefix, idPrefixes, isId } from '../common/ids.ts';

/** An id in a path. One that cannot be an id of this kind is answered like one that nobody has. */
export function idOf(prefix: IdPrefix) {
  return z
    .string()
    .refine((text) => isId(prefix, text))
    .meta({ pattern: `^${prefix}_`, description: `The id of the ${idPrefixes[prefix]}.` });
}

/** The path parameter `id`. */
export function pathId(prefix: IdPrefix) {
  return z.object({ id: idOf(prefix) });
}
