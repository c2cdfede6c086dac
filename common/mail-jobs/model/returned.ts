import { z } from 'zod';
import { openEnum } from '#common/fields/open-enum.schema.ts';

/** Why a letter came back. An open list: it may grow. */
export const returnReasons = [
  'unknown_address',
  'moved',
  'refused',
  'unclaimed',
  'insufficient_address',
  'deceased',
  'other',
] as const;
export type ReturnReason = (typeof returnReasons)[number];

/** Why and when a copy came back, as stored. */
export type ReturnedRecord = { reason: ReturnReason; at: Date };

/** Why and when a copy came back, in answers. */
export const Returned = z
  .object({
    reason: openEnum(returnReasons),
    at: z.iso.datetime().describe('When it was recorded.'),
  })
  .meta({ id: 'Returned' });
export type Returned = z.infer<typeof Returned>;

export function toReturned({ reason, at }: ReturnedRecord): Returned {
  return { reason, at: at.toISOString() };
}
