import { z } from 'zod';
import { type IdPrefix, idPrefixes, isId } from '../common/ids.ts';

/** The path parameter `id`. One that cannot be an id of this kind is answered like one that nobody has. */
export function pathId(prefix: IdPrefix) {
  const id = z
    .string()
    .refine((text) => isId(prefix, text))
    .meta({ pattern: `^${prefix}_`, description: `The id of the ${idPrefixes[prefix]}.` });
  return z.object({ id });
}
