import { z } from 'zod';
import { parseDay } from '../calendar.ts';

/** A day `yyyy-mm-dd` from 2000 to 2099. */
export const Day = z
  .string()
  .trim()
  .transform((text, { issues }) => {
    const day = parseDay(text);
    if (day) return day;
    issues.push({ code: 'custom', input: text, message: 'Give a day from 2000 to 2099, such as 2026-03-02.' });
    return z.NEVER;
  })
  .meta({ documentedAs: { type: 'string', format: 'date', pattern: '^20[0-9]{2}-[0-9]{2}-[0-9]{2}$' } });
