import { z } from 'zod';
import { openList } from '../open-list.schema.ts';

export const failureCodes = [
  'PAGE_COUNT_MISMATCH',
  'FILE_UNREADABLE',
  'FILE_CHANGED',
  'FILE_TYPE_MISMATCH',
  'PRINT_FAILED',
  'DEPOSIT_FAILED',
  'CANCELLED',
  'SIMULATED',
] as const;

/** Why a job or an item failed; the code for programs, the message for people. */
export const Failure = z.object({ code: openList(failureCodes), message: z.string() }).meta({ id: 'Failure' });
export type Failure = z.infer<typeof Failure>;
