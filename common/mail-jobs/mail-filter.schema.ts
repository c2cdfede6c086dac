import { z } from 'zod';
import { serviceTypes, zones } from '../pricing/tariff.schema.ts';
import { lineOfText } from '../text.schema.ts';
import { mailStatuses } from './lifecycle.ts';
import { Metadata } from './metadata.schema.ts';

const Moment = z.iso
  .datetime({ offset: true, error: 'Give a date and time with offset, such as 2026-03-02T09:30:00Z; write + as %2B.' })
  .transform((text) => new Date(text));

/** What a list of mail jobs can be narrowed to; a job must fit all that is given. */
export const mailFilterFields = {
  status: z.enum(mailStatuses).optional(),
  zone: z.enum(zones).optional(),
  serviceType: z.enum(serviceTypes).optional(),
  externalId: lineOfText(255).optional(),
  createdAfter: Moment.optional().describe('Created at this moment or later.'),
  createdBefore: Moment.optional().describe('Created before this moment.'),
  updatedAfter: Moment.optional().describe('Changed its status, or was created, at this moment or later.'),
  metadata: Metadata.optional().describe('`metadata[key]=value`: has this entry; of several, all.'),
};

const MailFilter = z.object(mailFilterFields);
export type MailFilter = z.infer<typeof MailFilter>;
