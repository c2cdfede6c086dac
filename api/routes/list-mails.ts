import { z } from 'zod';
import { mailFilterFields } from '../../common/mail-jobs/mail-filter.schema.ts';
import { MailSummary, toMailSummary } from '../../common/mail-jobs/mail-job.view.ts';
import { listMailJobs } from '../../common/mail-jobs/read-mail-jobs.ts';
import { aMailJobSummary, mailJobMetadata } from '../examples.ts';
import { nestedQuery } from '../nested-query.ts';
import { pageOf, pageQuery, toPage } from '../page.ts';
import { defineRoute, reply } from '../route.ts';

/** The caller's mail jobs, newest first. */
export const listMails = defineRoute({
  method: 'get',
  path: '/v1/mails',
  scope: 'read',
  operationId: 'listMails',
  summary: 'List mail jobs',
  description: 'Newest first. A mail job is listed when it fits all the filters that are given.',
  query: nestedQuery(
    ['metadata'],
    z.strictObject({ ...mailFilterFields, ...pageQuery({ maxLimit: 100, defaultLimit: 20 }) }),
  ),
  responses: { 200: pageOf(MailSummary) },
  errors: [],
  example: {
    query: { status: 'queued', createdAfter: '2026-03-01T00:00:00.000Z', metadata: mailJobMetadata },
    responses: { 200: { data: [aMailJobSummary], hasMore: false, nextCursor: null } },
  },

  async handle({ query, credential }, { cursors }) {
    return reply(200, toPage(await listMailJobs(credential, query, cursors), toMailSummary));
  },
});
