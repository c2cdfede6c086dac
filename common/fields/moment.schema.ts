import { z } from 'zod';
import { plusMs } from '../clock.ts';

const message = 'Give a date and time with offset, such as 2026-03-02T09:30:00Z; in an address write + as %2B.';

/** Matches a precision finer than milliseconds. */
const partOfMs = /\.\d{3}\d*[1-9]/;

/**
 * A date and time with offset that bounds a list. It is rounded up to the next millisecond, so "from" and "before" stay
 * exact when a caller gives finer times than are stored.
 */
export const Moment = z
  .string()
  .trim()
  .pipe(z.iso.datetime({ offset: true, error: message }))
  .transform((text) => plusMs(new Date(text), partOfMs.test(text) ? 1 : 0))
  .meta({ documentedAs: { type: 'string', format: 'date-time' } });

/** The creation-time filter of lists. */
export const createdRange = {
  createdAfter: Moment.optional().describe('Created at this moment or later; in an offset write `+` as `%2B`.'),
  createdBefore: Moment.optional().describe('Created before this moment.'),
};
