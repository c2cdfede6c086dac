import { z } from 'zod';
import { plusMs } from './clock.ts';

const message = 'Give a date and time with offset, such as 2026-03-02T09:30:00Z; in an address write + as %2B.';

/** Finer than the times that are stored. */
const partOfMs = /\.\d{3}\d*[1-9]/;

/**
 * A moment that a list is cut at: trimmed, with offset. It becomes the first millisecond that is not before it, so that
 * "from then on" and "before then" stay exact for callers who give it finer.
 */
export const Moment = z
  .string()
  .trim()
  .pipe(z.iso.datetime({ offset: true, error: message }))
  .transform((text) => plusMs(new Date(text), partOfMs.test(text) ? 1 : 0))
  .meta({ documentedAs: { type: 'string', format: 'date-time' } });

/** The range of every list that goes by creation. */
export const createdRange = {
  createdAfter: Moment.optional().describe('Created at this moment or later; in an offset write `+` as `%2B`.'),
  createdBefore: Moment.optional().describe('Created before this moment.'),
};
