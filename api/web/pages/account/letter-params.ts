import { z } from 'zod';
import { isId } from '../../../../common/ids.ts';

/** What the pages about one letter have in their paths. */
export const letterParams = z.object({ mailJobId: z.string().refine((text) => isId('mj', text)) });
