import { z } from 'zod';
import { type IdPrefix, isId } from '../common/ids.ts';

/** The path parameter `id`. One that cannot be an id of this kind is answered like one that nobody has. */
export function pathId(prefix: IdPrefix) {
  return z.object({ id: z.string().refine((text) => isId(prefix, text)) });
}
