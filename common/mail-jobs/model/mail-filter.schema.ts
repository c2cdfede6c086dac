import { z } from 'zod';
import { createdRange, Moment } from '#common/fields/moment.schema.ts';
import { lineOfText } from '#common/fields/text.schema.ts';
import { serviceTypes, zones } from '#common/services.ts';
import { mailStatuses } from './mail-status.ts';
import { Metadata } from './metadata.schema.ts';

/** Filters of a list of mail jobs. A job must match all of them. */
export const mailFilterFields = {
  status: z.enum(mailStatuses).optional(),
  zone: z.enum(zones).optional(),
  serviceType: z.enum(serviceTypes).optional(),
  externalId: lineOfText(255).optional(),
  ...createdRange,
  updatedAfter: Moment.optional().describe(
    'Changed its status, was created, or had a copy come back, at this moment or later.',
  ),
  metadata: Metadata.optional().describe('`metadata[key]=value`: has this entry; of several, all.'),
};

const MailFilter = z.object(mailFilterFields);
export type MailFilter = z.infer<typeof MailFilter>;
