import { z } from 'zod';
import { mailStatuses } from '../../common/mail-jobs/lifecycle.ts';
import { MailSummary, toMailSummary } from '../../common/mail-jobs/mail-job.view.ts';
import { listMailJobs } from '../../common/mail-jobs/read-mail-jobs.ts';
import { lineOfText } from '../../common/text.schema.ts';
import { aMailJobSummary } from '../examples.ts';
import { pageOf, pageQuery, toPage } from '../page.ts';
import { defineRoute, reply } from '../route.ts';

/** The caller's mail jobs, newest first. */
export const listMails = defineRoute({
  method: 'get',
  path: '/v1/mails',
  scope: 'read',
  operationId: 'listMails',
  summary: 'List mail jobs',
  description: 'Newest first.',
  query: z.strictObject({
    status: z.enum(mailStatuses).optional(),
    externalId: lineOfText(255).optional(),
    ...pageQuery({ maxLimit: 100, defaultLimit: 20 }),
  }),
  responses: { 200: pageOf(MailSummary) },
  errors: [],
  example: { responses: { 200: { data: [aMailJobSummary], hasMore: false, nextCursor: null } } },

  async handle({ query, credential }, { cursors }) {
    return reply(200, toPage(await listMailJobs(credential, query, cursors), toMailSummary));
  },
});
