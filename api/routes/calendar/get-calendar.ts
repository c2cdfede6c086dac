import { z } from 'zod';
import { aCalendar, calendarRange } from '#api/openapi/examples/letter-examples.ts';
import { defineRoute, reply } from '#api/route.ts';
import { type CalendarDay, completeDayRange, listCalendar, timeZone } from '#common/calendar.ts';
import { Day } from '#common/fields/day.schema.ts';
import { serviceTypes } from '#common/services.ts';

const CutoffView = z.object({
  serviceType: z.enum(serviceTypes),
  dropAt: z.iso
    .datetime()
    .nullable()
    .describe('When letters must be at the post office; null on days that are not working days.'),
  closesAt: z.iso
    .datetime()
    .nullable()
    .describe('When the batch of this cutoff closes. A letter sent at this moment or later goes with the next one.'),
});

const CalendarView = z
  .object({
    timeZone: z.literal(timeZone).describe('The time zone of the days.'),
    leadMinutes: z.int().describe('How long before its cutoff a batch closes.'),
    data: z
      .array(
        z.object({
          date: z.iso.date(),
          isWorkingDay: z.boolean(),
          holiday: z.string().nullable().describe('The public holiday on this day, in English.'),
          cutoffs: z.array(CutoffView).describe('One of each service.'),
        }),
      )
      .describe('One of each day, in order.'),
  })
  .meta({ id: 'Calendar' });

export const getCalendar = defineRoute({
  method: 'get',
  path: '/v1/calendar',
  scope: 'read',
  operationId: 'getCalendar',
  summary: 'List cutoffs and days without post',
  description:
    'Working days are Monday to Friday except Belgian public holidays. A letter goes with the first cutoff of its service whose `closesAt` is in the future, and whose `dropAt` is not before the `scheduledDropAt` of the letter. At most 366 days.',
  query: z.strictObject({
    from: Day.optional().describe('The first day, `yyyy-mm-dd` from 2000 to 2099. Absent: today in Brussels.'),
    to: Day.optional().describe('The last day, not before `from`. Absent: 30 days after `from`.'),
  }),
  responses: { 200: CalendarView },
  errors: [],
  example: { query: calendarRange, responses: { 200: aCalendar } },

  async handle({ query, now }, { cutoffs }) {
    const days = listCalendar(completeDayRange(query, now), cutoffs);
    const data = days.map((day) => ({ ...day, cutoffs: day.cutoffs.map(toCutoffView) }));
    return reply(200, { timeZone, leadMinutes: cutoffs.leadMinutes, data });
  },
});

function toCutoffView({ serviceType, dropAt, closesAt }: CalendarDay['cutoffs'][number]): z.infer<typeof CutoffView> {
  return { serviceType, dropAt: dropAt?.toISOString() ?? null, closesAt: closesAt?.toISOString() ?? null };
}
