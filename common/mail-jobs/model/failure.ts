import { z } from 'zod';
import { openEnum } from '#common/fields/open-enum.schema.ts';

export const failureCodes = [
  'PAGE_COUNT_MISMATCH',
  'FILE_UNREADABLE',
  'FILE_CHANGED',
  'FILE_TYPE_MISMATCH',
  'ADDRESS_UNPRINTABLE',
  'PRINT_FAILED',
  'DEPOSIT_FAILED',
  'CANCELLED',
  'SIMULATED',
] as const;

/** Why a job or an item failed. Programs use the code, people read the message. */
export const Failure = z.object({ code: openEnum(failureCodes), message: z.string() }).meta({ id: 'Failure' });
export type Failure = z.infer<typeof Failure>;

/** What a cancellation says without the caller's reason, which may name a person. */
export const cancelledMessage = 'The sender cancelled the letter.';
